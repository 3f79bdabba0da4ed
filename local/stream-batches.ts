import type { DynamoDBRecord } from 'aws-lambda';

/** Lambda's default for a DynamoDB stream. */
const BATCH_RECORDS = 100;
/** Below Lambda's payload quota of 6 MB. */
const BATCH_BYTES = 5 * 1024 * 1024;

/**
 * Cuts records into the batches an event source mapping would deliver, in order.
 * @param endsAt sequence number at which a batch must end: it was delivered before, and must be the same again
 */
export function* streamBatches(
  records: readonly DynamoDBRecord[],
  endsAt?: string,
): Generator<DynamoDBRecord[]> {
  let batch: DynamoDBRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record));
    if (batch.length === BATCH_RECORDS || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
    if (endsAt === undefined || record.dynamodb?.SequenceNumber !== endsAt) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
