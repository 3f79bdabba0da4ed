import { DAY, SECOND } from '../../domain/duration.ts';
import type { Row } from '../table/row.ts';
import { TABLE } from '../table/schema.ts';

/** How long a tombstone stays after the answer's last token expired. */
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

/** Until when an answer's tombstone stays, in milliseconds. */
export const tombstoneEnd = (tokenExpiresAt: number): number => tokenExpiresAt + KEPT_AFTER_EXPIRY_MS;

/**
 * The tombstone has the answer's key and index entry but no personal data. It keeps the token used, and purges find it.
 * @param end until when it stays, milliseconds since the epoch
 */
export function tombstoneItem(answer: Row, end: number): Row {
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, answer[name]])),
    type: 'tombstone',
    [TABLE.timeToLive]: Math.ceil(end / SECOND),
  };
}
