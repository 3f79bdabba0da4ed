import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder, readPrivateFile, writePrivateFile } from './data-folder.ts';

const FILE = 'instance.json';
const REACH_MS = 2_000;

export const LOCAL_TABLE_NAME = 'canvass';

export const erasureLogOf = (tableName: string): string => `${tableName}-erasures`;

const runningInstance = z.object({
  pid: z.int(),
  url: z.string(),
  dynamodbEndpoint: z.string(),
  tableName: z.string(),
  keyAbbreviation: z.exactOptional(z.string()),
  /** Stored only with `--memory`, for the command line. */
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

async function isAnswering({ dynamodbEndpoint }: RunningInstance): Promise<boolean> {
  const signal = AbortSignal.timeout(REACH_MS);
  return fetch(dynamodbEndpoint, { method: 'HEAD', signal }).then(
    () => true,
    () => false,
  );
}

/**
 * Stores the instance's address. Returns a function that deletes the address, unless a newer one is stored. If another
 * instance is still running, its address is stored again.
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

export function readRunningInstance(folder: string): RunningInstance | undefined {
  try {
    const instance = runningInstance.parse(JSON.parse(readPrivateFile(join(folder, FILE)) ?? ''));
    return isRunning(instance.pid) ? instance : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may have the stored pid, so the instance must also respond. */
export async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  const noted = readRunningInstance(folder);
  return noted !== undefined && (await isAnswering(noted)) ? noted : undefined;
}
