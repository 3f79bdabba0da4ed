/** The settings of what is purged: marked first, so that no request begins any more, and deleted last. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PurgeScope } from '../../domain/purge.ts';
import type { Survey } from '../../domain/survey.ts';
import { surveyOfItem } from '../projects/project-item.ts';
import { deleteItems } from '../table/delete-items.ts';
import type { Item } from '../table/item.ts';
import { queryAll } from '../table/query-all.ts';
import {
  ADDRESS_LEASES,
  type Key,
  projectKey,
  rateLeasePartition,
  settingsQuery,
  surveyKey,
  surveyTotalKey,
  TABLE,
} from '../table/schema.ts';
import { updateStanding } from '../table/update-standing.ts';

export interface PurgeSettings {
  /** From now on the survey is unknown, or no key of the project valid, once caches expire. Harmless to repeat. */
  mark(scope: PurgeScope, at: string): Promise<void>;
  /** Surveys whose purge has begun and not ended. */
  markedSurveys(projectId: string): Promise<Survey[]>;
  /** Deletes what no index names: definition and total, or everything; returns how many items. */
  remove(scope: PurgeScope): Promise<number>;
  /** Of a project. */
  isAnythingLeft(projectId: string): Promise<boolean>;
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

  const readSettings = (projectId: string): Promise<Item[]> => readPartition(settingsQuery(projectId).pk);

  async function keysOfSurvey({ projectId, surveyId = '' }: PurgeScope): Promise<Key[]> {
    const items = await readSettings(projectId);
    const own = [surveyTotalKey(projectId, surveyId), surveyKey(projectId, surveyId)];
    return own.filter((key) => items.some((item) => isSame(keyOf(item), key)));
  }

  /** Leases and uses of the access keys among these settings, and leases of addresses. */
  async function leasesOf(projectId: string, settings: readonly Item[]): Promise<Key[]> {
    const keyHashes = settings.filter(({ type }) => type === 'key').map(({ hash }) => hash);
    const partitions = [...keyHashes, ADDRESS_LEASES].map((name) => rateLeasePartition(projectId, name));
    return (await Promise.all(partitions.map(readPartition))).flat().map(keyOf);
  }

  /**
   * In steps, each ended before the next, so that a repetition finds what one that was cut short has left. With an
   * access key goes the only trace of its leases: they go before it, and what came meanwhile after.
   */
  async function removeProject(projectId: string): Promise<number> {
    const settings = await readSettings(projectId);
    const isProject = (item: Item) => isSame(keyOf(item), projectKey(projectId));
    const isKey = ({ type }: Item) => type === 'key';
    const keysOf = (isMeant: (item: Item) => boolean) => settings.filter(isMeant).map(keyOf);
    const steps = [
      () => leasesOf(projectId, settings),
      () => keysOf((item) => !isKey(item) && !isProject(item)),
      () => leasesOf(projectId, settings),
      () => keysOf(isKey),
      () => leasesOf(projectId, settings),
      () => keysOf(isProject),
    ];
    let removed = 0;
    for (const step of steps) {
      const keys = await step();
      await deleteItems(client, tableName, keys);
      removed += keys.length;
    }
    return removed;
  }

  return {
    async mark({ projectId, surveyId }, at) {
      const key = surveyId === undefined ? projectKey(projectId) : surveyKey(projectId, surveyId);
      await updateStanding(client, tableName, key, { purgedAt: at });
    },

    async markedSurveys(projectId) {
      const items = await readSettings(projectId);
      const marked = items.filter(({ type, purgedAt }) => type === 'survey' && purgedAt !== undefined);
      return marked.map(surveyOfItem);
    },

    async remove(scope) {
      if (scope.surveyId === undefined) return removeProject(scope.projectId);
      const keys = await keysOfSurvey(scope);
      // The definition is what a repeated request finds the survey by.
      for (const key of keys) await deleteItems(client, tableName, [key]);
      return keys.length;
    },

    async isAnythingLeft(projectId) {
      const settings = await readSettings(projectId);
      return settings.length > 0 || (await leasesOf(projectId, settings)).length > 0;
    },
  };
}
