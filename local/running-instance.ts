/** Where the local run answers, noted in its data folder for as long as it runs. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder } from './data-folder.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const FILE = 'instance.json';
/** How long a DynamoDB may take to answer, milliseconds. */
const REACH_MS = 2_000;

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
  /** Of one that keeps nothing: there is no other place where the command line could find it. */
  hashSecret: z.exactOptional(z.string()),
});

export type RunningInstance = z.infer<typeof runningInstance>;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const write = (folder: string, instance: RunningInstance): void =>
  writePrivateFile(join(folder, FILE), JSON.stringify(instance));

/** Whether something answers where its DynamoDB is said to be. */
async function isAnswering({ dynamodbEndpoint }: RunningInstance): Promise<boolean> {
  const signal = AbortSignal.timeout(REACH_MS);
  return fetch(dynamodbEndpoint, { method: 'HEAD', signal }).then(
    () => true,
    () => false,
  );
}

/**
 * Notes the address. Creates the folder where needed.
 * @returns takes the note back. One that keeps nothing may start beside another on the same folder: then that one is
 * noted again, if it still runs, and a note that another has written since is left alone
 */
export function noteRunningInstance(folder: string, instance: RunningInstance): () => Promise<void> {
  const before = readRunningInstance(folder);
  makeFolder(folder);
  write(folder, instance);
  return async () => {
    const isAnother = before !== undefined && before.pid !== instance.pid && (await isAnswering(before));
    if (readRunningInstance(folder)?.pid !== instance.pid) return;
    if (isAnother && isRunning(before.pid)) write(folder, before);
    else rmSync(join(folder, FILE), { force: true });
  };
}

/** What is noted in this folder. A note left by a process that was killed does not count. */
export function readRunningInstance(folder: string): RunningInstance | undefined {
  try {
    const instance = runningInstance.parse(JSON.parse(readPrivateFile(join(folder, FILE)) ?? ''));
    return isRunning(instance.pid) ? instance : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The instance that runs on this folder, and answers. Another process may have the pid of one that was killed: after a
 * restart of the machine, or in another container.
 */
export async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  const noted = readRunningInstance(folder);
  return noted !== undefined && (await isAnswering(noted)) ? noted : undefined;
}
