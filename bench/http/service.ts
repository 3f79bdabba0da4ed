/** The local service in a process of its own, its data in memory, rates and limits off. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { createFolderSecrets } from '../../local/local-secrets.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../local/running-instance.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { endsWithBench, removeScratchFolder, scratchFolder } from '../scratch.ts';

const announcement = z.object({
  url: z.string(),
  projectId: z.string(),
  publishableKey: z.string(),
  surveys: z.array(z.object({ id: z.string() })),
});

export interface RunningService extends z.infer<typeof announcement> {
  readonly secrets: SecretSource;
  readonly dynamodbEndpoint: string;
  /** Processor time of the service's own process so far, milliseconds; the emulator is another. */
  readonly cpuMs: () => number;
  /** Waits until the reader of the stream has caught up and the process rests. @returns seconds, at most 30 */
  readonly settle: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Clock ticks of /proc/<pid>/stat (Linux, getconf CLK_TCK). */
const TICK_MS = 10;
const SETTLE_AT_MOST_MS = 30 * SECOND;
const LOOK_EVERY_MS = SECOND;
/** Of a second: what a process uses that waits for records and finds none. */
const RESTING_MS = 80;
/** One second without work may be the pause between two batches. */
const RESTING_LOOKS = 2;

/**
 * @param said reads what the child wrote to its stderr
 * @throws Error with the child's own words when it ends before it has said where it serves
 */
export async function firstLine(child: ChildProcess, said: () => string): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the output of the local service is not piped');
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) =>
      reject(
        new Error(`the local service ended before it served: ${signal ?? `status ${status}`}\n${said()}`),
      ),
    );
  });
  const [line] = await Promise.race([once(createInterface({ input: stdout }), 'line'), ended]);
  return String(line);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function startService(): Promise<RunningService> {
  const folder = scratchFolder();
  // A line a request: too much for the terminal, and kept only to say why the service ended.
  const logFolder = scratchFolder();
  const logFile = join(logFolder, 'stderr');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, ['bin/local.ts', '--json', '--port', '0', '--data', folder], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  endsWithBench(child);
  const stop = async () => {
    await end(child);
    removeScratchFolder(folder);
    removeScratchFolder(logFolder);
  };
  const cpuMs = () => {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  };
  try {
    const announced = announcement.parse(
      JSON.parse(await firstLine(child, () => readFileSync(logFile, 'utf8'))),
    );
    const dynamodbEndpoint = readRunningInstance(folder)?.dynamodbEndpoint ?? '';
    const client = createDocumentClient({ endpoint: dynamodbEndpoint });
    await createProjectStore(client, LOCAL_TABLE_NAME).updateProject(announced.projectId, {
      limits: { quietPeriodMs: 0, monthlyCap: 0 },
      rates: { publishable: 0, secret: 0, address: 0 },
    });
    client.destroy();
    return {
      ...announced,
      secrets: createFolderSecrets(folder),
      dynamodbEndpoint,
      cpuMs,
      async settle() {
        const startedAt = performance.now();
        let resting = 0;
        for (let before = cpuMs(); performance.now() - startedAt < SETTLE_AT_MOST_MS; ) {
          await pause(LOOK_EVERY_MS);
          const now = cpuMs();
          resting = now - before <= RESTING_MS ? resting + 1 : 0;
          before = now;
          if (resting === RESTING_LOOKS) break;
        }
        return (performance.now() - startedAt) / SECOND;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
