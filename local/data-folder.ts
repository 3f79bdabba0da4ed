import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LocalError } from './local-error.ts';
import { sqliteDatabase } from './sqlite.ts';

/** Files of a data folder, each with what may follow its name. */
const OURS = /^((dynamodb|events)\.db|(instance|stream|demo|secrets)\.(json|lock))/;

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** Lets another process have the folder. */
  release(): void;
}

/**
 * Creates the folder where needed and takes it for this process alone: the emulator itself lets two processes
 * open one database, and then both would count the same answers. The lock is SQLite's file lock, which the operating system
 * drops with the process however it dies, so that no stale lock ever needs removing.
 *
 * @throws {LocalError} `folder_unwritable`, `folder_in_use`
 */
export function openDataFolder(folder: string): DataFolder {
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
 * A folder that only its owner enters; one that is there is left as it is.
 * `mkdir -p` of the system, since Node's never returns where a parent refuses children (`/proc`).
 *
 * @throws {LocalError} `folder_unwritable`
 */
export function makeFolder(path: string): void {
  const { status, stderr } = spawnSync('mkdir', ['-p', '-m', '700', '--', path], { encoding: 'utf8' });
  if (status === 0) return;
  throw new LocalError('folder_unwritable', `The folder ${path} cannot be made.`, { cause: stderr });
}

/** For what was made otherwise. A folder in which others keep their files as well keeps its mode. */
function keepPrivate(path: string): void {
  const names = readdirSync(path);
  const ours = names.filter((name) => OURS.test(name));
  for (const name of ours) chmodSync(join(path, name), 0o600);
  if (ours.length === names.length) chmodSync(path, 0o700);
}

/** The RAM disk of Linux, and what has to be free there: containers are often given 64 MB of it. */
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

/** Where data that nobody keeps is, for people. */
export const placeOf = (path = ''): string =>
  path.startsWith(RAM_DISK) ? 'in memory' : `in ${path} until it ends`;

/**
 * A folder of its own for data that nobody keeps: on a RAM disk where there is one with a gigabyte free, else where the
 * system keeps temporary files. Only its owner enters it.
 */
export function temporaryDataFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(hasRoom(RAM_DISK) ? RAM_DISK : tmpdir(), 'canvass-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
