/**
 * Functions keep the hash secret forever and the token ring for five minutes. An unknown key id also refreshes the
 * ring, at most every ten seconds.
 */

import { MINUTE, SECOND } from '../domain/duration.ts';
import { findKey, sealingKey, type TokenKey, type TokenRing } from './token-ring.ts';

export interface SecretSource {
  /** At least 32 bytes. The secret never rotates, because all suppressions would be lost. */
  readHashSecret(): Promise<Uint8Array>;
  readTokenRing(): Promise<TokenRing>;
}

const RING_LIFETIME_MS = 5 * MINUTE;
const RETRY_INTERVAL_MS = 10 * SECOND;

export interface HashSecret {
  hashSecret(): Promise<Uint8Array>;
}

export interface SecretCache extends HashSecret {
  sealingKey(): Promise<TokenKey>;
  /** @throws the read error if the ring could not be read and may contain the key */
  findKey(id: string): Promise<TokenKey | undefined>;
}

/** After a failure the next caller retries. */
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
      const isTooSoon = reading === undefined && clock() - triedAt < RETRY_INTERVAL_MS;
      const found = isTooSoon ? undefined : findKey(await refresh(), id);
      // The key may be in the ring that could not be read, so the token is not refused as forged.
      if (found === undefined && failure !== undefined) throw failure;
      return found;
    },
  };
}
