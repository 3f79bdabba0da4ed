/**
 * A token id has 48 bits of time in milliseconds and 80 bits that are random, or a keyed hash if the same observation
 * or import line must give the same id. Ids sort by time as text.
 */

import type { SessionIds } from '../domain/answers/answer.ts';
import { MOST_STARTED } from '../domain/answers/history.ts';
import type { ImportedRow } from '../domain/import/import-row.ts';
import { keyedHash } from './derive.ts';

export const TOKEN_ID_RANDOM_BYTES = 10;
const TIME_BYTES = 6;

/**
 * The time in ids of observations, imports and answers that the person starts. It sorts before every issued token, so
 * readers of histories skip these answers. The row itself shows that such an answer exists, and an import folds its own
 * answers (decision 40).
 */
const BEFORE_ALL_OTHERS = 0;

export function composeTokenId(now: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(TIME_BYTES + random.length);
  bytes.writeUIntBE(now, 0, TIME_BYTES);
  bytes.set(random, TIME_BYTES);
  return bytes.toString('hex');
}

const TOKEN_ID_BYTES = 16;
const RESPONDENT_HASH_BYTES = 16;

export interface ResponseLocation {
  readonly tokenId: string;
  readonly respondentHash: string;
}

function mask(secret: Uint8Array, projectId: string, tokenId: Buffer, bytes: Buffer): Buffer {
  const pad = keyedHash(secret, 'response-id', projectId, tokenId);
  const masked = Buffer.alloc(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    masked[index] = bytes.readUInt8(index) ^ pad.readUInt8(index);
  }
  return masked;
}

/**
 * The token id, then the respondent hash masked with a pad keyed by it: it locates a row without a look-up, and two ids
 * of one person share nothing.
 * @returns 43 URL-safe characters
 */
export function responseId(secret: Uint8Array, projectId: string, location: ResponseLocation): string {
  const tokenId = Buffer.from(location.tokenId, 'hex');
  const hash = Buffer.from(location.respondentHash, 'hex');
  return Buffer.concat([tokenId, mask(secret, projectId, tokenId, hash)]).toString('base64url');
}

export function locateResponse(
  secret: Uint8Array,
  projectId: string,
  id: string,
): ResponseLocation | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== TOKEN_ID_BYTES + RESPONDENT_HASH_BYTES || bytes.toString('base64url') !== id)
    return undefined;
  const tokenId = bytes.subarray(0, TOKEN_ID_BYTES);
  const hash = mask(secret, projectId, tokenId, bytes.subarray(TOKEN_ID_BYTES));
  return { tokenId: tokenId.toString('hex'), respondentHash: hash.toString('hex') };
}

const MARK_BYTES = 8;

interface AskedOf {
  readonly projectId: string;
  readonly surveyId: string;
}

/** 64 bits, lower-case hex. */
export function sessionMark(secret: Uint8Array, { projectId, surveyId }: AskedOf, sessionId: string): string {
  const value = JSON.stringify([surveyId, sessionId]);
  return keyedHash(secret, 'session', projectId, value).toString('hex', 0, MARK_BYTES);
}

/** All tokens of one observation share this id. Each is sealed with a different key (show-token-seal.ts). */
export function observationTokenId(
  secret: Uint8Array,
  { projectId, surveyId, respondentId }: AskedOf & { readonly respondentId: string },
  { traceId, observationId }: SessionIds,
): string {
  const value = JSON.stringify([surveyId, respondentId, traceId ?? null, observationId]);
  const hash = keyedHash(secret, 'observation', projectId, value);
  return composeTokenId(BEFORE_ALL_OTHERS, hash.subarray(0, TOKEN_ID_RANDOM_BYTES));
}

const NUMBER_AT = 5;

/**
 * The only ids that answers of one person to a survey that people open can have on a day, in order. They differ in one
 * byte, which is not part of the index shard.
 * @param day UTC, as in `2026-12-01`
 */
export function startedTokenIds(
  secret: Uint8Array,
  { projectId, surveyId, respondentId }: AskedOf & { readonly respondentId: string },
  day: string,
): string[] {
  const hash = keyedHash(secret, 'started', projectId, JSON.stringify([surveyId, respondentId, day]));
  return Array.from({ length: MOST_STARTED }, (_, number) => {
    const bytes = Buffer.from(hash.subarray(0, TOKEN_ID_RANDOM_BYTES));
    bytes[NUMBER_AT] = number;
    return composeTokenId(BEFORE_ALL_OTHERS, bytes);
  });
}

interface ImportedTo {
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
}

/** If the line has no id, its whole content identifies the answer. */
export function importTokenId(
  secret: Uint8Array,
  { projectId, surveyId, respondentId }: ImportedTo,
  { id, at, rating, text }: ImportedRow,
): string {
  const identity = id === undefined ? ['row', at ?? null, rating, text ?? null] : ['id', id];
  const value = JSON.stringify([surveyId, respondentId, ...identity]);
  const hash = keyedHash(secret, 'import', projectId, value);
  return composeTokenId(BEFORE_ALL_OTHERS, hash.subarray(0, TOKEN_ID_RANDOM_BYTES));
}
