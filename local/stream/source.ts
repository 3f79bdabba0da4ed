/** Reads stream records in the format that Lambda receives. */

import { createHash } from 'node:crypto';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamsRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { emulatorClientConfig } from '../embedded-dynamodb.ts';

interface StreamPosition {
  readonly streamArn: string;
  readonly shardId: string;
  readonly sequenceNumber?: string;
}

export interface StreamPage extends Omit<StreamPosition, 'sequenceNumber'> {
  /** In order, at most 1,000 records. */
  readonly records: readonly DynamoDBRecord[];
}

export type StreamSource = ReturnType<typeof openStream>;

/**
 * Reads shards one after the other, in the order of the stream. This works for emulators, which have one open shard at
 * a time, unlike AWS.
 */
export function openStream(endpoint: string, tableName: string, from?: StreamPosition) {
  const tables = new DynamoDBClient(emulatorClientConfig(endpoint));
  const streams = new DynamoDBStreamsClient(emulatorClientConfig(endpoint));
  let position = from;
  let isShardRead = false;
  let iterator: string | undefined;

  async function locate(): Promise<StreamPosition> {
    const { Table } = await tables.send(new DescribeTableCommand({ TableName: tableName }));
    const streamArn = Table?.LatestStreamArn;
    if (streamArn === undefined) throw new Error(`Table ${tableName} has no stream.`);
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shardIds = (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
    // A position in another stream belongs to a table that was deleted.
    const index = position?.streamArn === streamArn ? shardIds.indexOf(position.shardId) : -1;
    const next = shardIds[index + 1];
    if (position && index !== -1 && (!isShardRead || next === undefined)) return position;
    if (next === undefined) throw new Error(`The stream of table ${tableName} has no shards.`);
    isShardRead = false;
    return { streamArn, shardId: next };
  }

  async function openShard({ streamArn, shardId, sequenceNumber }: StreamPosition) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ShardIteratorType: sequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: sequenceNumber,
      }),
    );
    return ShardIterator;
  }

  async function read(): Promise<StreamPage> {
    if (position === undefined || iterator === undefined) position = await locate();
    const { streamArn, shardId } = position;
    if (isShardRead) return { streamArn, shardId, records: [] };
    iterator ??= await openShard(position);
    const { Records = [], NextShardIterator } = await streams.send(
      new GetRecordsCommand({ ShardIterator: iterator }),
    );
    iterator = NextShardIterator;
    isShardRead = NextShardIterator === undefined;
    const sequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
    if (sequenceNumber !== undefined) position = { streamArn, shardId, sequenceNumber };
    return { streamArn, shardId, records: Records.map((record) => eventRecord(record, streamArn)) };
  }

  return {
    /** After a failure, the next call reads the same page. */
    read: async () => {
      try {
        return await read();
      } catch (error) {
        iterator = undefined;
        if (position && error instanceof TrimmedDataAccessException)
          position = { streamArn: position.streamArn, shardId: position.shardId };
        throw error;
      }
    },
    close: () => {
      tables.destroy();
      streams.destroy();
    },
  };
}

/**
 * Lambda's JSON has binary values in base64, times in seconds, and the stream's ARN. Emulators number events from 1 in
 * every table. The computed ids are unique, and the same whenever an event is delivered, as on AWS.
 */
function eventRecord(
  { dynamodb, userIdentity: _, ...record }: StreamsRecord,
  streamArn: string,
): DynamoDBRecord {
  const { SequenceNumber } = dynamodb ?? {};
  const text = JSON.stringify(dynamodb, function (this: Record<string, unknown>, name, value) {
    const raw = this[name];
    if (raw instanceof Date) return Math.floor(raw.getTime() / 1000);
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
  });
  return {
    ...record,
    eventID: createHash('sha256').update(`${streamArn}\n${SequenceNumber}`).digest('hex').slice(0, 32),
    eventSourceARN: streamArn,
    dynamodb: JSON.parse(text),
  };
}
