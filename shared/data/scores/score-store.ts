/** Scores of linked responses: sweeping the open ones oldest first, and acknowledging them. */

import { openCursor, sealCursor } from '../../crypto/cursor.ts';
import { locateResponse } from '../../crypto/response-id.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import type { Response } from '../../domain/answer.ts';
import { type AckState, OPEN_STATES, type OpenState, statesOf } from '../../domain/scoring.ts';
import { readResponse } from '../answers/answer-item.ts';
import type { Change, Condition } from '../table/expressions.ts';
import type { IndexEntry, ReadIndex } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import { answerKey, scoreOrder, scoreShardPartition, shardOf, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { mergeShards } from './merge-shards.ts';

/** Updates of one acknowledgement that are under way at the same time, at most. */
const UPDATES_IN_FLIGHT = 25;

/** What a sweep asks for, and what its cursors are bound to. */
export interface ScoreQuery {
  readonly projectId: string;
  readonly includeFailed: boolean;
}

export interface AckResult {
  readonly id: string;
  readonly state: AckState;
  readonly error?: string | undefined;
}

export interface ScoreStore {
  /**
   * Responses whose score is open right now, oldest first, each once: rows are hydrated by strongly consistent reads,
   * and those that have moved on are left out. Reads no further than it is consumed.
   * @param after a position that `openCursor` gave
   * @param expected rows that the consumer expects to need
   */
  sweep(query: ScoreQuery, after: string | undefined, expected: number): AsyncGenerator<Response>;
  /** The cursor of the page after the one that ends with this response. */
  cursorBehind(query: ScoreQuery, response: Response): Promise<string>;
  /** Where a page begins, or undefined when the cursor was not issued to this project for this query. */
  openCursor(query: ScoreQuery, cursor: string): Promise<string | undefined>;
  /**
   * Acknowledges scores of the project, the last result for an id: one conditional update each, which never creates a
   * row. Unknown ids and those of other projects change nothing.
   * @returns how many changed
   */
  acknowledge(projectId: string, results: readonly AckResult[]): Promise<number>;
}

const INDEX = TABLE.indexes.byScoreState;

/** A failed score stays in the index, in the shard of its state; a delivered one leaves it. */
function ackChange(shardPartition: string, { state, error }: AckResult, ackId: string): Change {
  const common = { scoreState: state, ackId };
  if (state === 'delivered') {
    return { set: common, remove: [INDEX.partitionKey, INDEX.sortKey, 'lastError'] };
  }
  const set = { ...common, [INDEX.partitionKey]: shardPartition, lastError: error ?? null };
  return { set, add: { attempts: 1 } };
}

const isOpenAndNotOurs = (ackId: string): Condition => ({
  text: 'attribute_exists(#pk) AND #scoreState IN (:pending, :failed) AND (attribute_not_exists(#ackId) OR #ackId <> :ackId)',
  values: { ackId, ...Object.fromEntries(OPEN_STATES.map((state) => [state, state])) },
});

const cursorScope = ({ projectId, includeFailed }: ScoreQuery) => ({
  projectId,
  purpose: 'pending-scores',
  query: { includeFailed },
});

async function* inBatches(entries: AsyncIterable<IndexEntry>, size: number): AsyncGenerator<IndexEntry[]> {
  let batch: IndexEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface ScoreStoreParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  readonly secrets: HashSecret;
  /** Shards of each index per project. */
  readonly shards: number;
  /** Fresh per call: a failed condition whose old item carries it is our own retried write. */
  readonly ackId: () => string;
}

export function createScoreStore({
  table,
  readIndex,
  secrets,
  shards,
  ackId: freshId,
}: ScoreStoreParts): ScoreStore {
  return {
    async *sweep(query, after, expected) {
      const states: readonly string[] = statesOf(query);
      const partitions = statesOf(query).flatMap((state: OpenState) =>
        Array.from({ length: shards }, (_, shard) => scoreShardPartition(query.projectId, state, shard)),
      );
      const entries = mergeShards(readIndex, { index: 'byScoreState', partitions, expected, after });
      for await (const batch of inBatches(entries, expected)) {
        const rows = await table.getMany(batch.map(({ key }) => key));
        for (const row of rows) {
          if (row?.type === 'response' && states.includes(String(row.scoreState))) yield readResponse(row);
        }
      }
    },

    async cursorBehind(query, response) {
      return sealCursor(await secrets.hashSecret(), cursorScope(query), scoreOrder(response));
    },

    async openCursor(query, cursor) {
      return openCursor(await secrets.hashSecret(), cursorScope(query), cursor);
    },

    async acknowledge(projectId, results) {
      const secret = await secrets.hashSecret();
      const ackId = freshId();
      const last = [...new Map(results.map((result) => [result.id, result])).values()];
      const changed = await inFlight(last, UPDATES_IN_FLIGHT, async (result) => {
        const location = locateResponse(secret, projectId, result.id);
        if (location === undefined) return false;
        const { respondentHash, tokenId } = location;
        const partition = scoreShardPartition(projectId, 'failed', shardOf(tokenId, shards));
        const written = await table.update(
          answerKey(projectId, respondentHash, tokenId),
          ackChange(partition, result, ackId),
          isOpenAndNotOurs(ackId),
        );
        return written.done || written.found?.ackId === ackId;
      });
      return changed.filter(Boolean).length;
    },
  };
}
