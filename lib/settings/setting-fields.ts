/** What several settings are made of. */

import * as z from 'zod';

/** A text of this form, or what only CloudFormation knows, as the CDK writes it: the name of what an app makes itself. */
export const textOrToken = (pattern: string, what: string) =>
  z.string().regex(new RegExp(`^(?:${pattern}|\\$\\{Token\\[[^\\]]+\\]\\})$`), `must be ${what}`);

/** As Secrets Manager makes them. */
export const secretVersionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32,64}$/, 'must be the id of a version of a secret');

export const isEachOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;
