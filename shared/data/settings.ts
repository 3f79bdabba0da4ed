/** A project's settings partition, read whole: project, live keys, surveys, totals. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Project, ProjectKey, ProjectSettings } from '../domain/project.ts';
import type { Survey } from '../domain/survey.ts';
import type { TableSettings } from './answers.ts';
import type { Item } from './item.ts';
import { queryAll } from './query-all.ts';
import { keyOfItem, projectOfItem, surveyOfItem } from './settings-item.ts';
import { monthOfAttribute, settingsQuery, TABLE } from './table-schema.ts';

/** Undefined when there is no such project, or when it is being purged. */
export type LoadSettings = (projectId: string) => Promise<ProjectSettings | undefined>;

function settingsOf(items: readonly Item[]): ProjectSettings | undefined {
  const keys = new Map<string, ProjectKey>();
  const surveys = new Map<string, Survey>();
  const bySurvey = new Map<string, number>();
  const byMonth = new Map<string, number>();
  let project: Project | undefined;
  for (const item of items) {
    if (item.type === 'project') project = projectOfItem(item);
    else if (item.type === 'key' && item.revokedAt === undefined) keys.set(item.hash, keyOfItem(item));
    else if (item.type === 'survey' && item.purgedAt === undefined) surveys.set(item.id, surveyOfItem(item));
    else if (item.type === 'survey-total') bySurvey.set(item.surveyId, item.responses);
    else if (item.type === 'project-total') {
      for (const [attribute, count] of Object.entries(item)) {
        const month = monthOfAttribute(attribute);
        if (month !== undefined) byMonth.set(month, count);
      }
    }
  }
  if (project === undefined || project.purgedAt !== undefined) return undefined;
  return { project, keys, surveys, totals: { bySurvey, byMonth } };
}

/** One strongly consistent query; a second page only beyond 1 MB of surveys. */
export function createSettingsLoader(
  client: DynamoDBDocumentClient,
  { tableName }: Pick<TableSettings, 'tableName'>,
): LoadSettings {
  return async (projectId) => {
    const items = await queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
      ExpressionAttributeValues: { ':pk': settingsQuery(projectId).pk },
      ConsistentRead: true,
    });
    return settingsOf(items);
  };
}
