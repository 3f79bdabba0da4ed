/** `npm start` in a process of its own, over a DynamoDB that runs already. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { writeStoredSecrets } from '../local/local-secrets.ts';
import { endWithBench, removeScratchFolder, scratchFolder } from './scratch.ts';
import { SECRETS } from './stage.ts';

/** Clock ticks of /proc/<pid>/stat (Linux, getconf CLK_TCK). */
const TICK_MS = 10;
/** The share of a processor that a process uses which waits for records and finds none. */
const RESTING_SHARE = 0.08;
/** One pause without work may lie between two batches. */
const RESTING_LOOKS = 2;
const MOST_LOOKS = 30;

export interface LocalService {
  readonly url: string;
  /** Processor time of the service's own process so far, milliseconds. */
  readonly cpuMs: () => number;
  /** Waits until the reader of the stream has caught up and the process rests. @returns seconds */
  readonly settle: (pauseMs: number) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** @throws Error with what the service wrote to stderr when it ends before it has said where it serves */
async function announcedUrl(child: ChildProcess, logFile: string): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the output of the local service is not piped');
  const ended = once(child, 'exit').then(([status, signal]) => {
    const said = readFileSync(logFile, 'utf8');
    throw new Error(`the local service ended before it served: ${signal ?? `status ${status}`}\n${said}`);
  });
  const [line] = await Promise.race([once(createInterface({ input: stdout }), 'line'), ended]);
  return z.object({ url: z.string() }).parse(JSON.parse(line)).url;
}

/** @param dynamodbEndpoint has the service's table, with projects whose tokens are sealed under the bench's secrets */
export async function startLocalService(dynamodbEndpoint: string): Promise<LocalService> {
  const folder = scratchFolder();
  writeStoredSecrets(folder, { hashSecret: SECRETS.hash, tokenRing: SECRETS.ring });
  // A line a request: too much for the terminal, and kept only to say why the service ended.
  const logFolder = scratchFolder();
  const logFile = join(logFolder, 'stderr');
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    ['bin/local.ts', '--json', '--empty', '--port', '0', '--data', folder],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, DYNAMODB_ENDPOINT: dynamodbEndpoint },
      stdio: ['ignore', 'pipe', log],
    },
  );
  closeSync(log);
  endWithBench(child);

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    removeScratchFolder(folder);
    removeScratchFolder(logFolder);
  }

  function cpuMs(): number {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async function settle(pauseMs: number): Promise<number> {
    const startedAt = performance.now();
    let before = cpuMs();
    for (let looks = 0, resting = 0; looks < MOST_LOOKS && resting < RESTING_LOOKS; looks += 1) {
      await pause(pauseMs);
      const now = cpuMs();
      resting = now - before <= RESTING_SHARE * pauseMs ? resting + 1 : 0;
      before = now;
    }
    return (performance.now() - startedAt) / 1_000;
  }

  try {
    return { url: await announcedUrl(child, logFile), cpuMs, settle, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
