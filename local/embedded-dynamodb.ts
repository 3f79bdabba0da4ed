import { join } from 'node:path';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { type DynoxideCommand, findDynoxide } from './dynoxide-command.ts';
import { dynoxideFailure } from './dynoxide-failure.ts';
import { untilAnswering } from './emulator-readiness.ts';
import { freePort } from './free-port.ts';
import type { LocalError } from './local-error.ts';
import { indexStreamRecords } from './stream-index.ts';
import { startSupervisedProcess } from './supervised-process.ts';

const PORT_ATTEMPTS = 5;
const RUNNING_ENDPOINT_TIMEOUT_MS = 2_000;

export interface EmbeddedDynamodbOptions {
  /** Where the data is kept and the lock is taken; without it everything is in memory and gone with the process. */
  readonly dataFolder?: string | undefined;
  /** A DynamoDB to use instead of starting one: the value of `DYNAMODB_ENDPOINT`. */
  readonly endpoint?: string | undefined;
  /** What to start; by default what {@link findDynoxide} finds. */
  readonly dynoxide?: DynoxideCommand;
}

export interface EmbeddedDynamodb {
  readonly endpoint: string;
  /** Which DynamoDB this is, for the person at the terminal. */
  readonly description: string;
  /** Settles if the emulator ends although nobody stopped it; never for one that was running already. */
  readonly died: Promise<LocalError>;
  /** Ends what was started, waits for it, releases the folder. Calling it again is harmless. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded DynamoDB and waits until it answers. What it starts dies with this process, however that dies.
 *
 * @throws {LocalError} `folder_unwritable`, `folder_in_use`, `binary_missing`, `database_unusable`, `emulator_failed`,
 * `emulator_not_ready`; nothing is left running then.
 */
export async function startEmbeddedDynamodb(
  options: EmbeddedDynamodbOptions = {},
): Promise<EmbeddedDynamodb> {
  const folder = options.dataFolder === undefined ? undefined : openDataFolder(options.dataFolder);
  try {
    if (options.endpoint) return await useRunning(options.endpoint, folder);
    return await startDynoxide(options.dynoxide ?? findDynoxide(), folder);
  } catch (error) {
    folder?.release();
    throw error;
  }
}

async function useRunning(endpoint: string, folder: DataFolder | undefined): Promise<EmbeddedDynamodb> {
  await untilAnswering(endpoint, { timeoutMs: RUNNING_ENDPOINT_TIMEOUT_MS });
  return {
    endpoint,
    description: `the DynamoDB at ${endpoint} (DYNAMODB_ENDPOINT)`,
    died: new Promise(() => undefined),
    stop: async () => folder?.release(),
  };
}

async function startDynoxide(
  dynoxide: DynoxideCommand,
  folder: DataFolder | undefined,
): Promise<EmbeddedDynamodb> {
  const databaseFile = folder && join(folder.path, 'dynamodb.db');
  const database = databaseFile === undefined ? [] : ['--db-path', databaseFile];
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const child = startSupervisedProcess([...dynoxide.command, 'serve', '--port', String(port), ...database]);
    try {
      await untilAnswering(endpoint, {
        timeoutMs: dynoxide.startTimeoutMs,
        // Whoever answers before dynoxide says it listens is a stranger that took the port first.
        started: () => child.errorOutput().includes('listening on'),
        gone: () => child.hasExited(),
      });
    } catch (error) {
      const ranOut = !child.hasExited();
      await child.stop();
      if (ranOut) throw error;
      if (attempt < PORT_ATTEMPTS && child.errorOutput().includes('already in use')) continue;
      throw dynoxideFailure(await child.exited, child.errorOutput(), error);
    }
    if (databaseFile !== undefined) indexStreamRecords(databaseFile);
    let stopping = false;
    return {
      endpoint,
      description: `${dynoxide.description} at ${endpoint}, ${folder ? `data in ${folder.path}` : 'in memory'}`,
      died: new Promise((resolve) => {
        child.exited.then((status) => {
          if (!stopping) resolve(dynoxideFailure(status, child.errorOutput()));
        });
      }),
      stop: async () => {
        stopping = true;
        await child.stop();
        folder?.release();
      },
    };
  }
}
