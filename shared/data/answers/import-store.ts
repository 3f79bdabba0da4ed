/** Storing answers of another survey platform. */

import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { importedRespondentId, respondentHash } from '../../crypto/identity-hash.ts';
import { importTokenId } from '../../crypto/import-token-id.ts';
import { responseId } from '../../crypto/response-id.ts';
import type { Response } from '../../domain/answer.ts';
import type { ImportedRow } from '../../domain/import-row.ts';
import { suppressionKey } from '../table/schema.ts';
import { answerItem } from './answer-item.ts';
import type { TableSettings } from './answer-store.ts';

/** What became of a line: stored, there already, or of a person who was erased. */
export type ImportOutcome = 'imported' | 'known' | 'erased';

interface ImportTarget {
  readonly projectId: string;
  readonly surveyId: string;
}

export interface Imports {
  /**
   * Stores an answer unless it is there already or its respondent was erased, under either id of the line, in one
   * transaction.
   * @param now milliseconds since the epoch; the moment of a line that says none
   */
  store(target: ImportTarget, row: ImportedRow, now: number): Promise<ImportOutcome>;
}

/** Lines of one person may be written at the same moment; a conflict lasts as long as one round trip. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

export function createImports(
  client: DynamoDBDocumentClient,
  { tableName, shards }: TableSettings,
  hashSecret: Uint8Array,
): Imports {
  function responseOf({ projectId, surveyId }: ImportTarget, row: ImportedRow, now: number) {
    const byEmail = row.email === undefined ? [] : [importedRespondentId(hashSecret, projectId, row.email)];
    const [respondentId = '', ...otherIds] = new Set([row.respondentId ?? [], byEmail].flat());
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
    const otherHashes = otherIds.map((id) => respondentHash(hashSecret, projectId, id));
    return { response, hash, otherHashes };
  }

  return {
    async store(target, row, now) {
      const { response, hash, otherHashes } = responseOf(target, row, now);
      const isAbsent = 'attribute_not_exists(pk)';
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: tableName,
              Item: answerItem(response, hash, shards),
              ConditionExpression: isAbsent,
            },
          },
          ...[hash, ...otherHashes].map((person) => ({
            ConditionCheck: {
              TableName: tableName,
              Key: suppressionKey(target.projectId, person),
              // The item is there without it where a long history was folded.
              ConditionExpression: 'attribute_not_exists(erasedAt)',
            },
          })),
        ],
      });
      for (let attempt = 1; ; attempt += 1) {
        try {
          await client.send(transaction);
          return 'imported';
        } catch (error) {
          if (!(error instanceof TransactionCanceledException)) throw error;
          const [known, ...erased] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
          if (erased.includes('ConditionalCheckFailed')) return 'erased';
          if (known === 'ConditionalCheckFailed') return 'known';
          if (attempt === ATTEMPTS) throw error;
          await pause(PAUSE_MS * attempt * Math.random());
        }
      }
    },
  };
}
