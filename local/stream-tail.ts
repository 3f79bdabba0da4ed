import { setTimeout as delay } from 'node:timers/promises';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { invokeLambda } from './lambda-invocation.ts';
import { streamBatches } from './stream-batches.ts';
import { type CheckpointStore, memoryCheckpoint, type StreamCheckpoint } from './stream-checkpoint.ts';
import { streamEventRecord } from './stream-event.ts';
import { createStreamReader } from './stream-reader.ts';

/** How long to wait for news: shortly after there were some, then ever longer. */
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const HANDLER_TIMEOUT_MS = 60_000;

export interface StreamTailOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly functionName: string;
  readonly handler: (event: DynamoDBStreamEvent, context: Context) => Promise<void>;
  /** Where it left off. By default kept in memory, which starts with the oldest record there is. */
  readonly checkpoint?: CheckpointStore;
  /** Told of each failure, to read or to handle; the same batch is then tried again. */
  readonly onFailure?: (error: unknown) => void;
}

export interface StreamTail {
  /** Lets a batch under way finish, then stops; a batch that is failing is left to the next start. */
  stop(): Promise<void>;
}

/**
 * Delivers a table's stream to a handler as Lambda's event source mapping does: in order, in batches, each again and again
 * with back-off until it succeeds, and none before the one before it. The checkpoint is saved before and after each batch, so a
 * process that is killed in between delivers the very same batch once more: at least once, never not at all.
 *
 * @throws {LocalError} `checkpoint_unusable`
 */
export function startStreamTail(options: StreamTailOptions): StreamTail {
  const { endpoint, tableName, functionName, handler, checkpoint = memoryCheckpoint(), onFailure } = options;
  let noted = checkpoint.load();
  const reader = createStreamReader(endpoint, tableName, noted);
  const stopping = new AbortController();

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Repeats until it succeeds; undefined when it failed and must stop. */
  async function persist<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      try {
        return await attempt();
      } catch (error) {
        onFailure?.(error);
        await pause(wait);
        if (stopping.signal.aborted) return undefined;
      }
    }
  }

  async function deliver(batch: DynamoDBRecord[]): Promise<true> {
    const outcome = await invokeLambda(
      handler,
      { Records: batch },
      { functionName, timeoutMs: HANDLER_TIMEOUT_MS },
    );
    if (outcome.kind === 'returned') return true;
    throw outcome.kind === 'failed' ? outcome.error : new Error(`The stream handler: ${outcome.kind}`);
  }

  /** False when it could not be saved and must stop. */
  async function note(next: StreamCheckpoint): Promise<boolean> {
    const saved = await persist(async () => {
      checkpoint.save(next);
      return true;
    });
    if (saved) noted = next;
    return saved === true;
  }

  async function run(): Promise<void> {
    let wait = SHORTEST_POLL_MS;
    while (!stopping.signal.aborted) {
      const page = await persist(() => reader.read());
      if (page === undefined) return;
      const { streamArn, shardId } = page;
      const records = page.records.map((record) => streamEventRecord(record, streamArn));
      for (const batch of streamBatches(records, noted?.underWay)) {
        const last = batch.at(-1)?.dynamodb?.SequenceNumber;
        const done =
          noted?.streamArn === streamArn && noted.shardId === shardId ? noted.sequenceNumber : undefined;
        const before = { streamArn, shardId, ...(done !== undefined && { sequenceNumber: done }) };
        if (!(await note({ ...before, ...(last !== undefined && { underWay: last }) }))) return;
        if (stopping.signal.aborted || !(await persist(() => deliver(batch)))) return;
        if (last !== undefined) await note({ streamArn, shardId, sequenceNumber: last });
      }
      wait = page.records.length > 0 ? SHORTEST_POLL_MS : Math.min(2 * wait, LONGEST_POLL_MS);
      await pause(wait);
    }
  }

  const finished = run().finally(() => reader.close());
  return {
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}
