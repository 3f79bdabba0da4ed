import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { emulatorClientConfig } from './emulator-client.ts';
import { LocalError } from './local-error.ts';

const POLL_INTERVAL_MS = 10;

export interface ReadinessOptions {
  readonly timeoutMs: number;
  /** No request is sent before this holds. */
  readonly started?: () => boolean;
  /** Ends the wait early. */
  readonly gone?: () => boolean;
}

/**
 * Waits until the endpoint answers a real DynamoDB request.
 *
 * @throws {LocalError} `emulator_not_ready`
 */
export async function untilAnswering(endpoint: string, options: ReadinessOptions): Promise<void> {
  const { timeoutMs, started = () => true, gone = () => false } = options;
  const client = new DynamoDBClient({ ...emulatorClientConfig(endpoint), maxAttempts: 1 });
  const timeout = AbortSignal.timeout(timeoutMs);
  let cause: unknown;
  try {
    while (!timeout.aborted && !gone()) {
      if (started()) {
        try {
          await client.send(new ListTablesCommand({}), { abortSignal: timeout });
          return;
        } catch (error) {
          cause = error;
        }
      }
      await delay(POLL_INTERVAL_MS);
    }
  } finally {
    client.destroy();
  }
  throw new LocalError('emulator_not_ready', `No DynamoDB answers at ${endpoint}.`, { cause });
}
