/** Answers of respondents: redeeming a token is one conditional write, a respondent's history one query. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Answer } from '../../domain/answer.ts';
import { SECOND } from '../../domain/duration.ts';
import type { History } from '../../domain/eligibility.ts';
import { type TimeLimits, withDeadline } from '../table/deadline.ts';
import { putItem } from '../table/prepared-calls.ts';
import { queryAll } from '../table/query-all.ts';
import { answerKey, type Key, TABLE } from '../table/schema.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { answerItem } from './answer-item.ts';
import { readHistory } from './read-history.ts';

/** What used a token up. */
export interface TokenUse {
  readonly id: string;
  readonly at: string;
  readonly kind: 'response' | 'dismissal';
}

export type RedeemOutcome = { readonly stored: true } | { readonly stored: false; readonly usedBy: TokenUse };

export interface AnswerStore {
  /**
   * Stores the answer and uses its token up, in one conditional `PutItem`.
   * A failed condition whose old item carries this answer's write id is our own retried write, hence stored. A write
   * that got no answer at all is looked up: it may have happened.
   * @throws when the table does not answer; then, as far as can be known, nothing is stored
   */
  redeem(answer: Answer, respondentHash: string): Promise<RedeemOutcome>;
  /** What a respondent has answered or waved away: one strongly consistent query, two when much of it is not folded. */
  history(projectId: string, respondentHash: string): Promise<History>;
}

export interface TableSettings {
  readonly tableName: string;
  readonly shards: number;
}

/** How long finding out about an unclear write may take, beyond the request's deadline, milliseconds. */
const LOOK_UP_MS = 2 * SECOND;

interface Row {
  readonly writeId?: unknown;
  readonly id?: unknown;
  readonly at?: unknown;
  readonly kind?: unknown;
}

/** What a row that is there means for the answer that was to be stored. */
function outcomeOf(row: Row, answer: Answer): RedeemOutcome {
  if (row.writeId === answer.writeId) return { stored: true };
  const kind = row.kind === 'dismissal' ? 'dismissal' : 'response';
  return { stored: false, usedBy: { id: String(row.id), at: String(row.at), kind } };
}

export function createAnswerStore(
  client: DynamoDBDocumentClient,
  { tableName, shards, lookUpDeadlineMs = LOOK_UP_MS }: TableSettings & Pick<TimeLimits, 'lookUpDeadlineMs'>,
): AnswerStore {
  async function find(key: Key): Promise<Row | undefined> {
    const [row] = await queryAll(client, {
      TableName: tableName,
      KeyConditionExpression: '#pk = :pk AND #sk = :sk',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey, '#sk': TABLE.sortKey },
      ExpressionAttributeValues: { ':pk': key.pk, ':sk': key.sk },
      ConsistentRead: true,
    });
    return row;
  }

  return {
    async redeem(answer, respondentHash) {
      try {
        await putItem(client, answerItem(answer, respondentHash, shards), {
          TableName: tableName,
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        return { stored: true };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const { writeId, id, at, kind } = error.Item ?? {};
          return outcomeOf({ writeId: writeId?.S, id: id?.S, at: at?.S, kind: kind?.S }, answer);
        }
        if (!isUnavailable(error)) throw error;
        const key = answerKey(answer.projectId, respondentHash, answer.tokenId);
        const row = await withDeadline(lookUpDeadlineMs, () => find(key)).catch(() => undefined);
        if (row === undefined) throw error;
        return outcomeOf(row, answer);
      }
    },

    history: (projectId, respondentHash) => readHistory(client, tableName, projectId, respondentHash),
  };
}
