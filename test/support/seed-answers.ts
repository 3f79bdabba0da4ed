import { randomBytes } from 'node:crypto';
import { putItems } from '../../bench/growth/put-items.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { responseId } from '../../shared/crypto/response-id.ts';
import { composeTokenId } from '../../shared/crypto/token-id.ts';
import { answerItem } from '../../shared/data/answers/answer-item.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import type { Answer, Response } from '../../shared/domain/answer.ts';
import { SECOND } from '../../shared/domain/duration.ts';
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
}

/** An answer as the handlers would store it, stored past them: for volume. */
function seededAnswer(options: SeedOptions, index: number): { answer: Answer; hash: string } {
  const { projectId, surveyIds, respondentOf = (n) => `person-${n}`, responseOf = () => ({}) } = options;
  const { momentOf = (n) => START + n } = options;
  const moment = momentOf(index);
  const respondentId = respondentOf(index);
  const hash = respondentHash(TEST_HASH_SECRET, projectId, respondentId);
  const tokenId = composeTokenId(moment, randomBytes(10));
  const base = {
    id: responseId(TEST_HASH_SECRET, projectId, { tokenId, respondentHash: hash }),
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
  { endpoint, tableName }: TestTable,
  options: SeedOptions,
): Promise<string[]> {
  const client = createDocumentClient({ endpoint, requestTimeoutMs: 60 * SECOND });
  const seeded = Array.from({ length: options.count }, (_, index) => seededAnswer(options, index));
  const items = seeded.map(({ answer, hash }) => answerItem(answer, hash, TEST_SHARDS));
  await putItems(client, tableName, items);
  return seeded.map(({ answer }) => answer.id);
}
