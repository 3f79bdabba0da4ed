/** Records use of secret and reader keys: at most one write per key, day and instance. */

import type { PresentedKey } from '../../shared/crypto/access-key.ts';
import type { KeyUseStore } from '../../shared/data/projects/key-use-store.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import type { Logger } from './logger.ts';

const MOST_KEYS = 10_000;

export interface KeyUse {
  /** Never rejects: a failed write fails no request. */
  note(key: PresentedKey, now: number): Promise<void>;
}

export function createKeyUse(store: Pick<KeyUseStore, 'record'>, log: Logger): KeyUse {
  const days = new BoundedMap<string, string>(MOST_KEYS);
  return {
    async note({ projectId, hash }, now) {
      const day = new Date(now).toISOString().slice(0, 10);
      if (days.get(hash) === day) return;
      days.set(hash, day);
      try {
        await store.record(projectId, hash, day);
      } catch (error) {
        days.set(hash, '');
        log.error({ message: 'key use was not recorded', projectId, error });
      }
    },
  };
}
