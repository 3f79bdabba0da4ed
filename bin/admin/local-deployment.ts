/** The local instance: the one that runs, or the data folder of one that does not. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';
import { LocalError } from '../../local/local-error.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../local/running-instance.ts';
import { DEFAULT_KEY_ABBREVIATION } from '../../shared/crypto/access-key.ts';
import { failure } from './admin-error.ts';

interface LocalAddress {
  readonly folder: string;
  readonly dynamodbEndpoint: string;
  readonly tableName: string;
  readonly keyAbbreviation: string;
}

interface LocalDeployment {
  readonly address: LocalAddress;
  close(): Promise<void>;
}

/** Another command, or an instance on its way up or down, holds a folder for moments. */
const PATIENCE = { attempts: 50, pauseMs: 100 } as const;

function runningIn(folder: string): LocalDeployment | undefined {
  const running = readRunningInstance(folder);
  if (running === undefined) return undefined;
  const { dynamodbEndpoint, tableName, keyAbbreviation = DEFAULT_KEY_ABBREVIATION } = running;
  return { address: { folder, dynamodbEndpoint, tableName, keyAbbreviation }, close: async () => undefined };
}

function stoppedIn(folder: string, dynamodb: EmbeddedDynamodb): LocalDeployment {
  const address = {
    folder,
    dynamodbEndpoint: dynamodb.endpoint,
    tableName: LOCAL_TABLE_NAME,
    keyAbbreviation: process.env.KEY_ABBREVIATION ?? DEFAULT_KEY_ABBREVIATION,
  };
  return { address, close: () => dynamodb.stop() };
}

/**
 * Reaches the instance that runs on a data folder, or starts its DynamoDB for as long as the command takes.
 * @throws AdminError when there is none, LocalError when its DynamoDB cannot be started
 */
export async function openLocalDeployment(data: string): Promise<LocalDeployment> {
  const folder = resolve(data);
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  for (let attempt = 1; ; attempt++) {
    const running = runningIn(folder);
    if (running !== undefined) return running;
    if (!endpoint && !existsSync(join(folder, 'dynamodb.db'))) {
      throw failure(
        `There is no local instance in ${folder}: run "npm start" first, or name its folder with --data.`,
      );
    }
    try {
      return stoppedIn(folder, await startEmbeddedDynamodb({ dataFolder: folder, endpoint }));
    } catch (error) {
      const isBusy = error instanceof LocalError && error.code === 'folder_in_use';
      if (!isBusy || attempt === PATIENCE.attempts) throw error;
      await delay(PATIENCE.pauseMs);
    }
  }
}
