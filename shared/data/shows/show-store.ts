/** Recording shows, and keeping few of them. */

import { respondentHash } from '../../crypto/identity-hash.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import type { ShowTokenClaims } from '../../domain/answers/show-token.ts';
import { isToCome } from '../../domain/answers/shows.ts';
import { shownKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { isWelcome, showChange, showOf } from './shown-item.ts';

export interface ReportedShow {
  readonly projectId: string;
  readonly claims: ShowTokenClaims;
  /** In which shows are counted, milliseconds. */
  readonly windowMs: number;
  /** How many surveys the project has. */
  readonly surveys: number;
}

export interface ShowStore {
  /**
   * Adds the show to those of the token's respondent: one update. The same again changes nothing. Nothing is written of
   * a show whose time is still to come, or when the person was erased after the token had been issued, and shows of
   * theirs had been stored.
   * @param now milliseconds since the epoch
   * @returns whether it is a show that may be recorded: not while its time is still to come
   */
  record(reported: ReportedShow, now: number): Promise<boolean>;
}

interface ShowStoreParts {
  readonly table: Table;
  readonly secrets: HashSecret;
  /** Shards of each index per project. */
  readonly shards: number;
}

export function createShowStore({ table, secrets, shards }: ShowStoreParts): ShowStore {
  return {
    async record({ projectId, claims, windowMs, surveys }, now) {
      const show = showOf(claims);
      if (isToCome(show, now)) return false;
      const hash = respondentHash(await secrets.hashSecret(), projectId, claims.respondentId);
      const change = showChange({ projectId, respondentHash: hash, shards }, show, windowMs, now);
      await table.update(shownKey(projectId, hash), change, isWelcome(show, surveys));
      return true;
    },
  };
}
