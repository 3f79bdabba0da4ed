/** Where the local run answers, noted in its data folder for as long as it runs. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder } from './data-folder.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import { processStart } from './process-start.ts';

const FILE = 'instance.json';

/** The table of every local run. */
export const LOCAL_TABLE_NAME = 'canvass';

/** The log of erasures that goes with a local table. */
export const erasureLogOf = (tableName: string): string => `${tableName}-erasures`;

const runningInstance = z.object({
  pid: z.int(),
  url: z.string(),
  dynamodbEndpoint: z.string(),
  tableName: z.string(),
  /** What its keys begin with; absent means the default. */
  keyAbbreviation: z.exactOptional(z.string()),
});

export type RunningInstance = z.infer<typeof runningInstance>;

const note = z.extend(runningInstance, { started: z.string() });

/**
 * Notes the address; a file is there whole or not at all. Creates the folder where needed.
 * @returns takes the note back. One that keeps nothing may start beside another on the same folder: then that one is
 * noted again, if it still runs, and a note that somebody else has written since is left alone
 */
export function noteRunningInstance(folder: string, instance: RunningInstance): () => void {
  const before = readRunningInstance(folder);
  write(folder, instance);
  return () => {
    if (readRunningInstance(folder)?.pid !== instance.pid) return;
    if (before !== undefined && processStart(before.pid) !== undefined) write(folder, before);
    else rmSync(join(folder, FILE), { force: true });
  };
}

function write(folder: string, instance: RunningInstance): void {
  makeFolder(folder);
  const started = processStart(instance.pid) ?? '';
  writePrivateFile(join(folder, FILE), JSON.stringify({ ...instance, started }));
}

/**
 * The instance that runs on this folder. A note left by a process that was killed does not count, not even when
 * its process id has been given to another process since.
 */
export function readRunningInstance(folder: string): RunningInstance | undefined {
  const parsed = note.safeParse(readNote(join(folder, FILE)));
  if (!parsed.success) return undefined;
  const { started, ...instance } = parsed.data;
  return processStart(instance.pid) === started ? instance : undefined;
}

function readNote(file: string): unknown {
  try {
    return JSON.parse(readPrivateFile(file) ?? '');
  } catch {
    return undefined;
  }
}
