/** Answers of respondents: redeeming a token is one conditional write, a respondent's history one query. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Answer } from '../domain/answer.ts';
import type { History } from '../domain/eligibility.ts';
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
   * A failed condition whose old item carries this answer's write id is our own retried write, hence stored.
   */
  redeem(answer: Answer, respondentHash: string): Promise<RedeemOutcome>;
  /** What a respondent has answered or waved away: one strongly consistent query, two when much of it is not folded. */
  history(projectId: string, respondentHash: string): Promise<History>;
}

export interface TableSettings {
  readonly tableName: string;
  readonly shards: number;
}

export function createAnswerStore(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
): AnswerStore {
  return {
    async redeem(answer, respondentHash) {
      const put = new PutCommand({
        TableName: tableName,
        Item: answerItem(answer, respondentHash, shards),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await client.send(put);
        return { stored: true };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const { writeId, id, at, kind } = error.Item ?? {};
        if (writeId?.S === answer.writeId) return { stored: true };
        return {
          stored: false,
          usedBy: {
            id: id?.S ?? '',
            at: at?.S ?? '',
            kind: kind?.S === 'dismissal' ? 'dismissal' : 'response',
          },
        };
      }
    },

    history: (projectId, respondentHash) => readHistory(client, tableName, projectId, respondentHash),
  };
}
