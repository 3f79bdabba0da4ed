/**
 * Every erasure, as keyed hash, scope and time: what has to be repeated after a point-in-time restore brought erased
 * data back. No personal data; it outlives the project.
 */

import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { EraseMode } from '../../domain/erasure.ts';
import { monthOf } from '../../domain/project.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import type { Item } from '../table/item.ts';
import { queryAll } from '../table/query-all.ts';
import { ERASURE_LOG } from '../table/schema.ts';

/** What was erased: a respondent by keyed hash, a survey by id, or the whole project. */
export type ErasedScope =
  | { readonly mode: 'respondent'; readonly projectId: string; readonly respondentHash: string }
  | { readonly mode: 'survey'; readonly projectId: string; readonly surveyId: string }
  | { readonly mode: 'account'; readonly projectId: string };

export interface LoggedErasure {
  readonly scope: ErasedScope;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface ErasureLog {
  /** @param now milliseconds since the epoch */
  record(scope: ErasedScope, now: number): Promise<void>;
  /** Everything erased from `since` to `now`, oldest first; milliseconds since the epoch. */
  since(since: number, now: number): AsyncIterable<LoggedErasure>;
}

/** A purge as the log tells it. */
export const erasedScope = ({ projectId, surveyId }: PurgeScope): ErasedScope =>
  surveyId === undefined ? { mode: 'account', projectId } : { mode: 'survey', projectId, surveyId };

const targetOf = (scope: ErasedScope): string =>
  scope.mode === 'respondent' ? scope.respondentHash : scope.mode === 'survey' ? scope.surveyId : '';

function scopeOfItem(item: Item): ErasedScope {
  const mode: EraseMode = item.mode;
  const { projectId } = item;
  if (mode === 'respondent') return { mode, projectId, respondentHash: item.respondentHash };
  return mode === 'survey' ? { mode, projectId, surveyId: item.surveyId } : { mode, projectId };
}

/** Every UTC month from one moment to another, both included. */
function* monthsBetween(since: number, now: number): Generator<string> {
  const last = monthOf(now);
  const month = new Date(`${monthOf(since)}-01T00:00:00.000Z`);
  for (; monthOf(month.getTime()) <= last; month.setUTCMonth(month.getUTCMonth() + 1)) {
    yield monthOf(month.getTime());
  }
}

export function createErasureLog(client: DynamoDBDocumentClient, tableName: string): ErasureLog {
  return {
    async record(scope, now) {
      const at = new Date(now).toISOString();
      const order = [at, scope.projectId, scope.mode, targetOf(scope)].join('#');
      const item = { [ERASURE_LOG.partitionKey]: monthOf(now), [ERASURE_LOG.sortKey]: order, at, ...scope };
      await client.send(new PutCommand({ TableName: tableName, Item: item }));
    },

    async *since(since, now) {
      for (const month of monthsBetween(since, now)) {
        const items = await queryAll(client, {
          TableName: tableName,
          KeyConditionExpression: '#month = :month AND #order >= :since',
          ExpressionAttributeNames: { '#month': ERASURE_LOG.partitionKey, '#order': ERASURE_LOG.sortKey },
          ExpressionAttributeValues: { ':month': month, ':since': new Date(since).toISOString() },
          ConsistentRead: true,
        });
        for (const item of items) yield { scope: scopeOfItem(item), at: item.at };
      }
    },
  };
}
