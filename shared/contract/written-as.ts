/** A value as a schema takes it, rather than as it makes it: durations as text, defaults left out. */

import * as z from 'zod/mini';

const written = new WeakMap<object, z.ZodMiniType>();

/** Describes a reply: what it says, read by the schema, is taken. */
export function writtenAs<Written>(by: z.ZodMiniType): z.ZodMiniType<Written> {
  const schema = z.custom<Written>();
  written.set(schema, by);
  return schema;
}

/** The schema that takes what this one describes, if it is made by `writtenAs`. */
export const writtenBy = (schema: unknown): z.ZodMiniType | undefined =>
  typeof schema === 'object' && schema !== null ? written.get(schema) : undefined;
