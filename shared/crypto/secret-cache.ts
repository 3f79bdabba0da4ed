/**
 * The deployment's secrets in the memory of a function instance: the hash secret for good, the token ring refreshed
 * every five minutes and, at most once in ten seconds, on a key id it does not know.
 */

import { MINUTE, SECOND } from '../domain/duration.ts';
import { findKey, sealingKey, type TokenKey, type TokenRing } from './token-ring.ts';

/** Where the secrets come from: Secrets Manager, or the data folder of a local run. */
export interface SecretSource {
  /** At least 32 bytes that never rotate: losing them would lose every suppression. */
  readHashSecret(): Promise<Uint8Array>;
  readTokenRing(): Promise<TokenRing>;
}

const RING_LIFETIME_MS = 5 * MINUTE;
const RETRY_INTERVAL_MS = 10 * SECOND;

/** The secret under which respondents are hashed, and ids and cursors authenticated. */
export interface HashSecret {
  hashSecret(): Promise<Uint8Array>;
}

export interface SecretCache extends HashSecret {
  sealingKey(): Promise<TokenKey>;
  /** @throws what reading the ring threw, when the key may be in the ring that could not be read */
  findKey(id: string): Promise<TokenKey | undefined>;
}

/** A value read once and kept; a failed read is forgotten, so that the next caller tries again. */
function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}

export function createSecretCache(source: SecretSource, clock: () => number): SecretCache {
  const hashSecret = cached(() => source.readHashSecret());
  let ring: TokenRing | undefined;
  let readAt = 0;
  let triedAt = 0;
  let failure: unknown;
  let reading: Promise<TokenRing> | undefined;

  function refresh(): Promise<TokenRing> {
    triedAt = clock();
    reading ??= source
      .readTokenRing()
      .then((fresh) => {
        ring = fresh;
        readAt = clock();
        failure = undefined;
        return fresh;
      })
      .catch((error: unknown) => {
        // An instance that has a ring goes on with it.
        if (ring === undefined) throw error;
        failure = error;
        return ring;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function currentRing(): Promise<TokenRing> {
    const isStale = clock() - readAt >= RING_LIFETIME_MS && clock() - triedAt >= RETRY_INTERVAL_MS;
    return ring === undefined || isStale ? refresh() : ring;
  }

  return {
    hashSecret,
    sealingKey: async () => sealingKey(await currentRing(), clock()),
    async findKey(id) {
      const known = findKey(await currentRing(), id);
      if (known !== undefined) return known;
      // A caller that comes while the ring is being read waits for it, too.
      const isTooSoon = reading === undefined && clock() - triedAt < RETRY_INTERVAL_MS;
      const found = isTooSoon ? undefined : findKey(await refresh(), id);
      // A ring that could not be read may hold the key: then the token is not called forged.
      if (found === undefined && failure !== undefined) throw failure;
      return found;
    },
  };
}
