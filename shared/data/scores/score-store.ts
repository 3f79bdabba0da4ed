import { openCursor, sealCursor } from '../../crypto/cursor.ts';
import { locateResponse, type ResponseLocation } from '../../crypto/ids.ts';
import {
  type AckState,
  isTried,
  OPEN_STATES,
  queueOf,
  queuesOf,
  type Scored,
  type ScoreQueue,
  type SweptScores,
  sweptBefore,
} from '../../domain/scoring.ts';
import { HAS_SCORE, isRevision, readResponse, TRIED, UNTRIED } from '../answers/answer-item.ts';
import { all, type Change, type Condition } from '../table/expressions.ts';
import { type IndexEntry, mergeShards } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import { answerKey, scoreShardPartition, shardOf, TABLE } from '../table/schema.ts';
import type { StoreDependencies, Table } from '../table/table.ts';

export interface AckResult {
  readonly id: string;
  readonly state: AckState;
  readonly error?: string | null | undefined;
  /** By default, the current revision if it has been current for long enough. */
  readonly revision?: number | null | undefined;
}

interface Acknowledgement extends Omit<AckResult, 'id'> {
  readonly projectId: string;
  readonly location: ResponseLocation;
  /** New for each call. If a condition fails and the old item has this id, the SDK repeated our own write. */
  readonly ackId: string;
  readonly at: string;
}

const INDEX = TABLE.indexes.byScoreState;

const STANDS: Condition = { text: 'attribute_not_exists(#withdrawn)' };
const IS_WITHDRAWN: Condition = { text: 'attribute_exists(#withdrawn)' };
const UNMARKED: Condition = { text: 'attribute_not_exists(#triedAt)' };
const IS_OPEN: Condition = {
  text: '#scoreState IN (:pending, :failed)',
  values: Object.fromEntries(OPEN_STATES.map((state) => [state, state])),
};
/** A withdrawn score waits only if a push of it was tried. */
const HAS_PUSHES: Condition = { text: `${STANDS.text} OR ${TRIED.text}`, values: TRIED.values };
const WAITS = all(IS_OPEN, HAS_PUSHES);
/** Without a revision, an acknowledgement may mean the previous one, unless the current one is older than any sweep. */
const wasListed = (at: string): Condition => ({
  text: `${IS_WITHDRAWN.text} OR attribute_not_exists(#revisedAt) OR #revisedAt <= :sweptBefore`,
  values: { sweptBefore: sweptBefore(at) },
});

/** A failed condition returns the changed row, and the update is recomputed from it. */
function createAcknowledger(table: Pick<Table, 'update'>, shards: number) {
  const keyOf = ({ projectId, location }: Acknowledgement) =>
    answerKey(projectId, location.respondentHash, location.tokenId);
  const waitIn = ({ projectId, location }: Acknowledgement, queue: ScoreQueue) => ({
    [INDEX.partitionKey]: scoreShardPartition(projectId, queue, shardOf(location.tokenId, shards)),
  });

  /** A withdrawn score without a known push waits from now on, because it must be deleted where it was pushed. */
  async function noteTried(ack: Acknowledgement): Promise<boolean> {
    const { at, state } = ack;
    // The end of a push sets the time only if its beginning did not set it.
    const isBeginning = state === 'trying';
    const standing = await table.update(
      keyOf(ack),
      { set: { triedAt: at } },
      isBeginning ? all(HAS_SCORE, HAS_PUSHES) : all(HAS_SCORE, STANDS, UNMARKED),
    );
    if (standing.done || standing.found?.withdrawn !== true) return standing.done;
    const waiting = { triedAt: at, ...waitIn(ack, 'withdrawn') };
    const withdrawn = await table.update(keyOf(ack), { set: waiting }, all(HAS_SCORE, IS_WITHDRAWN, UNTRIED));
    if (withdrawn.done) return true;
    return withdrawn.found?.withdrawn === undefined && withdrawn.found !== undefined && noteTried(ack);
  }

  function changeOf(ack: Acknowledgement, queue: ScoreQueue): Change {
    const { state, error, ackId, at } = ack;
    const setOnce = { triedAt: at };
    if (state === 'delivered') {
      return { set: { scoreState: state, ackId }, setOnce, remove: [INDEX.partitionKey, 'lastError'] };
    }
    const set = { scoreState: state, ackId, ...waitIn(ack, queue), lastError: error ?? null };
    return { set, setOnce, add: { attempts: 1 } };
  }

  async function settle(ack: Acknowledgement, isWithdrawn = false): Promise<boolean> {
    const { ackId, revision, state } = ack;
    const conditions: Condition[] = [
      WAITS,
      { text: 'attribute_not_exists(#ackId) OR #ackId <> :ackId', values: { ackId } },
    ];
    conditions.push(revision == null ? wasListed(ack.at) : isRevision(revision));
    // A failed score stays in its kind of queue, withdrawn or not. A delivered score leaves either.
    if (state === 'failed') conditions.push(isWithdrawn ? IS_WITHDRAWN : STANDS);
    const change = changeOf(ack, isWithdrawn ? 'withdrawn-failed' : 'failed');
    const written = await table.update(keyOf(ack), change, all(...conditions));
    if (written.done || written.found?.ackId === ackId) return true;
    return afterMiss(ack, written.found, isWithdrawn);
  }

  async function afterMiss(
    ack: Acknowledgement,
    found: Row | undefined,
    expected: boolean,
  ): Promise<boolean> {
    if (found?.scoreState === undefined) return false;
    const current = Number(found.revision ?? 0);
    const { state } = ack;
    const revision = ack.revision ?? current;
    const response = readResponse(found);
    const isWithdrawn = response.kind === 'withdrawn';
    if (revision > current) return false;
    const mayBeOlder =
      ack.revision == null && !isWithdrawn && (response.revisedAt ?? '') > sweptBefore(ack.at);
    // The acknowledgement is, or may be, for an older revision or for the score before its withdrawal.
    if (revision < current || mayBeOlder || (isWithdrawn && !isTried(response))) {
      if (found.triedAt === undefined) await noteTried(ack);
      return false;
    }
    const isOtherKind = state === 'failed' && isWithdrawn !== expected;
    return isOtherKind && settle(ack, isWithdrawn);
  }

  return (ack: Acknowledgement): Promise<boolean> => (ack.state === 'trying' ? noteTried(ack) : settle(ack));
}

const UPDATES_IN_FLIGHT = 25;

export interface ScoreQuery extends SweptScores {
  readonly projectId: string;
}

export interface SweptScore {
  readonly response: Scored;
  readonly place: string;
}

/** Sweeps without withdrawn scores keep the older cursor format. */
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

interface ScoreStoreDependencies extends StoreDependencies {
  readonly ackId: () => string;
}

export function createScoreStore({
  table,
  readIndex,
  secrets,
  shards,
  ackId: freshId,
  clock,
}: ScoreStoreDependencies) {
  const settle = createAcknowledger(table, shards);
  return {
    /**
     * Yields each score once, oldest first. Rows are read strongly consistently and only as far as the caller consumes
     * them.
     */
    async *sweep(query: ScoreQuery, after: string | undefined, expected: number): AsyncGenerator<SweptScore> {
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

    async cursorBehind(query: ScoreQuery, place: string): Promise<string> {
      return sealCursor(await secrets.hashSecret(), cursorScope(query), place);
    },

    async openCursor(query: ScoreQuery, cursor: string): Promise<string | undefined> {
      return openCursor(await secrets.hashSecret(), cursorScope(query), cursor);
    },

    /** If an id occurs more than once, its last result applies. */
    async acknowledge(projectId: string, results: readonly AckResult[]): Promise<number> {
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
