/**
 * The bytes inside a sealed show-token. Read only after authentication, so every length in it is our own.
 *
 *   expiry, milliseconds 6 | flags 1 | more flags 1 | one 16-byte hash per session value | survey id | task type |
 *   respondent id
 *
 * More flags follow where a flag says so. A link has the session values in place of their hashes, each with its length in
 * two bytes. Survey id and task type carry their length in a byte; the respondent id takes the rest.
 */

import type { ShowTokenClaims } from '../domain/show-token.ts';

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
const MORE = { modelRequested: 1, carriesSession: 2 } as const;
/** By the name of the flag that says that it is there. */
const SESSION_ID = { session: 'sessionId', observation: 'observationId', trace: 'traceId' } as const;
const SESSION_VALUES = ['session', 'observation', 'trace'] as const;

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function longSized(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
}

/** The session values themselves, or their hashes: those that are there, by name. */
function encodeSession({ binding = {}, session }: Claims): Map<(typeof SESSION_VALUES)[number], Buffer> {
  const values = SESSION_VALUES.map((name) => {
    const value = session === undefined ? binding[name] : session[SESSION_ID[name]];
    if (value === undefined) return undefined;
    return [name, session === undefined ? Buffer.from(value, 'hex') : longSized(value)] as const;
  });
  return new Map(values.filter((value) => value !== undefined));
}

export function encodeClaims(claims: Claims): Buffer {
  const { expiresAt, binding, session, surveyId, taskType, respondentId, fold, verified, modelRequested } =
    claims;
  const more =
    (modelRequested === true ? MORE.modelRequested : 0) | (session === undefined ? 0 : MORE.carriesSession);
  const values = encodeSession(claims);
  const head = Buffer.alloc(7);
  head.writeUIntBE(expiresAt, 0, 6);
  const flags = [...values.keys()].reduce<number>(
    (sum, name) => sum | FLAG[name],
    binding === undefined ? 0 : FLAG.bound,
  );
  const switches =
    (taskType === undefined ? 0 : FLAG.taskType) |
    (fold === true ? FLAG.fold : 0) |
    (verified === true ? FLAG.verified : 0) |
    (more === 0 ? 0 : FLAG.more);
  head.writeUInt8(flags | switches, 6);
  return Buffer.concat([
    head,
    ...(more === 0 ? [] : [Buffer.of(more)]),
    ...values.values(),
    sized(surveyId),
    ...(taskType === undefined ? [] : [sized(taskType)]),
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
  return {
    expiresAt,
    surveyId,
    respondentId: bytes.toString('utf8', offset),
    ...(taskType !== undefined && { taskType }),
    ...(has(FLAG.bound) && { binding }),
    ...(carriesSession && { session }),
    ...(has(FLAG.fold) && { fold: true }),
    ...(has(FLAG.verified) && { verified: true }),
    ...((more & MORE.modelRequested) !== 0 && { modelRequested: true }),
  };
}
