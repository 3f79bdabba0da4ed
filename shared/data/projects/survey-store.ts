/**
 * Surveys, as operators write them. A project's surveys change as one set: each write of them moves the version on
 * the project's item, and one that was planned against an older version writes nothing. That is what keeps
 * slugs unique and the number of surveys bounded.
 */

import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Survey, SurveyStatus } from '../../domain/survey.ts';
import { projectKey, surveyKey, surveyTotalKey } from '../table/schema.ts';
import { transact } from '../table/transact.ts';
import { updateExpression } from '../table/update-expression.ts';
import { STANDS } from '../table/update-standing.ts';
import { surveyItem, surveyOfItem } from './project-item.ts';

export interface SurveyChanges {
  readonly created: readonly Survey[];
  readonly updated: readonly Survey[];
}

/** A transaction takes 100 items (DynamoDB quota): the project's, and two for a new survey. */
export const SURVEYS_AT_ONCE = 49;

export interface SurveyStore {
  /**
   * Creates surveys with their totals and updates others: at most `SURVEYS_AT_ONCE`, all or nothing.
   * @param version what the changes were planned against; without it they are written whatever the version is
   * @returns false when somebody else changed the surveys or the project is gone; nothing was written then
   */
  write(projectId: string, changes: SurveyChanges, version?: number): Promise<boolean>;
  /**
   * The survey as it is then; undefined when there is none to change. A change of the set like any other: what was
   * planned before it is not carried out, or it would be undone unseen.
   */
  setStatus(projectId: string, surveyId: string, status: SurveyStatus): Promise<Survey | undefined>;
}

export function createSurveyStore(client: DynamoDBDocumentClient, tableName: string): SurveyStore {
  const put = (item: object) => ({
    Put: { TableName: tableName, Item: { ...item }, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  const creation = (projectId: string, survey: Survey) => [
    put(surveyItem(projectId, survey)),
    put({
      ...surveyTotalKey(projectId, survey.id),
      type: 'survey-total',
      surveyId: survey.id,
      responses: 0,
    }),
  ];

  const update = (projectId: string, { id, status, content, limits, startsAt, endsAt }: Survey) => ({
    Update: {
      TableName: tableName,
      Key: surveyKey(projectId, id),
      ...updateExpression({
        status,
        content,
        limits,
        startsAt: startsAt ?? null,
        endsAt: endsAt ?? null,
      }),
      ConditionExpression: STANDS,
    },
  });

  /** Version 0 is a project whose surveys nobody has written yet. */
  const nextVersion = (projectId: string, version: number | undefined) => ({
    Update: {
      TableName: tableName,
      Key: projectKey(projectId),
      UpdateExpression: 'ADD surveysVersion :one',
      ConditionExpression: {
        any: STANDS,
        first: `${STANDS} AND attribute_not_exists(surveysVersion)`,
        later: `${STANDS} AND surveysVersion = :version`,
      }[version === undefined ? 'any' : version === 0 ? 'first' : 'later'],
      ExpressionAttributeValues: { ':one': 1, ...(version && { ':version': version }) },
    },
  });

  return {
    write: (projectId, { created, updated }, version) =>
      transact(client, [
        nextVersion(projectId, version),
        ...created.flatMap((survey) => creation(projectId, survey)),
        ...updated.map((survey) => update(projectId, survey)),
      ]),

    async setStatus(projectId, surveyId, status) {
      const key = surveyKey(projectId, surveyId);
      const change = { TableName: tableName, Key: key, ...updateExpression({ status }) };
      const update = { Update: { ...change, ConditionExpression: STANDS } };
      if (!(await transact(client, [nextVersion(projectId, undefined), update]))) return undefined;
      const get = new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true });
      const { Item } = await client.send(get);
      return Item === undefined ? undefined : surveyOfItem(Item);
    },
  };
}
