/** A project's settings partition, read whole: project, live keys, surveys, totals. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ProjectSettings } from '../../domain/project.ts';
import type { TableSettings } from '../answers/answer-store.ts';
import { queryAll } from '../table/query-all.ts';
import { settingsQuery, TABLE } from '../table/schema.ts';
import { type ProjectRecord, recordOf } from './project-record.ts';

/** Undefined when there is no such project, or when it is being purged. */
export type LoadSettings = (projectId: string) => Promise<ProjectSettings | undefined>;

/** One strongly consistent query; a second page only beyond 1 MB of surveys. */
export async function readProjectRecord(
  client: DynamoDBDocumentClient,
  tableName: string,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  const items = await queryAll(client, {
    TableName: tableName,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
    ExpressionAttributeValues: { ':pk': settingsQuery(projectId).pk },
    ConsistentRead: true,
  });
  return recordOf(items);
}

export function createSettingsLoader(
  client: DynamoDBDocumentClient,
  { tableName }: Pick<TableSettings, 'tableName'>,
): LoadSettings {
  return async (projectId) => {
    const record = await readProjectRecord(client, tableName, projectId);
    if (record === undefined) return undefined;
    const live = record.keys.filter((key) => key.revokedAt === undefined);
    return {
      project: record.project,
      keys: new Map(live.map((key) => [key.hash, key])),
      surveys: new Map(record.surveys.map((survey) => [survey.id, survey])),
      totals: record.totals,
    };
  };
}
