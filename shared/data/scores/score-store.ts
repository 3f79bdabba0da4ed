import { openCursor, sealCursor } from '../../crypto/cursor.ts';
import { locateResponse } from '../../crypto/ids.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import { queueOf, queuesOf, type Scored, type SweptScores } from '../../domain/scoring.ts';
import { readResponse } from '../answers/answer-item.ts';
import type { IndexEntry, ReadIndex } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import { scoreShardPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { type AckResult, createAcknowledger } from './acknowledge.ts';
import { mergeShards } from './merge-shards.ts';

const UPDATES_IN_FLIGHT = 25;

/** Cursors are bound to the query. */
export interface ScoreQuery extends SweptScores {
  readonly projectId: string;
}

export interface SweptScore {
  readonly response: Scored;
  readonly place: string;
}

export interface ScoreStore {
  /**
   * Oldest first, each once. Rows are read strongly consistently, no further than is consumed.
   * @param expected rows that the consumer expects to need
   */
  sweep(query: ScoreQuery, after: string | undefined, expected: number): AsyncGenerator<SweptScore>;
  cursorBehind(query: ScoreQuery, place: string): Promise<string>;
  /** Undefined if the cursor was not issued to this project for this query. */
  openCursor(query: ScoreQuery, cursor: string): Promise<string | undefined>;
  /**
   * Uses the last result for each id. Unknown ids and those of other projects change nothing.
   * @returns the number of changed scores
   */
  acknowledge(projectId: string, results: readonly AckResult[]): Promise<number>;
}

/** Cursors of sweeps without withdrawn scores keep their earlier form. */
const cursorScope = ({ projectId, includeFailed, includeWithdrawn }: ScoreQuery) => ({
  projectId,
  purpose: 'pending-scores',
  query: { includeFailed, ...(includeWithdrawn && { includeWithdrawn }) },
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
  readonly shards: number;
  /** Fresh per call: a failed condition whose old item carries it is our own retried write. */
  readonly ackId: () => string;
  readonly clock: () => number;
}

export function createScoreStore({
  table,
  readIndex,
  secrets,
  shards,
  ackId: freshId,
  clock,
}: ScoreStoreParts): ScoreStore {
  const settle = createAcknowledger(table, shards);
  return {
    async *sweep(query, after, expected) {
      const queues = queuesOf(query);
      const partitions = queues.flatMap((queue) =>
        Array.from({ length: shards }, (_, shard) => scoreShardPartition(query.projectId, queue, shard)),
      );
      const entries = mergeShards(readIndex, { index: 'byScoreState', partitions, expected, after });
      for await (const batch of inBatches(entries, expected)) {
        const rows = await table.getMany(batch.map(({ key }) => key));
        for (const [index, { order: place }] of batch.entries()) {
          const row = rows[index];
          if (row?.type !== 'response') continue;
          const response = readResponse(row);
          const queue = queueOf(response);
          if (queue !== undefined && queues.includes(queue)) yield { response, place };
        }
      }
    },

    async cursorBehind(query, place) {
      return sealCursor(await secrets.hashSecret(), cursorScope(query), place);
    },

    async openCursor(query, cursor) {
      return openCursor(await secrets.hashSecret(), cursorScope(query), cursor);
    },

    async acknowledge(projectId, results) {
      const secret = await secrets.hashSecret();
      const call = { projectId, ackId: freshId(), at: new Date(clock()).toISOString() };
      const last = [...new Map(results.map((result) => [result.id, result])).values()];
      const changed = await inFlight(last, UPDATES_IN_FLIGHT, async ({ id, ...result }) => {
        const location = locateResponse(secret, projectId, id);
        return location !== undefined && settle({ ...result, ...call, location });
      });
      return changed.filter(Boolean).length;
    },
  };
}
