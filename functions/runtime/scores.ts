/** Scores by response id and cursor: secrets in front of the score store, so that handlers never see a hash. */

import { type CursorScope, openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import { locateResponse } from '../../shared/crypto/response-id.ts';
import type { Vault } from '../../shared/crypto/secret-cache.ts';
import type { ScoreStore, ScoreSweep } from '../../shared/data/scores/score-store.ts';
import { inFlight } from '../../shared/data/table/in-flight.ts';
import { scoreOrder } from '../../shared/data/table/schema.ts';
import type { Response } from '../../shared/domain/answer.ts';
import type { AckState } from '../../shared/domain/scoring.ts';

/** Updates of one ack request that are under way at the same time, at most. */
const UPDATES_IN_FLIGHT = 25;

/** The question a cursor belongs to. */
export interface ScoreQuery {
  readonly projectId: string;
  readonly includeFailed: boolean;
}

export interface AckResult {
  readonly id: string;
  readonly state: AckState;
  readonly error?: string;
}

export interface Scores {
  sweep(sweep: ScoreSweep): AsyncGenerator<Response>;
  /** The cursor of the page after the one that ends with this response. */
  cursorBehind(query: ScoreQuery, response: Response): Promise<string>;
  /** Where a page begins, or undefined when the cursor was not issued to this project for this query. */
  openCursor(query: ScoreQuery, cursor: string): Promise<string | undefined>;
  /** Acknowledges scores of the project, the last result for an id; returns how many changed. */
  acknowledge(projectId: string, results: readonly AckResult[], ackId: string): Promise<number>;
}

const scopeOf = ({ projectId, includeFailed }: ScoreQuery): CursorScope => ({
  projectId,
  purpose: 'pending-scores',
  query: { includeFailed },
});

export function createScores(store: ScoreStore, vault: Vault): Scores {
  return {
    sweep: (sweep) => store.sweep(sweep),
    async cursorBehind(query, response) {
      return sealCursor(await vault.hashSecret(), scopeOf(query), scoreOrder(response));
    },
    async openCursor(query, cursor) {
      return openCursor(await vault.hashSecret(), scopeOf(query), cursor);
    },
    async acknowledge(projectId, results, ackId) {
      const secret = await vault.hashSecret();
      const last = [...new Map(results.map((result) => [result.id, result])).values()];
      const changed = await inFlight(last, UPDATES_IN_FLIGHT, async ({ id, state, error }) => {
        const location = locateResponse(secret, projectId, id);
        if (location === undefined) return false;
        return store.acknowledge({
          projectId,
          location,
          state,
          ackId,
          ...(error !== undefined && { error }),
        });
      });
      return changed.filter(Boolean).length;
    },
  };
}
