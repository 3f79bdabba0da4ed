import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamsRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { emulatorClientConfig } from './emulator-client.ts';
import type { StreamCheckpoint } from './stream-checkpoint.ts';

export interface StreamPage {
  readonly streamArn: string;
  readonly shardId: string;
  /** In order, at most 1,000; none when nothing has happened. */
  readonly records: readonly StreamsRecord[];
}

export interface StreamReader {
  /** The page after the last one. When it fails, the next call tries the same page again. */
  read(): Promise<StreamPage>;
  close(): void;
}

interface Position {
  readonly streamArn: string;
  readonly shardId: string;
  /** The sequence number of the last record read; undefined before the shard's first. */
  readonly after: string | undefined;
  /** The shard is closed and read to its end. */
  readonly finished: boolean;
}

/**
 * Reads a table's stream in order, from a checkpoint or from the oldest record, one shard after the other as the stream lists
 * them. That is right where one shard is open at a time, as in emulators; AWS has several.
 */
export function createStreamReader(
  endpoint: string,
  tableName: string,
  checkpoint: StreamCheckpoint | undefined,
): StreamReader {
  const tables = new DynamoDBClient(emulatorClientConfig(endpoint));
  const streams = new DynamoDBStreamsClient(emulatorClientConfig(endpoint));
  let position: Position | undefined = checkpoint && {
    streamArn: checkpoint.streamArn,
    shardId: checkpoint.shardId,
    after: checkpoint.sequenceNumber,
    finished: false,
  };
  let iterator: string | undefined;

  async function locate(): Promise<Position> {
    const { Table } = await tables.send(new DescribeTableCommand({ TableName: tableName }));
    const streamArn = Table?.LatestStreamArn;
    if (streamArn === undefined) throw new Error(`Table ${tableName} has no stream.`);
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shardIds = (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
    // A position in another stream is one in a table, or in data, that is gone.
    const index = position?.streamArn === streamArn ? shardIds.indexOf(position.shardId) : -1;
    if (position && index !== -1 && !position.finished) return position;
    const shardId = shardIds[index + 1];
    if (shardId !== undefined) return { streamArn, shardId, after: undefined, finished: false };
    if (position && index !== -1) return position;
    throw new Error(`The stream of table ${tableName} has no shards.`);
  }

  async function open({ streamArn, shardId, after }: Position): Promise<string | undefined> {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ShardIteratorType: after === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: after,
      }),
    );
    return ShardIterator;
  }

  async function read(): Promise<StreamPage> {
    const current = position === undefined || iterator === undefined ? await locate() : position;
    position = current;
    const { streamArn, shardId } = current;
    if (current.finished) return { streamArn, shardId, records: [] };
    iterator ??= await open(current);
    const { Records = [], NextShardIterator } = await streams.send(
      new GetRecordsCommand({ ShardIterator: iterator }),
    );
    iterator = NextShardIterator;
    const after = Records.at(-1)?.dynamodb?.SequenceNumber ?? current.after;
    position = { streamArn, shardId, after, finished: NextShardIterator === undefined };
    return { streamArn, shardId, records: Records };
  }

  return {
    read: async () => {
      try {
        return await read();
      } catch (error) {
        iterator = undefined;
        if (position && error instanceof TrimmedDataAccessException)
          position = { ...position, after: undefined };
        throw error;
      }
    },
    close: () => {
      tables.destroy();
      streams.destroy();
    },
  };
}
