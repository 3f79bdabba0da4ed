import { randomBytes } from 'node:crypto';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { responseId } from '../../shared/crypto/response-id.ts';
import { composeTokenId } from '../../shared/crypto/token-id.ts';
import { answerItem } from '../../shared/data/answers/answer-item.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import type { Row } from '../../shared/data/table/row.ts';
import type { Dismissal, Response } from '../../shared/domain/answers/answer.ts';
import { START } from './test-clock.ts';
import { TEST_HASH_SECRET } from './test-secrets.ts';
import type { TestTable } from './test-table.ts';

/** Shards of every test service. */
export const TEST_SHARDS = 4;

interface SeedOptions {
  readonly projectId: string;
  readonly surveyIds: readonly string[];
  readonly count: number;
  /** The respondent of the nth answer; by default everybody answers once. */
  readonly respondentOf?: (index: number) => string;
  /** When the nth answer was given, and its token issued, milliseconds; by default one each millisecond. */
  readonly momentOf?: (index: number) => number;
  /** What the nth answer says; undefined makes it a dismissal. */
  readonly responseOf?: (index: number) => Partial<Response> | undefined;
  /** By default those of a test service. */
  readonly shards?: number;
  readonly hashSecret?: Uint8Array;
}

/** DynamoDB's quota of a BatchWriteItem. */
const BATCH = 25;
const AT_ONCE = 8;

/** Puts items in volume, past the stores; what a batch leaves unprocessed is put again. */
async function putItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly Row[],
): Promise<void> {
  const left = [...items];
  async function putBatches(): Promise<void> {
    while (left.length > 0) {
      const requests = left.splice(-BATCH).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      const command = new BatchWriteCommand({ RequestItems: { [tableName]: requests } });
      const { UnprocessedItems } = await client.send(command);
      left.push(...(UnprocessedItems?.[tableName] ?? []).flatMap(({ PutRequest }) => PutRequest?.Item ?? []));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, putBatches));
}

/** An answer as the handlers would store it, stored past them: for volume. */
function seededAnswer(options: SeedOptions, index: number): { answer: Response | Dismissal; hash: string } {
  const { projectId, surveyIds, respondentOf = (n) => `person-${n}`, responseOf = () => ({}) } = options;
  const { momentOf = (n) => START + n, hashSecret = TEST_HASH_SECRET } = options;
  const moment = momentOf(index);
  const respondentId = respondentOf(index);
  const hash = respondentHash(hashSecret, projectId, respondentId);
  const tokenId = composeTokenId(moment, randomBytes(10));
  const base = {
    id: responseId(hashSecret, projectId, { tokenId, respondentHash: hash }),
    tokenId,
    projectId,
    surveyId: surveyIds[index % surveyIds.length] ?? '',
    respondentId,
    at: new Date(moment).toISOString(),
    writeId: tokenId,
    tokenExpiresAt: moment + 1_000,
  };
  const said = responseOf(index);
  if (said === undefined) return { answer: { ...base, kind: 'dismissal' }, hash };
  const response = { source: 'sdk' as const, rating: index % 11, attested: {}, claimed: {} };
  return { answer: { ...base, kind: 'response', ...response, ...said }, hash };
}

/** Stores many answers at once; returns their ids. */
export async function seedAnswers(
  { endpoint, tableName }: Pick<TestTable, 'endpoint' | 'tableName'>,
  options: SeedOptions,
): Promise<string[]> {
  const client = DynamoDBDocumentClient.from(
    createDynamodbClient({ endpoint, requestTimeoutMs: Number.POSITIVE_INFINITY }),
    {
      marshallOptions: { removeUndefinedValues: true },
    },
  );
  const seeded = Array.from({ length: options.count }, (_, index) => seededAnswer(options, index));
  const { shards = TEST_SHARDS } = options;
  const items = seeded.map(({ answer, hash }) => answerItem(answer, hash, shards));
  await putItems(client, tableName, items);
  return seeded.map(({ answer }) => answer.id);
}
