import type { AckResult } from './contract-types.ts';

/** Results of one ack request (docs/contract.md §3.8). */
const MOST_RESULTS = 100;
/** Bytes of one ack request; a body may have 64 KiB (docs/contract.md §3.1). */
const MOST_BYTES = 60 * 1_024;

/** Divides results into requests that the service takes: 100 results with long errors are too large for one. */
export function ackBatches(results: readonly AckResult[]): AckResult[][] {
  const encoder = new TextEncoder();
  const batches: AckResult[][] = [];
  let batch: AckResult[] = [];
  let bytes = 0;
  for (const result of results) {
    const size = encoder.encode(JSON.stringify(result)).length + 1;
    if (batch.length > 0 && (batch.length === MOST_RESULTS || bytes + size > MOST_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(result);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
