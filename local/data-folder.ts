import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LocalError } from './local-error.ts';

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
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new LocalError('folder_unwritable', `The data folder ${path} cannot be written to.`, { cause });
  }
  const lock = openLock(path);
  return {
    path,
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * `mkdir -p`, each level once: Node's own recursive form never returns where a parent refuses children (`/proc`).
 *
 * @throws {LocalError} `folder_unwritable`
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (cause) {
    throw new LocalError('folder_unwritable', `The folder ${path} cannot be made.`, { cause });
  }
}

function openLock(path: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, 'instance.lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && cause.message.includes('database is locked')) {
      throw new LocalError('folder_in_use', `The data folder ${path} is in use by another instance.`, {
        cause,
      });
    }
    throw new LocalError('folder_unwritable', `The data folder ${path} cannot be written to.`, { cause });
  }
}
