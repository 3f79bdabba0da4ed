import * as z from 'zod';

/** A token may be the name of a resource of the app. */
export const textOrToken = (pattern: string, what: string) =>
  z.string().regex(new RegExp(`^(?:${pattern}|\\$\\{Token\\[[^\\]]+\\]\\})$`), `must be ${what}`);

export const secretVersionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32,64}$/, 'must be the version id of a secret');

export const isEachOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;
