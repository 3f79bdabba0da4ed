/** On which day a secret key was last used, beside the key's rate lease; the key itself is never written by a request. */

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type TimeLimits, withDeadline } from '../table/deadline.ts';
import { readItems } from '../table/read-items.ts';
import { keyUseKey } from '../table/schema.ts';

/** What noting it may cost a request, milliseconds. */
const DEADLINE_MS = 300;

export interface KeyUseStore {
  /** @param day UTC, `2026-11-20` */
  record(projectId: string, keyHash: string, day: string): Promise<void>;
  /** Days of last use by key hash; absent for keys that were never used. */
  read(projectId: string, keyHashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createKeyUseStore(
  client: DynamoDBDocumentClient,
  tableName: string,
  { keyUseDeadlineMs = DEADLINE_MS }: Pick<TimeLimits, 'keyUseDeadlineMs'> = {},
): KeyUseStore {
  return {
    async record(projectId, keyHash, day) {
      const update = new UpdateCommand({
        TableName: tableName,
        Key: keyUseKey(projectId, keyHash),
        UpdateExpression: 'SET #type = :type, keyHash = :keyHash, usedOn = :day',
        ExpressionAttributeNames: { '#type': 'type' },
        ExpressionAttributeValues: { ':type': 'key-use', ':keyHash': keyHash, ':day': day },
      });
      await withDeadline(keyUseDeadlineMs, () => client.send(update));
    },

    async read(projectId, keyHashes) {
      const keys = keyHashes.map((hash) => keyUseKey(projectId, hash));
      const items = await readItems(client, tableName, keys);
      return new Map(items.flatMap((item) => (item === undefined ? [] : [[item.keyHash, item.usedOn]])));
    },
  };
}
