/** A failed condition is a return value, not an error. Reads are strongly consistent. */

import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import * as calls from './calls.ts';
import {
  type Change,
  type Condition,
  conditionExpression,
  queryExpression,
  type SortKeyRange,
  updateExpression,
} from './expressions.ts';
import type { ReadIndex } from './index-reader.ts';
import { type Attempt, chunk, inFlight, type Pause, realPause, retrying } from './retry.ts';
import type { Row } from './row.ts';
import { type Key, TABLE } from './schema.ts';
import { isNotStored } from './unavailable.ts';

/** DynamoDB quotas. */
const KEYS_PER_READ = 100;
const WRITES_PER_BATCH = 25;
export const ITEMS_PER_TRANSACTION = 100;
const BATCHES_IN_FLIGHT = 4;

const READ_RETRIES = { attempts: 5, firstPauseMs: 20 };
const BATCH_RETRIES = { attempts: 8, firstPauseMs: 25 };
/** Imports of one person and batches that update one total often conflict, each for one round trip. */
const CONFLICT_RETRIES = { attempts: 10, firstPauseMs: 12 };

/** The conflicting transaction ends within a round trip. */
const MET_TRANSACTION_RETRIES = { attempts: 3, firstPauseMs: 5 };

export interface Query extends SortKeyRange {
  readonly partition: string;
  /** A query is billed for whole items, whichever attributes it returns. */
  readonly attributes?: readonly string[] | undefined;
}

export interface PageQuery extends Query {
  /** An exclusive sort key, in the order of the page. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly descending?: boolean | undefined;
}

export interface Page {
  readonly rows: readonly Row[];
  /** Undefined on the last page. */
  readonly last: string | undefined;
  /** One unit for each 4 KB of the rows read. */
  readonly units: number;
}

/** `found` is the item that failed the condition, if any. */
export type Written =
  | { readonly done: true; readonly row?: Row | undefined }
  | { readonly done: false; readonly found: Row | undefined };

export type Returning = 'ALL_NEW';

export type Write =
  | { readonly put: Row; readonly when?: Condition }
  | { readonly update: Key; readonly change: Change; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

export type Transacted =
  | { readonly done: true }
  /** `failed`: the indexes of the writes whose conditions failed. */
  | { readonly done: false; readonly failed: ReadonlySet<number> };

export interface StoreDependencies {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  readonly secrets: HashSecret;
  readonly shards: number;
  readonly clock: () => number;
}

export type PersonDependencies = Pick<StoreDependencies, 'table' | 'secrets' | 'shards'>;
export type IndexDependencies = Pick<StoreDependencies, 'table' | 'readIndex' | 'shards'>;

export interface TableOptions {
  readonly name: string;
  readonly keys?: { readonly partitionKey: string; readonly sortKey: string } | undefined;
  readonly pause?: Pause | undefined;
  /** From 0 to 1. */
  readonly jitter?: (() => number) | undefined;
}

/** AWS: TransactionCanceledException. */
const THROTTLED: ReadonlySet<string> = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Handled as an unavailable dependency. */
const throttled = (call: string): Error =>
  Object.assign(new Error(`${call} left some items unprocessed`), { name: 'ThrottlingException' });

const marshallItem = (item: Row) => marshall({ ...item }, { removeUndefinedValues: true });

export function createTable(
  client: DynamoDBClient,
  { name, keys = TABLE, pause = realPause, jitter = Math.random }: TableOptions,
) {
  const marshallKey = ({ pk, sk }: Key) => marshall({ [keys.partitionKey]: pk, [keys.sortKey]: sk });
  const nameOf = (row: Row): string => `${String(row[keys.partitionKey])}\0${String(row[keys.sortKey])}`;

  /** At most 1 MB. */
  async function page({
    partition,
    attributes,
    after,
    limit,
    descending,
    ...range
  }: PageQuery): Promise<Page> {
    const { Items, LastEvaluatedKey, ConsumedCapacity } = await calls.query(client, {
      TableName: name,
      ...queryExpression(keys, partition, range, attributes),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
      ...(descending === true && { ScanIndexForward: false }),
      ...(limit !== undefined && { Limit: limit }),
      ...(after !== undefined && { ExclusiveStartKey: marshallKey({ pk: partition, sk: after }) }),
    });
    const last = LastEvaluatedKey && unmarshall(LastEvaluatedKey)[keys.sortKey];
    const units = ConsumedCapacity?.CapacityUnits ?? Number.POSITIVE_INFINITY;
    return { rows: (Items ?? []).map((item) => unmarshall(item)), last, units };
  }

  async function readBatch(batch: readonly Key[], spend?: (units: number) => void): Promise<Row[]> {
    const rows: Row[] = [];
    let left = batch.map(marshallKey);
    return retrying({ ...READ_RETRIES, pause, jitter }, async (): Promise<Attempt<Row[]>> => {
      const { Responses, UnprocessedKeys, ConsumedCapacity } = await calls.batchGetItem(client, {
        RequestItems: { [name]: { Keys: left, ConsistentRead: true } },
        ...(spend !== undefined && { ReturnConsumedCapacity: 'TOTAL' }),
      });
      for (const { CapacityUnits = 0 } of ConsumedCapacity ?? []) spend?.(CapacityUnits);
      for (const item of Responses?.[name] ?? []) rows.push(unmarshall(item));
      left = UnprocessedKeys?.[name]?.Keys ?? [];
      return left.length === 0 ? { result: rows } : { retry: throttled('BatchGetItem') };
    });
  }

  async function writeBatch(batch: readonly WriteRequest[]): Promise<void> {
    let left = [...batch];
    return retrying({ ...BATCH_RETRIES, pause, jitter }, async (): Promise<Attempt<void>> => {
      const { UnprocessedItems } = await writing(() =>
        calls.batchWriteItem(client, { RequestItems: { [name]: left } }),
      );
      left = [...(UnprocessedItems?.[name] ?? [])];
      return left.length === 0 ? { result: undefined } : { retry: throttled('BatchWriteItem') };
    });
  }

  const writeMany = (writes: readonly WriteRequest[]) =>
    inFlight(chunk(writes, WRITES_PER_BATCH), BATCHES_IN_FLIGHT, writeBatch);

  /** Tries once more, after the SDK's attempts, if nothing can have been stored. */
  function writing<T>(write: () => Promise<T>): Promise<T> {
    let isLast = false;
    return retrying({ ...MET_TRANSACTION_RETRIES, pause, jitter }, async (): Promise<Attempt<T>> => {
      try {
        return { result: await write() };
      } catch (error) {
        const isConflict = error instanceof TransactionConflictException;
        if (!isConflict && (isLast || !isNotStored(error))) throw error;
        isLast ||= !isConflict;
        return { retry: error };
      }
    });
  }

  async function conditional(write: () => Promise<Row | undefined>): Promise<Written> {
    try {
      return { done: true, row: await writing(write) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { done: false, found: error.Item && unmarshall(error.Item) };
    }
  }

  function transactItem(write: Write): TransactWriteItem {
    if ('put' in write) {
      const Item = marshallItem(write.put);
      return { Put: { TableName: name, Item, ...conditionExpression(write.when) } };
    }
    if ('update' in write) {
      const Key = marshallKey(write.update);
      return { Update: { TableName: name, Key, ...updateExpression(write.change, write.when) } };
    }
    const { text, values } = write.when;
    const check = { ...conditionExpression({ text, values }), ConditionExpression: text };
    return { ConditionCheck: { TableName: name, Key: marshallKey(write.check), ...check } };
  }

  return {
    page,

    async get(key: Key): Promise<Row | undefined> {
      const { Item } = await calls.getItem(client, {
        TableName: name,
        Key: marshallKey(key),
        ConsistentRead: true,
      });
      return Item && unmarshall(Item);
    },

    /** Returns rows in the order of the keys, which must differ. @throws `ThrottlingException` */
    async getMany(wanted: readonly Key[], spend?: (units: number) => void): Promise<(Row | undefined)[]> {
      const batches = await Promise.all(chunk(wanted, KEYS_PER_READ).map((batch) => readBatch(batch, spend)));
      const byName = new Map(batches.flat().map((row) => [nameOf(row), row]));
      return wanted.map(({ pk, sk }) => byName.get(`${pk}\0${sk}`));
    },

    async query(query: Query, spend?: (units: number) => void): Promise<Row[]> {
      const rows: Row[] = [];
      for (let after: string | undefined; ; ) {
        const next = await page({ ...query, after });
        spend?.(next.units);
        rows.push(...next.rows);
        if (next.last === undefined) return rows;
        after = next.last;
      }
    },

    put: (item: Row, when?: Condition): Promise<Written> =>
      conditional(async () => {
        await calls.putItem(client, {
          TableName: name,
          Item: marshallItem(item),
          ...conditionExpression(when),
          ...(when !== undefined && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        });
        return undefined;
      }),

    update: (key: Key, change: Change, when?: Condition, returning?: Returning): Promise<Written> =>
      conditional(async () => {
        const { Attributes } = await calls.updateItem(client, {
          TableName: name,
          Key: marshallKey(key),
          ...updateExpression(change, when),
          ...(returning !== undefined && { ReturnValues: returning }),
          ...(when !== undefined && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        });
        return Attributes && unmarshall(Attributes);
      }),

    async delete(key: Key) {
      await writing(() => calls.deleteItem(client, { TableName: name, Key: marshallKey(key) }));
    },

    /** Keys must differ. @throws `ThrottlingException` */
    async deleteMany(unwanted: readonly Key[]) {
      await writeMany(unwanted.map((key) => ({ DeleteRequest: { Key: marshallKey(key) } })));
    },

    /** Keys must differ. @throws `ThrottlingException` */
    async putMany(items: readonly Row[]) {
      await writeMany(items.map((item) => ({ PutRequest: { Item: marshallItem(item) } })));
    },

    /** At most `ITEMS_PER_TRANSACTION`. @throws `ThrottlingException` */
    transact: (writes: readonly Write[]): Promise<Transacted> =>
      retrying({ ...CONFLICT_RETRIES, pause, jitter }, async (): Promise<Attempt<Transacted>> => {
        try {
          // DynamoDB answers a repeated token as it answered the first request (API Reference, TransactWriteItems).
          const ClientRequestToken = randomUUID();
          const TransactItems = writes.map(transactItem);
          await writing(() => calls.transactWriteItems(client, { TransactItems, ClientRequestToken }));
          return { result: { done: true } };
        } catch (error) {
          if (!(error instanceof TransactionCanceledException)) throw error;
          const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
          const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
          if (failed.length > 0) return { result: { done: false, failed: new Set(failed) } };
          if (codes.includes('TransactionConflict')) return { retry: error };
          if (codes.some((code) => THROTTLED.has(code ?? '')))
            return { retry: throttled('TransactWriteItems') };
          throw error;
        }
      }),
  };
}

export type Table = ReturnType<typeof createTable>;
