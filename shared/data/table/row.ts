import type { AttributeValue } from 'aws-lambda';
import * as z from 'zod/mini';
import { DAY, SECOND } from '../../domain/duration.ts';
import { type Key, TABLE } from './schema.ts';

export type Row = Readonly<Record<string, unknown>>;

export const keyOf = ({ pk, sk }: Row): Key => ({ pk: String(pk), sk: String(sk) });

/** @throws Error whose message names attributes but quotes no values */
export function readRow<Schema extends z.ZodMiniType>(schema: () => Schema, row: Row): z.output<Schema> {
  const read = z.safeParse(schema(), row);
  if (read.success) return read.data;
  const attributes = read.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new Error(`a row of type ${String(row.type)} is malformed: ${attributes}`);
}

function readValue({ S, N, BOOL, NULL, M, L, SS, NS }: AttributeValue): unknown {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  if (M !== undefined) return readImage(M);
  if (L !== undefined) return L.map(readValue);
  if (SS !== undefined) return new Set(SS);
  return NS === undefined ? undefined : new Set(NS.map(Number));
}

/** Omits binary values, which no answer has. */
export function readImage(image: Readonly<Record<string, AttributeValue>>): Row {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, readValue(value)]));
}

export const probeAttributes = (expiresAt: number): Row => ({
  probe: true,
  [TABLE.timeToLive]: Math.ceil(expiresAt / SECOND),
});

export const isAnswerRow = (row: Row | undefined): row is Row =>
  row?.type === 'response' || row?.type === 'dismissal';

export const isOfProbe = (row: Row | undefined): boolean => row?.probe === true;

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

/** Marks the token as used and lets purges find the row. It contains no personal data. */
export function tombstoneItem(answer: Row, end: number): Row {
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, answer[name]])),
    type: 'tombstone',
    [TABLE.timeToLive]: Math.ceil(end / SECOND),
  };
}
