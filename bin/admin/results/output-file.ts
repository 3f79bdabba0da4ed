/** An existing file is replaced only when the output is complete. */

import { lstatSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { regularFile } from '../../../local/data-folder.ts';
import { LocalError } from '../../../local/local-error.ts';
import { misuse } from '../admin-error.ts';

/** Resolves to false if the reader has stopped reading. */
export type Write = (text: string) => Promise<boolean>;

/** A link could lead to a folder that others can read. */
export function assertReplaceable(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw misuse(`--output: ${path} is a symbolic link. Name the file itself.`);
  try {
    regularFile(path);
  } catch (error) {
    throw error instanceof LocalError ? misuse(`--output: ${error.message}`) : error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function removeOnSignal(path: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(path, { force: true });
    // This ends the process, because no handler is left.
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

export async function writeOutputFile<Result>(
  path: string,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  const target = regularFile(path);
  const unfinished = `${target}.${process.pid}`;
  const release = removeOnSignal(unfinished);
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      const result = await work(async (text) => {
        await file.writeFile(text);
        return true;
      });
      await file.close();
      await rename(unfinished, target);
      return result;
    } catch (error) {
      await file.close();
      await rm(unfinished, { force: true });
      throw error;
    }
  } finally {
    release();
  }
}
