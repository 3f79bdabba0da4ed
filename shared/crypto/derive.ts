/**
 * Keyed hashes under the deployment's hash secret, every purpose with a label of its own; and those by which a
 * respondent is found without being named (docs/contract.md §11.1).
 */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const known = new WeakMap<Uint8Array, KeyObject>();

/**
 * The key object of a long-lived secret, made once. Given bytes instead, Node 24 spends some 8 µs on each keyed
 * operation finding out that they are no key object.
 */
export function toKeyObject(secret: Uint8Array): KeyObject {
  let key = known.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret);
    known.set(secret, key);
  }
  return key;
}

/** What a keyed hash is for; two purposes never share a value. */
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
  | 'identity-secret'
  | 'ensured-project'
  | 'ensured-key'
  | 'console-person'
  | 'preview';

/**
 * HMAC-SHA-256 over purpose, scope and value, separated by NUL. Purpose and scope never contain one, so no two
 * triples meet.
 * @returns 32 bytes
 */
export function keyedHash(
  secret: Uint8Array,
  purpose: Purpose,
  scope: string,
  value: string | Uint8Array,
): Buffer {
  return createHmac('sha256', toKeyObject(secret)).update(`${purpose}\0${scope}\0`).update(value).digest();
}

/** 128 bits, lower-case hex: names a respondent's partition of the table. */
export function respondentHash(secret: Uint8Array, projectId: string, respondentId: string): string {
  return keyedHash(secret, 'respondent', projectId, respondentId).toString('hex', 0, 16);
}

/** `imp_` and 64 hex digits: the id of a respondent known by e-mail only; unrelated between projects. */
export function importedRespondentId(secret: Uint8Array, projectId: string, email: string): string {
  return `imp_${keyedHash(secret, 'email', projectId, email.trim().toLowerCase()).toString('hex')}`;
}

/** 128 bits, lower-case hex: names the rate limit of a source address without keeping the address. */
export function addressHash(secret: Uint8Array, projectId: string, network: string): string {
  return keyedHash(secret, 'address', projectId, network).toString('hex', 0, 16);
}

/**
 * The ids of the person that a request names, by an id, an e-mail address or both: one person (docs/contract.md §11.2).
 * @returns undefined when it names none
 */
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
