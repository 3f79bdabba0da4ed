/** The settings of what is purged: marked first, so that no request begins any more, and deleted last. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PurgeScope } from '../domain/purge.ts';
import type { Survey } from '../domain/survey.ts';
import { deleteItems } from './delete-items.ts';
import type { Item } from './item.ts';
import { queryAll } from './query-all.ts';
import { surveyOfItem } from './settings-item.ts';
import {
  ADDRESS_LEASES,
  type Key,
  projectKey,
  rateLeasePartition,
  settingsQuery,
  surveyKey,
  surveyTotalKey,
  TABLE,
} from './table-schema.ts';
import { updateStanding } from './update-standing.ts';

export interface PurgeSettings {
  /** From now on the survey is unknown, or no key of the project valid, once caches expire. Harmless to repeat. */
  mark(scope: PurgeScope, at: string): Promise<void>;
  /** Surveys whose purge has begun and not ended. */
  markedSurveys(projectId: string): Promise<Survey[]>;
  /** Deletes what no index names: definition and total, or everything; returns how many items. */
  remove(scope: PurgeScope): Promise<number>;
  isAnythingLeft(scope: PurgeScope): Promise<boolean>;
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk, sk });
const isSame = (a: Key, b: Key): boolean => a.pk === b.pk && a.sk === b.sk;

export function createPurgeSettings(client: DynamoDBDocumentClient, tableName: string): PurgeSettings {
  const readPartition = (pk: string): Promise<Item[]> =>
    queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    });

  /** The keys' leases before the keys that name them, the project's own item last: what is cut short is repeatable. */
  async function keysOf({ projectId, surveyId }: PurgeScope): Promise<Key[]> {
    const items = await readPartition(settingsQuery(projectId).pk);
    if (surveyId !== undefined) {
      const own = [surveyTotalKey(projectId, surveyId), surveyKey(projectId, surveyId)];
      return own.filter((key) => items.some((item) => isSame(keyOf(item), key)));
    }
    const keyHashes = items.filter(({ type }) => type === 'key').map(({ hash }) => hash);
    const leases = await Promise.all(
      [...keyHashes, ADDRESS_LEASES].map((name) => readPartition(rateLeasePartition(projectId, name))),
    );
    const project = projectKey(projectId);
    const settings = items.map(keyOf);
    return [
      ...leases.flat().map(keyOf),
      ...settings.filter((key) => !isSame(key, project)),
      ...settings.filter((key) => isSame(key, project)),
    ];
  }

  return {
    async mark({ projectId, surveyId }, at) {
      const key = surveyId === undefined ? projectKey(projectId) : surveyKey(projectId, surveyId);
      await updateStanding(client, tableName, key, { purgedAt: at });
    },

    async markedSurveys(projectId) {
      const items = await readPartition(settingsQuery(projectId).pk);
      const marked = items.filter(({ type, purgedAt }) => type === 'survey' && purgedAt !== undefined);
      return marked.map(surveyOfItem);
    },

    async remove(scope) {
      const keys = await keysOf(scope);
      await deleteItems(client, tableName, keys.slice(0, -1));
      await deleteItems(client, tableName, keys.slice(-1));
      return keys.length;
    },

    async isAnythingLeft(scope) {
      return (await keysOf(scope)).length > 0;
    },
  };
}
