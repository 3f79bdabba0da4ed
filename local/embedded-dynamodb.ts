import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { openDataFolder, placeOf, prepareDatabaseFile, temporaryDataFolder } from './data-folder.ts';
import {
  type DynoxideCommand,
  type DynoxideDatabase,
  findDynoxide,
  openDatabase,
  startDynoxide,
} from './dynoxide.ts';
import { listen } from './listen.ts';
import { LocalError } from './local-error.ts';

const PORT_ATTEMPTS = 5;
const POLL_MS = 10;
const RUNNING_ENDPOINT_TIMEOUT_MS = 2_000;

export interface EmbeddedDynamodbOptions {
  readonly dataFolder?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly endpointTimeoutMs?: number;
  /** Defaults to {@link findDynoxide}. */
  readonly dynoxide?: DynoxideCommand;
}

interface EmbeddedDynamodb {
  readonly endpoint: string;
  readonly description: string;
  readonly died: Promise<LocalError>;
  /** Does nothing if an endpoint was given. */
  readonly forget: DynoxideDatabase['forget'];
  stop(): Promise<void>;
}

/**
 * Starts DynamoDB. It ends with this process, and after a failure no process is left running.
 * @throws {LocalError} `folder_unwritable`, `folder_in_use`, `binary_missing`, `database_unusable`, `emulator_failed`,
 * `emulator_not_ready`
 */
export async function startEmbeddedDynamodb(
  options: EmbeddedDynamodbOptions = {},
): Promise<EmbeddedDynamodb> {
  const { dataFolder, endpoint, endpointTimeoutMs = RUNNING_ENDPOINT_TIMEOUT_MS } = options;
  const folder = dataFolder === undefined ? undefined : openDataFolder(dataFolder);
  try {
    if (!endpoint) return await startOwn(options.dynoxide ?? findDynoxide(), folder);
    await untilAnswering(endpoint, endpointTimeoutMs, () => 'started');
    return {
      endpoint,
      description: `the DynamoDB at ${endpoint} (DYNAMODB_ENDPOINT)`,
      died: new Promise(() => undefined),
      forget: () => undefined,
      stop: async () => folder?.release(),
    };
  } catch (error) {
    folder?.release();
    throw error;
  }
}

async function startOwn(
  dynoxide: DynoxideCommand,
  kept: { readonly path: string; release(): void } | undefined,
): Promise<EmbeddedDynamodb> {
  const temporary = kept === undefined ? temporaryDataFolder() : undefined;
  const file = join((kept ?? temporary)?.path ?? '', 'dynamodb.db');
  prepareDatabaseFile(file);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const parameters = ['serve', '--port', String(port), '--db-path', file];
    const emulator = startDynoxide([...dynoxide.command, ...parameters], temporary?.path);
    let database: DynoxideDatabase;
    try {
      await untilAnswering(endpoint, dynoxide.startTimeoutMs, () => {
        if (emulator.hasEnded()) return 'ended';
        // Until the emulator listens, another process may respond on the port.
        return emulator.output().includes('listening on') ? 'started' : 'starting';
      });
      database = openDatabase(file);
    } catch (error) {
      const isAlive = !emulator.hasEnded();
      await emulator.stop();
      if (!isAlive && attempt < PORT_ATTEMPTS && emulator.output().includes('already in use')) continue;
      temporary?.remove();
      throw isAlive ? error : await emulator.ended;
    }
    let isStopping = false;
    return {
      endpoint,
      description: `${dynoxide.description} at ${endpoint}, ${kept ? `data in ${kept.path}` : placeOf(temporary?.path)}`,
      died: new Promise((resolve) => {
        emulator.ended.then((error) => {
          if (!isStopping) resolve(error);
        });
      }),
      forget: (...handled) => database.forget(...handled),
      stop: async () => {
        const isFirst = !isStopping;
        isStopping = true;
        await emulator.stop();
        if (isFirst) database.close();
        temporary?.remove();
        kept?.release();
      },
    };
  }
}

/** Another process may take the port first. */
async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0, '127.0.0.1');
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** @throws {LocalError} `emulator_not_ready` */
async function untilAnswering(
  endpoint: string,
  timeoutMs: number,
  stage: () => 'starting' | 'started' | 'ended',
): Promise<void> {
  const client = new DynamoDBClient({ ...emulatorClientConfig(endpoint), maxAttempts: 1 });
  const timeout = AbortSignal.timeout(timeoutMs);
  let cause: unknown;
  try {
    while (!timeout.aborted && stage() !== 'ended') {
      try {
        if (stage() === 'started') {
          await client.send(new ListTablesCommand({}), { abortSignal: timeout });
          return;
        }
      } catch (error) {
        cause = error;
      }
      await delay(POLL_MS);
    }
  } finally {
    client.destroy();
  }
  throw new LocalError('emulator_not_ready', `No DynamoDB answers at ${endpoint}.`, { cause });
}

/** The SDK requires credentials, but the emulator does not check them. */
export function emulatorClientConfig(endpoint: string) {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
}
