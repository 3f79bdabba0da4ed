/**
 * The bytes are authenticated before they are read, so every length can be trusted.
 *
 *   expiry, milliseconds 6 | flags 1 | more flags 1 | one 16-byte hash per session value | survey id | task type |
 *   labels | respondent id
 *
 * A flag announces more flags. A link has session values with two-byte lengths instead of hashes. Survey id, task type,
 * label names and values have one-byte lengths; a count precedes the labels. The respondent id takes the rest.
 */

import type { ShowTokenClaims } from '../domain/answers/show-token.ts';

type Claims = Omit<ShowTokenClaims, 'tokenId'>;

const HASH_BYTES = 16;
const FLAG = {
  bound: 1,
  session: 2,
  observation: 4,
  trace: 8,
  taskType: 16,
  fold: 32,
  verified: 64,
  more: 128,
} as const;
const MORE = { modelRequested: 1, carriesSession: 2, labels: 4 } as const;
/** The session value that each flag announces. */
const SESSION_ID = { session: 'sessionId', observation: 'observationId', trace: 'traceId' } as const;
const SESSION_VALUES = ['session', 'observation', 'trace'] as const;

function sized(text: string, lengthBytes: 1 | 2 = 1): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  return [lengthBytes === 1 ? Buffer.of(length) : Buffer.of(length >> 8, length & 255), bytes];
}

export function encodeClaims(claims: Claims): Buffer {
  const { expiresAt, binding, session, surveyId, taskType, respondentId, fold, verified, modelRequested } =
    claims;
  const labels = Object.entries(claims.labels ?? {});
  const more =
    (modelRequested === true ? MORE.modelRequested : 0) |
    (session === undefined ? 0 : MORE.carriesSession) |
    (labels.length === 0 ? 0 : MORE.labels);
  let flags =
    (binding === undefined ? 0 : FLAG.bound) |
    (taskType === undefined ? 0 : FLAG.taskType) |
    (fold === true ? FLAG.fold : 0) |
    (verified === true ? FLAG.verified : 0) |
    (more === 0 ? 0 : FLAG.more);
  const values: Buffer[] = [];
  for (const name of SESSION_VALUES) {
    const value = session === undefined ? binding?.[name] : session[SESSION_ID[name]];
    if (value === undefined) continue;
    flags |= FLAG[name];
    values.push(...(session === undefined ? [Buffer.from(value, 'hex')] : sized(value, 2)));
  }
  const head = Buffer.alloc(7);
  head.writeUIntBE(expiresAt, 0, 6);
  head.writeUInt8(flags, 6);
  return Buffer.concat([
    head,
    ...(more === 0 ? [] : [Buffer.of(more)]),
    ...values,
    ...sized(surveyId),
    ...(taskType === undefined ? [] : sized(taskType)),
    ...(labels.length === 0
      ? []
      : [Buffer.of(labels.length), ...labels.flat().flatMap((each) => sized(each))]),
    Buffer.from(respondentId),
  ]);
}

export function decodeClaims(bytes: Buffer): Claims {
  let offset = 0;
  const take = (length: number): Buffer => {
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  const takeSized = (): string => take(take(1).readUInt8()).toString();

  const expiresAt = take(6).readUIntBE(0, 6);
  const flags = take(1).readUInt8();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const more = has(FLAG.more) ? take(1).readUInt8() : 0;
  const carriesSession = (more & MORE.carriesSession) !== 0;
  const binding: Record<string, string> = {};
  const session: Record<string, string> = {};
  for (const name of SESSION_VALUES.filter((each) => has(FLAG[each]))) {
    if (carriesSession) session[SESSION_ID[name]] = take(take(2).readUInt16BE()).toString();
    else binding[name] = take(HASH_BYTES).toString('hex');
  }
  const surveyId = takeSized();
  const taskType = has(FLAG.taskType) ? takeSized() : undefined;
  const labels: Record<string, string> = {};
  const hasLabels = (more & MORE.labels) !== 0;
  for (let left = hasLabels ? take(1).readUInt8() : 0; left > 0; left--) {
    const name = takeSized();
    labels[name] = takeSized();
  }
  return {
    expiresAt,
    surveyId,
    respondentId: bytes.toString('utf8', offset),
    ...(taskType !== undefined && { taskType }),
    ...(hasLabels && { labels }),
    ...(has(FLAG.bound) && { binding }),
    ...(carriesSession && { session }),
    ...(has(FLAG.fold) && { fold: true }),
    ...(has(FLAG.verified) && { verified: true }),
    ...((more & MORE.modelRequested) !== 0 && { modelRequested: true }),
  };
}
