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

export const tombstoneEnd = (tokenExpiresAt: number): number => tokenExpiresAt + KEPT_AFTER_EXPIRY_MS;

/** Keeps the token used, and lets purges find the row. Holds no personal data. */
export function tombstoneItem(answer: Row, end: number): Row {
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, answer[name]])),
    type: 'tombstone',
    [TABLE.timeToLive]: Math.ceil(end / SECOND),
  };
}
