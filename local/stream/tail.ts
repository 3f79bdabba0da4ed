import { setTimeout as delay } from 'node:timers/promises';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readPrivateFile, writePrivateFile } from '../data-folder.ts';
import { invokeLambda } from '../lambda-invocation.ts';
import { LocalError } from '../local-error.ts';
import { openStream, type StreamPage } from './source.ts';

const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const HANDLER_TIMEOUT_MS = 60_000;
const DRAIN_MS = 5_000;
/** Lambda's default for DynamoDB streams. */
const BATCH_RECORDS = 100;
/** Below Lambda's payload quota of 6 MB. */
const BATCH_BYTES = 5 * 1024 * 1024;

export interface StreamTailOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly functionName: string;
  readonly handler: (event: DynamoDBStreamEvent, context: Context) => Promise<void>;
  /** By default, the tail starts with the oldest record. */
  readonly checkpoint?: ReturnType<typeof fileCheckpoint>;
  /** Called after each failure. The batch is retried. */
  readonly onFailure?: (error: unknown) => void;
  /**
   * Called after each page with the number of the last handled record. `isResting` is true after two empty pages and at
   * the stop.
   */
  readonly onHandled?: (sequenceNumber: string, isResting: boolean) => void;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const realPause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

/**
 * Delivers records as Lambda's event source mapping does. The checkpoint is saved before and after each batch, so that
 * a killed process repeats the same batch (at least once).
 * @throws {LocalError} `checkpoint_unusable`
 */
export function startStreamTail(options: StreamTailOptions) {
  const { endpoint, tableName, functionName, handler, onFailure, onHandled } = options;
  const { checkpoint, pause = realPause } = options;
  let noted = checkpoint?.load();
  const source = openStream(endpoint, tableName, noted);
  const stopping = new AbortController();
  const { signal } = stopping;
  let drainUntil = Number.POSITIVE_INFINITY;

  async function persist(attempt: () => unknown): Promise<boolean> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      try {
        await attempt();
        return true;
      } catch (error) {
        onFailure?.(error);
        await pause(wait, signal);
        if (signal.aborted) return false;
      }
    }
  }

  async function deliver(batch: DynamoDBRecord[]): Promise<void> {
    const call = { functionName, timeoutMs: HANDLER_TIMEOUT_MS };
    const outcome = await invokeLambda(handler, { Records: batch }, call);
    if (outcome.kind === 'returned') return;
    throw outcome.kind === 'failed' ? outcome.error : new Error(`The stream handler: ${outcome.kind}`);
  }

  const note = (next: StreamCheckpoint): Promise<boolean> =>
    persist(() => {
      checkpoint?.save(next);
      noted = next;
    });

  const handledOf = ({ streamArn, shardId }: StreamPage): string | undefined =>
    noted?.streamArn === streamArn && noted.shardId === shardId ? noted.sequenceNumber : undefined;

  async function handle(page: StreamPage): Promise<boolean> {
    const { streamArn, shardId, records } = page;
    for (const batch of streamBatches(records, noted?.underWay)) {
      const done = handledOf(page);
      const last = batch.at(-1)?.dynamodb?.SequenceNumber ?? '';
      const before = { streamArn, shardId, ...(done !== undefined && { sequenceNumber: done }) };
      if (!(await note({ ...before, underWay: last }))) return false;
      if (performance.now() > drainUntil || !(await persist(() => deliver(batch)))) return false;
      if (!(await note({ streamArn, shardId, sequenceNumber: last }))) return false;
    }
    return true;
  }

  async function run(): Promise<void> {
    let emptyPages = 0;
    for (let goesOn = true; goesOn; ) {
      let page: StreamPage | undefined;
      goesOn = await persist(async () => {
        page = await source.read();
      });
      if (page === undefined) return;
      goesOn = await handle(page);
      emptyPages = page.records.length > 0 ? 0 : emptyPages + 1;
      if (signal.aborted && (emptyPages > 0 || performance.now() > drainUntil)) goesOn = false;
      const handled = handledOf(page);
      if (handled !== undefined) onHandled?.(handled, emptyPages > 1 || !goesOn);
      if (goesOn) await pause(Math.min(SHORTEST_POLL_MS * 2 ** emptyPages, LONGEST_POLL_MS), signal);
    }
  }

  const finished = run().finally(() => source.close());
  return {
    /** Handles pending records for at most five seconds. A failed batch is retried after the next start. */
    stop: async () => {
      drainUntil = performance.now() + DRAIN_MS;
      stopping.abort();
      await finished;
    },
  };
}

/** @param endsAt sequence number that ends the first batch, so that a retried batch is the same */
export function* streamBatches(
  records: readonly DynamoDBRecord[],
  endsAt?: string,
): Generator<DynamoDBRecord[]> {
  const sizes = records.map((record) => Buffer.byteLength(JSON.stringify(record)));
  let start = 0;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += sizes[index] ?? 0;
    const end = index + 1;
    const isLast = end === records.length || end - start === BATCH_RECORDS;
    const isEnd = endsAt !== undefined && record.dynamodb?.SequenceNumber === endsAt;
    if (!isLast && !isEnd && bytes + (sizes[end] ?? 0) <= BATCH_BYTES) continue;
    yield records.slice(start, end);
    start = end;
    bytes = 0;
  }
}

const checkpointSchema = z.object({
  streamArn: z.string(),
  shardId: z.string(),
  sequenceNumber: z.exactOptional(z.string()),
  underWay: z.exactOptional(z.string()),
});

type StreamCheckpoint = z.infer<typeof checkpointSchema>;

/** Replaces the file as a whole. */
export function fileCheckpoint(file: string) {
  return {
    /** @throws {LocalError} `checkpoint_unusable` */
    load: (): StreamCheckpoint | undefined => {
      try {
        const text = readPrivateFile(file);
        return text === undefined ? undefined : checkpointSchema.parse(JSON.parse(text));
      } catch (cause) {
        const message = `The stream checkpoint ${file} cannot be read. Deleting it may count answers a second time.`;
        throw new LocalError('checkpoint_unusable', message, { cause });
      }
    },
    save: (checkpoint: StreamCheckpoint) => writePrivateFile(file, JSON.stringify(checkpoint)),
  };
}
