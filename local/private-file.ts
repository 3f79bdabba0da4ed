import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { LocalError } from './local-error.ts';

const unwritable = (path: string, cause: unknown): LocalError =>
  new LocalError('folder_unwritable', `${path} cannot be written.`, { cause });

/**
 * What may be replaced by a file: the path, or where its link leads.
 * @throws {LocalError} `folder_unwritable`, also for a device, a pipe, a folder, or a link that leads nowhere
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

/** Writes a file that only its owner reads; it is there whole or not at all. @throws {LocalError} `folder_unwritable` */
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

/** The text of a file, or undefined when there is none. */
export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return undefined;
    throw error;
  }
}
