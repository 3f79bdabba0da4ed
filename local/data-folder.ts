import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LocalError } from './local-error.ts';

const OURS = /^((dynamodb|events)\.db|(instance|stream|demo|secrets)\.(json|lock))/;

/**
 * Locks the folder, because two emulators on one database would count answers twice. The lock on SQLite's file ends
 * with the process.
 * @throws {LocalError} `folder_unwritable`, `folder_in_use`
 */
export function openDataFolder(folder: string) {
  const path = resolve(folder);
  makeFolder(path);
  let lock: DatabaseSync | undefined;
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    lock = new (sqliteDatabase())(join(path, 'instance.lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    keepPrivate(path);
  } catch (cause) {
    if (lock?.isOpen) lock.close();
    if (cause instanceof Error && cause.message.includes('database is locked'))
      throw new LocalError('folder_in_use', `The data folder ${path} is in use by another instance.`, {
        cause,
      });
    throw new LocalError('folder_unwritable', `The data folder ${path} cannot be written to.`, { cause });
  }
  return {
    path,
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Uses `mkdir -p`, because Node's own function hangs if a parent folder cannot have children (`/proc`).
 * @throws {LocalError} `folder_unwritable`
 */
export function makeFolder(path: string): void {
  const { status, stderr } = spawnSync('mkdir', ['-p', '-m', '700', '--', path], { encoding: 'utf8' });
  if (status === 0) return;
  throw new LocalError('folder_unwritable', `The folder ${path} cannot be made.`, { cause: stderr });
}

/** A folder that also contains other files keeps its mode. */
function keepPrivate(path: string): void {
  const names = readdirSync(path);
  const ours = names.filter((name) => OURS.test(name));
  for (const name of ours) chmodSync(join(path, name), 0o600);
  if (ours.length === names.length) chmodSync(path, 0o700);
}

/** In containers, the RAM disk often has only 64 MB. */
const RAM_DISK = '/dev/shm';
const RAM_DISK_BYTES = 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= RAM_DISK_BYTES;
  } catch {
    return false;
  }
}

export const placeOf = (path = ''): string =>
  path.startsWith(RAM_DISK) ? 'in memory' : `in ${path} until it ends`;

/** Uses a RAM disk with a gigabyte of free space, or else the folder for temporary files. */
export function temporaryDataFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(hasRoom(RAM_DISK) ? RAM_DISK : tmpdir(), 'canvass-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Loads SQLite on demand, because other commands also run on older versions of Node.
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

/**
 * Creates the file if it is missing, so that only its owner can read it, and checks it. A damaged file would start, and
 * every later request would fail. An empty file beside secrets has lost its content, unless SQLite's log still has it.
 * @throws {LocalError} `database_unusable`
 */
export function prepareDatabaseFile(file: string): void {
  const unusable = (why: string, cause?: unknown) =>
    new LocalError(
      'database_unusable',
      `The database file ${file} cannot be used: ${why}. Restore a copy of the whole folder, or start with an empty one (--data).`,
      { cause },
    );
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
  const wasUsed = sizeOf(join(dirname(file), 'secrets.json')) !== undefined;
  if (sizeOf(file) === 0 && wasUsed && !sizeOf(`${file}-wal`)) throw unusable('it is empty');
  closeSync(openSync(file, 'a', 0o600));
  let problem: unknown;
  try {
    const database = new (sqliteDatabase())(file);
    try {
      problem = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
      // Writes the first page, so that a file of a start that fails later is not empty.
      if (sizeOf(file) === 0) database.exec('CREATE TABLE empty (id); DROP TABLE empty');
    } finally {
      database.close();
    }
  } catch (cause) {
    if (cause instanceof LocalError) throw cause;
    throw unusable(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (problem !== 'ok') throw unusable(String(problem).replace(/\s+/g, ' '));
}

const unwritable = (path: string, cause: unknown): LocalError =>
  new LocalError('folder_unwritable', `${path} cannot be written.`, { cause });

/**
 * Follows symbolic links.
 * @throws {LocalError} `folder_unwritable` if it is another kind of file
 */
export function regularFile(path: string): string {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return realpathSync(path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
  throw new LocalError('folder_unwritable', `${path} is no regular file.`);
}

/** Replaces the file as a whole. @throws {LocalError} `folder_unwritable` */
export function writePrivateFile(path: string, text: string): void {
  const target = regularFile(path);
  const unfinished = `${target}.${process.pid}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    renameSync(unfinished, target);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw unwritable(path, cause);
  }
}

export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return undefined;
    throw error;
  }
}
