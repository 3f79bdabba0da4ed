/** Rows of the table as they come back: attributes by name, `unknown` until a schema has parsed them. */

import * as z from 'zod/mini';

export type Row = Readonly<Record<string, unknown>>;

/**
 * A row as its item type's schema reads it; attributes that the schema does not name are left out.
 * @throws Error when the row is of another shape. It names the attributes and quotes no value.
 */
export function readRow<Schema extends z.ZodMiniType>(schema: () => Schema, row: Row): z.output<Schema> {
  const read = z.safeParse(schema(), row);
  if (read.success) return read.data;
  const attributes = read.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new Error(`a row of type ${String(row.type)} is malformed: ${attributes}`);
}
