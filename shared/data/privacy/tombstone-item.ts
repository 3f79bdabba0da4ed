/** What stays of a deleted answer while its token could still be presented: nothing personal. */

import { DAY, SECOND } from '../../domain/duration.ts';
import type { Item } from '../table/item.ts';
import { TABLE } from '../table/schema.ts';

const KEPT_AFTER_EXPIRY_MS = DAY;

/** The tombstone of an answer's item: same key and index entry, so that reuse is refused and purges find it. */
export function tombstoneItem(answer: Item): Item {
  const { partitionKey, sortKey } = TABLE.indexes.byProject;
  return {
    pk: answer.pk,
    sk: answer.sk,
    [partitionKey]: answer[partitionKey],
    [sortKey]: answer[sortKey],
    type: 'tombstone',
    kind: answer.kind,
    id: answer.id,
    tokenId: answer.tokenId,
    projectId: answer.projectId,
    surveyId: answer.surveyId,
    at: answer.at,
    writeId: answer.writeId,
    tokenExpiresAt: answer.tokenExpiresAt,
    [TABLE.timeToLive]: Math.ceil((answer.tokenExpiresAt + KEPT_AFTER_EXPIRY_MS) / SECOND),
  };
}
