/** Hashes by which a respondent is found without being named (docs/contract.md §11.1). */

import { keyedHash } from './derive.ts';

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
