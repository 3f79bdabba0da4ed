/** How an answer lies in the table. */

import type { Answer, Dismissal, Response } from '../../domain/answer.ts';
import { isOpen } from '../../domain/scoring.ts';
import type { Item } from '../table/item.ts';
import { answerKey, projectShardEntry, scoreShardEntry, shardOf } from '../table/schema.ts';

function responseAttributes(response: Response, shard: number): Item {
  const { score, traits } = response;
  return {
    source: response.source,
    rating: response.rating,
    text: response.text,
    followUpRequested: response.followUpRequested,
    // JSON text, since DynamoDB's numbers are narrower than JSON's and a key may be empty.
    traits: traits === undefined ? undefined : JSON.stringify(traits),
    identityKind: response.identityKind,
    taskType: response.taskType,
    attested: response.attested,
    claimed: response.claimed,
    ...(score !== undefined && {
      scoreState: score.state,
      attempts: score.attempts,
      lastError: score.lastError,
      ...(isOpen(score.state) && scoreShardEntry(response.projectId, score.state, shard, response)),
    }),
  };
}

export function answerItem(answer: Answer, respondentHash: string, shards: number): Item {
  const shard = shardOf(answer.tokenId, shards);
  return {
    ...answerKey(answer.projectId, respondentHash, answer.tokenId),
    ...projectShardEntry(answer.projectId, shard, answer),
    type: answer.kind,
    kind: answer.kind,
    id: answer.id,
    tokenId: answer.tokenId,
    projectId: answer.projectId,
    surveyId: answer.surveyId,
    respondentId: answer.respondentId,
    at: answer.at,
    writeId: answer.writeId,
    tokenExpiresAt: answer.tokenExpiresAt,
    fold: answer.fold,
    ...(answer.kind === 'response' && responseAttributes(answer, shard)),
  };
}

/** The response an item holds; for items of type `response` only. */
export function responseOfItem(item: Item): Response {
  return {
    kind: 'response',
    id: item.id,
    tokenId: item.tokenId,
    projectId: item.projectId,
    surveyId: item.surveyId,
    respondentId: item.respondentId,
    at: item.at,
    writeId: item.writeId,
    tokenExpiresAt: item.tokenExpiresAt,
    source: item.source,
    rating: item.rating,
    attested: item.attested,
    claimed: item.claimed,
    ...(item.text !== undefined && { text: item.text }),
    ...(item.followUpRequested !== undefined && { followUpRequested: item.followUpRequested }),
    ...(item.traits !== undefined && { traits: JSON.parse(item.traits) }),
    ...(item.identityKind !== undefined && { identityKind: item.identityKind }),
    ...(item.taskType !== undefined && { taskType: item.taskType }),
    ...(item.scoreState !== undefined && {
      score: {
        state: item.scoreState,
        attempts: item.attempts,
        ...(item.lastError !== undefined && { lastError: item.lastError }),
      },
    }),
  };
}

function dismissalOfItem(item: Item): Dismissal {
  return {
    kind: 'dismissal',
    id: item.id,
    tokenId: item.tokenId,
    projectId: item.projectId,
    surveyId: item.surveyId,
    respondentId: item.respondentId,
    at: item.at,
    writeId: item.writeId,
    tokenExpiresAt: item.tokenExpiresAt,
  };
}

/** The answer an item holds; undefined for tombstones, retained suppression and whatever else is none. */
export function answerOfItem(item: Item): Answer | undefined {
  if (item.type === 'response') return responseOfItem(item);
  return item.type === 'dismissal' ? dismissalOfItem(item) : undefined;
}
