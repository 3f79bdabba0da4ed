/** The records of purges: requested, under way, done. They lie outside the project, which they outlive. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PurgeAttempt, PurgeCounts, PurgeRecord, PurgeScope } from '../../domain/purge.ts';
import { deleteItems } from '../table/delete-items.ts';
import type { Item } from '../table/item.ts';
import { queryAll } from '../table/query-all.ts';
import { PURGES_PARTITION, purgeKey, TABLE } from '../table/schema.ts';

export interface PurgeRecords {
  /**
   * Opens a purge, or joins the one that is open; what has ended begins anew. Times in milliseconds.
   */
  request(scope: PurgeScope, now: number): Promise<PurgeAttempt>;
  /** A new attempt, whatever became of the last; undefined when no such purge was ever requested. */
  retry(scope: PurgeScope, now: number): Promise<PurgeAttempt | undefined>;
  begin(scope: PurgeScope, now: number): Promise<void>;
  /** Adds to what was deleted. */
  add(scope: PurgeScope, deleted: PurgeCounts): Promise<void>;
  /** Counts a round of sweeping; returns how many this attempt has had. */
  nextRound(scope: PurgeScope): Promise<number>;
  fail(scope: PurgeScope, now: number): Promise<void>;
  /** Closes the purge. Of a purged project only its own record stays, those of its surveys go. */
  finish(scope: PurgeScope, now: number): Promise<void>;
  /** The purges of a project and its surveys, the project's own first. */
  list(projectId: string): Promise<PurgeRecord[]>;
  /** The purges of all projects that have not ended, or not well. */
  unfinished(): Promise<PurgeRecord[]>;
}

function recordOfItem(item: Item): PurgeRecord {
  return {
    projectId: item.projectId,
    ...(item.surveyId !== undefined && { surveyId: item.surveyId }),
    state: item.state,
    attempt: item.attempt,
    rounds: item.rounds,
    requestedAt: item.requestedAt,
    ...(item.startedAt !== undefined && { startedAt: item.startedAt }),
    ...(item.finishedAt !== undefined && { finishedAt: item.finishedAt }),
    deleted: { responses: item.responses, dismissals: item.dismissals, others: item.others },
  };
}

function attemptOf(item: Item | undefined): PurgeAttempt | undefined {
  return item === undefined ? undefined : { attempt: item.attempt, openedAt: item.openedAt };
}

const iso = (now: number): string => new Date(now).toISOString();

export function createPurgeRecords(client: DynamoDBDocumentClient, tableName: string): PurgeRecords {
  /** The record as it is then; undefined when the condition does not hold. Names are all written with `#`. */
  async function update(
    { projectId, surveyId }: PurgeScope,
    expression: string,
    values: Readonly<Record<string, unknown>>,
    condition = 'attribute_exists(#pk)',
  ): Promise<Item | undefined> {
    const names = new Set(`${expression} ${condition}`.match(/#\w+/g));
    const command = new UpdateCommand({
      TableName: tableName,
      Key: purgeKey(projectId, surveyId),
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [name, name.slice(1)])),
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
    });
    try {
      return (await client.send(command)).Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  async function attemptAnew(scope: PurgeScope, now: number, condition?: string) {
    const item = await update(
      scope,
      'SET #state = :requested, #openedAt = :now, #rounds = :zero REMOVE #startedAt, #finishedAt ADD #attempt :one',
      {
        ':requested': 'requested',
        ':now': iso(now),
        ':zero': 0,
        ':one': 1,
        ...(condition && { ':failed': 'failed', ':done': 'done' }),
      },
      condition,
    );
    return attemptOf(item);
  }

  async function read(projectId: string): Promise<Item[]> {
    const { pk, sk } = purgeKey(projectId);
    return queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey, '#sk': TABLE.sortKey },
      ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
      ConsistentRead: true,
    });
  }

  return {
    async request(scope, now) {
      const { projectId, surveyId } = scope;
      const opened = await update(
        scope,
        `SET #type = :type, #projectId = :projectId, ${surveyId === undefined ? '' : '#surveyId = :surveyId, '}#state = :requested, #requestedAt = :now, #openedAt = :now, #attempt = :one, #rounds = :zero, #responses = :zero, #dismissals = :zero, #others = :zero`,
        {
          ':type': 'purge',
          ':projectId': projectId,
          ...(surveyId !== undefined && { ':surveyId': surveyId }),
          ':requested': 'requested',
          ':now': iso(now),
          ':one': 1,
          ':zero': 0,
        },
        'attribute_not_exists(#pk)',
      );
      if (opened !== undefined) return { attempt: 1, openedAt: iso(now) };
      const anew = await attemptAnew(scope, now, '#state IN (:failed, :done)');
      if (anew !== undefined) return anew;
      const joined = attemptOf(await update(scope, 'ADD #rounds :zero', { ':zero': 0 }));
      if (joined === undefined) throw new Error('the purge record went away while it was requested');
      return joined;
    },

    retry: (scope, now) => attemptAnew(scope, now),

    async begin(scope, now) {
      await update(scope, 'SET #state = :running, #startedAt = if_not_exists(#startedAt, :now)', {
        ':running': 'running',
        ':now': iso(now),
      });
    },

    async add(scope, { responses, dismissals, others }) {
      await update(scope, 'ADD #responses :responses, #dismissals :dismissals, #others :others', {
        ':responses': responses,
        ':dismissals': dismissals,
        ':others': others,
      });
    },

    async nextRound(scope) {
      const item = await update(scope, 'ADD #rounds :one', { ':one': 1 });
      return item?.rounds ?? 1;
    },

    async fail(scope, now) {
      await update(scope, 'SET #state = :failed, #finishedAt = :now', {
        ':failed': 'failed',
        ':now': iso(now),
      });
    },

    async finish(scope, now) {
      if (scope.surveyId === undefined) {
        const ofSurveys = (await read(scope.projectId)).filter(({ surveyId }) => surveyId !== undefined);
        await deleteItems(
          client,
          tableName,
          ofSurveys.map(({ pk, sk }) => ({ pk, sk })),
        );
      }
      await update(scope, 'SET #state = :done, #finishedAt = :now', { ':done': 'done', ':now': iso(now) });
    },

    list: async (projectId) => (await read(projectId)).map(recordOfItem),

    async unfinished() {
      const items = await queryAll(client, {
        TableName: tableName,
        KeyConditionExpression: '#pk = :pk',
        FilterExpression: '#state <> :done',
        ExpressionAttributeNames: { '#pk': TABLE.partitionKey, '#state': 'state' },
        ExpressionAttributeValues: { ':pk': PURGES_PARTITION, ':done': 'done' },
        ConsistentRead: true,
      });
      return items.map(recordOfItem);
    },
  };
}
