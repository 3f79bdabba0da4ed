/** Keyed hashes find respondents without naming them (docs/contract.md §11.1). */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const known = new WeakMap<Uint8Array, KeyObject>();

/** Node 24 spends about 8 µs per keyed operation on checking the type of given bytes. */
export function toKeyObject(secret: Uint8Array): KeyObject {
  let key = known.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret);
    known.set(secret, key);
  }
  return key;
}

export type Purpose =
  | 'access-key'
  | 'address'
  | 'respondent'
  | 'email'
  | 'response-id'
  | 'cursor'
  | 'import'
  | 'session'
  | 'observation'
  | 'started'
  | 'identity-secret'
  | 'ensured-project'
  | 'ensured-key'
  | 'console-person'
  | 'preview';

/** Purpose and scope contain no NUL, so triples are unique. */
export function keyedHash(
  secret: Uint8Array,
  purpose: Purpose,
  scope: string,
  value: string | Uint8Array,
): Buffer {
  return createHmac('sha256', toKeyObject(secret)).update(`${purpose}\0${scope}\0`).update(value).digest();
}

/** 128 bits, lower-case hex. */
export function respondentHash(secret: Uint8Array, projectId: string, respondentId: string): string {
  return keyedHash(secret, 'respondent', projectId, respondentId).toString('hex', 0, 16);
}

/** The ids of one person in two projects are unrelated. */
export function importedRespondentId(secret: Uint8Array, projectId: string, email: string): string {
  return `imp_${keyedHash(secret, 'email', projectId, email.trim().toLowerCase()).toString('hex')}`;
}

export function addressHash(secret: Uint8Array, projectId: string, network: string): string {
  return keyedHash(secret, 'address', projectId, network).toString('hex', 0, 16);
}

/** See docs/contract.md §11.2. */
export function personIds(
  secret: Uint8Array,
  projectId: string,
  {
    respondentId,
    email,
  }: { readonly respondentId?: string | undefined; readonly email?: string | undefined },
): readonly string[] | undefined {
  const ids = new Set<string>();
  if (respondentId !== undefined) ids.add(respondentId);
  if (email !== undefined) ids.add(importedRespondentId(secret, projectId, email));
  return ids.size === 0 ? undefined : [...ids];
}
