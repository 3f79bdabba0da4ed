/** What stays of a deleted answer while its token could still be presented: nothing personal. */

import { DAY, SECOND } from '../../domain/duration.ts';
import type { Row } from '../table/row.ts';
import { TABLE } from '../table/schema.ts';

const KEPT_AFTER_EXPIRY_MS = DAY;

const { partitionKey, sortKey } = TABLE.indexes.byProject;

const KEPT = [
  'pk',
  'sk',
  partitionKey,
  sortKey,
  'kind',
  'id',
  'tokenId',
  'projectId',
  'surveyId',
  'at',
  'writeId',
  'tokenExpiresAt',
];

/** The tombstone of an answer's row: same key and index entry, so that reuse is refused and purges find it. */
export function tombstoneItem(answer: Row, tokenExpiresAt: number): Row {
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, answer[name]])),
    type: 'tombstone',
    [TABLE.timeToLive]: Math.ceil((tokenExpiresAt + KEPT_AFTER_EXPIRY_MS) / SECOND),
  };
}
