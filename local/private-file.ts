import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { LocalError } from './local-error.ts';

/** Writes a file that only its owner reads; it is there whole or not at all. */
export function writePrivateFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw new LocalError('folder_unwritable', `${path} cannot be written.`, { cause });
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
