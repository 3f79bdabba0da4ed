/** Answers in volume, stored past the handlers as the handlers would store them. */

import { randomBytes } from 'node:crypto';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { responseId } from '../../shared/crypto/response-id.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from '../../shared/crypto/token-id.ts';
import { answerItem } from '../../shared/data/answers/answer-item.ts';
import type { Response } from '../../shared/domain/answer.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { HASH_SECRET, type Stage } from '../stage.ts';
import { TEXT } from '../warm/floor.ts';
import { putItems } from './put-items.ts';

export interface SeedPlan {
  readonly projectId: string;
  readonly surveyIds: readonly string[];
  readonly count: number;
  readonly respondentOf: (index: number) => string;
  /** Milliseconds since the epoch. */
  readonly momentOf: (index: number) => number;
  readonly linked: boolean;
}

export async function seedAnswers({ client, environment }: Stage, plan: SeedPlan): Promise<void> {
  const { projectId, surveyIds, count, respondentOf, momentOf, linked } = plan;
  const { tableName, shards } = environment;
  const itemOf = (index: number) => {
    const respondentId = respondentOf(index);
    const hash = respondentHash(HASH_SECRET, projectId, respondentId);
    const moment = momentOf(index);
    const tokenId = composeTokenId(moment, randomBytes(TOKEN_ID_RANDOM_BYTES));
    const response: Response = {
      kind: 'response',
      id: responseId(HASH_SECRET, projectId, { tokenId, respondentHash: hash }),
      tokenId,
      projectId,
      surveyId: surveyIds[index % surveyIds.length] ?? '',
      respondentId,
      at: new Date(moment).toISOString(),
      writeId: tokenId,
      tokenExpiresAt: moment + DAY,
      source: 'sdk',
      rating: index % 11,
      text: TEXT,
      attested: linked ? { sessionId: `session-${index}` } : {},
      claimed: {},
      ...(linked && { score: { state: 'pending', attempts: 0 } }),
    };
    return answerItem(response, hash, shards);
  };
  await putItems(
    client,
    tableName,
    Array.from({ length: count }, (_, index) => itemOf(index)),
  );
}
