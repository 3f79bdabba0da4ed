import type { DatabaseSync } from 'node:sqlite';
import { LocalError } from './local-error.ts';

/**
 * SQLite of Node, loaded when a local instance needs it: the rest of the command line runs on a Node that has none.
 * @throws {LocalError} `node_too_old`
 */
export function sqliteDatabase(): typeof DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite !== undefined) return sqlite.DatabaseSync;
  throw new LocalError(
    'node_too_old',
    `A local instance needs Node 22.13 or later; this is ${process.version}.`,
  );
}
