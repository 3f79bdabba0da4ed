/** What stays of a deleted answer for some time: nothing personal. */

import { DAY, SECOND } from '../../domain/duration.ts';
import type { Row } from '../table/row.ts';
import { TABLE } from '../table/schema.ts';

/** So long after its last token expired an answer's tombstone stays. */
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

/** Until when the tombstone of an answer stays, by when its token expires; milliseconds. */
export const tombstoneEnd = (tokenExpiresAt: number): number => tokenExpiresAt + KEPT_AFTER_EXPIRY_MS;

/**
 * The tombstone of an answer's row: same key and index entry, so that reuse is refused and purges find it.
 * @param end until when it stays, milliseconds since the epoch
 */
export function tombstoneItem(answer: Row, end: number): Row {
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, answer[name]])),
    type: 'tombstone',
    [TABLE.timeToLive]: Math.ceil(end / SECOND),
  };
}
