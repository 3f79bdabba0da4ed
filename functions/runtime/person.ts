/** Persons by the ids that a request names; hashing stays behind this door. */

import { importedRespondentId, respondentHash } from '../../shared/crypto/identity-hash.ts';
import type { Vault } from '../../shared/crypto/secret-cache.ts';

/** `respondentId` and `email` are one person (contract, decisions §7). */
export interface PersonQuery {
  readonly respondentId?: string;
  readonly email?: string;
}

export interface Person {
  readonly ids: readonly string[];
  /** One per id, in the same order. */
  readonly hashes: readonly string[];
}

/** The person a request names, or undefined when it names none. */
export type FindPerson = (projectId: string, query: PersonQuery) => Promise<Person | undefined>;

export function createPersonFinder(vault: Vault): FindPerson {
  return async (projectId, { respondentId, email }) => {
    if (respondentId === undefined && email === undefined) return undefined;
    const secret = await vault.hashSecret();
    const ids = new Set<string>();
    if (respondentId !== undefined) ids.add(respondentId);
    if (email !== undefined) ids.add(importedRespondentId(secret, projectId, email));
    return { ids: [...ids], hashes: [...ids].map((id) => respondentHash(secret, projectId, id)) };
  };
}
