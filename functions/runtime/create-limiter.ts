import { addressHash } from '../../shared/crypto/identity-hash.ts';
import type { Vault } from '../../shared/crypto/secret-cache.ts';
import type { RateLeases } from '../../shared/data/projects/rate-leases.ts';
import { addressLeaseKey, keyLeaseKey } from '../../shared/data/table/schema.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';
import type { Logger } from './logger.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { createSharedLimiter } from './shared-limiter.ts';

interface LimiterParts {
  readonly leases: RateLeases;
  readonly vault: Pick<Vault, 'hashSecret'>;
  readonly log: Logger;
}

/** Limits shared by all function instances, or those of one process where it serves alone. */
export function createLimiter(
  { sharedRateLimits = false }: RuntimeSettings,
  { leases, vault, log }: LimiterParts,
): RateLimiter {
  if (!sharedRateLimits) return createInProcessLimiter();
  return createSharedLimiter({
    leases,
    jitter: Math.random,
    onFailure: (error) => log.error({ message: 'rate limiter unavailable, requests pass', error }),
    async keyOf({ kind, projectId, name }) {
      if (kind === 'key') return keyLeaseKey(projectId, name);
      return addressLeaseKey(projectId, addressHash(await vault.hashSecret(), projectId, name));
    },
  });
}
