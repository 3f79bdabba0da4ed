/** Storing answers of another survey platform. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { importedRespondentId, respondentHash } from '../crypto/identity-hash.ts';
import { importTokenId } from '../crypto/import-token-id.ts';
import { responseId } from '../crypto/response-id.ts';
import type { Response } from '../domain/answer.ts';
import { retainedMoments } from '../domain/erasure.ts';
import type { ImportedRow } from '../domain/import-row.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../domain/project.ts';
import { answerItem } from './answer-item.ts';
import type { TableSettings } from './answers.ts';
import { NEVER_ERASED, suppressionUpdate } from './suppression-item.ts';
import { suppressionKey } from './table-schema.ts';

/** What became of a line: stored, there already, or of a person who was erased. */
export type ImportOutcome = 'imported' | 'known' | 'erased';

interface ImportTarget {
  readonly projectId: string;
  readonly surveyId: string;
  /** Of the project and its surveys. */
  readonly longestQuietPeriodMs: number;
}

export interface Imports {
  /**
   * Stores an answer unless it is there already or its respondent was erased, in one transaction.
   * @param now milliseconds since the epoch; the moment of a line that says none
   */
  store(target: ImportTarget, row: ImportedRow, now: number): Promise<ImportOutcome>;
}

/** Lines of one person may be written at the same moment; a conflict lasts as long as one round trip. */
const ATTEMPTS = 10;

export function createImports(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  hashSecret: Uint8Array,
): Imports {
  function responseOf({ projectId, surveyId }: ImportTarget, row: ImportedRow, now: number) {
    const respondentId = row.respondentId ?? importedRespondentId(hashSecret, projectId, row.email ?? '');
    const tokenId = importTokenId(hashSecret, { projectId, surveyId, respondentId }, row);
    const hash = respondentHash(hashSecret, projectId, respondentId);
    const response: Response = {
      kind: 'response',
      id: responseId(hashSecret, projectId, { tokenId, respondentHash: hash }),
      tokenId,
      projectId,
      surveyId,
      respondentId,
      at: new Date(row.at ?? now).toISOString(),
      writeId: 'import',
      // There never was a token: nothing has to stay used when the answer is deleted.
      tokenExpiresAt: 0,
      source: 'import',
      rating: row.rating,
      ...(row.text !== undefined && { text: row.text }),
      attested: {},
      claimed: {},
    };
    return { response, hash };
  }

  /**
   * The respondent must never have been erased. What is as old as folded answers would not be read as a row, so it adds
   * itself to the retained suppression (docs/decisions/0040-folded-histories.md).
   */
  function respondentOf(
    { projectId, longestQuietPeriodMs }: ImportTarget,
    row: ImportedRow,
    { surveyId, tokenId, at }: Response,
    hash: string,
    now: number,
  ) {
    const condition = { TableName: tableName, ConditionExpression: NEVER_ERASED };
    if ((row.at ?? 0) >= now - TOKEN_LIFETIME_RANGE_MS.max) {
      return { ConditionCheck: { ...condition, Key: suppressionKey(projectId, hash) } };
    }
    const moments = retainedMoments([{ at: Date.parse(at), tokenId }], longestQuietPeriodMs, now);
    const place = { projectId, respondentHash: hash, shards };
    return { Update: { ...suppressionUpdate(place, { surveyIds: [surveyId], moments }), ...condition } };
  }

  return {
    async store(target, row, now) {
      const { response, hash } = responseOf(target, row, now);
      const transaction = new TransactWriteCommand({
        TransactItems: [
          respondentOf(target, row, response, hash, now),
          {
            Put: {
              TableName: tableName,
              Item: answerItem(response, hash, shards),
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      });
      for (let attempt = 1; ; attempt += 1) {
        try {
          await client.send(transaction);
          return 'imported';
        } catch (error) {
          if (!(error instanceof TransactionCanceledException)) throw error;
          const [erased, known] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
          if (erased === 'ConditionalCheckFailed') return 'erased';
          if (known === 'ConditionalCheckFailed') return 'known';
          if (attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}
