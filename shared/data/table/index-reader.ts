/** Index reads may lag and repeat entries, so readers fetch rows by key. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as calls from './calls.ts';
import { queryExpression } from './expressions.ts';
import { type Key, TABLE } from './schema.ts';

export interface IndexQuery {
  readonly index: keyof typeof TABLE.indexes;
  readonly partition: string;
  /** An exclusive bound in the direction of the page. */
  readonly after?: string | undefined;
  readonly prefix?: string | undefined;
  /** Inclusive bounds. Both also match orders that begin with them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly limit: number;
}

export interface IndexEntry {
  readonly key: Key;
  /** Unique within its partition. */
  readonly order: string;
}

export interface IndexPage {
  readonly entries: readonly IndexEntry[];
  /** Never true for an empty page. */
  readonly more: boolean;
}

export type ReadIndex = (query: IndexQuery) => Promise<IndexPage>;

/** Sorts after every continuation of a prefix. */
const LAST = '\u{10ffff}';

/** The NUL makes the bound exclusive, because a query allows only one condition on the sort key. */
function boundsOf({ after, prefix, from = prefix, to = prefix, descending }: IndexQuery): {
  from?: string;
  to?: string;
} {
  const low = descending !== true && after !== undefined && after >= (from ?? '') ? `${after}\0` : from;
  const end = to === undefined ? undefined : `${to}${LAST}`;
  const high = descending === true && after !== undefined && after <= (end ?? after) ? after : end;
  return { ...(low !== undefined && { from: low }), ...(high !== undefined && { to: high }) };
}

export function createIndexReader(client: DynamoDBClient, tableName: string): ReadIndex {
  return async (query) => {
    const keys = TABLE.indexes[query.index];
    const isContinuedDown = query.descending === true && query.after !== undefined;
    const { Items = [], LastEvaluatedKey } = await calls.query(client, {
      TableName: tableName,
      IndexName: keys.name,
      ...queryExpression(keys, query.partition, boundsOf(query), undefined),
      // The last entry of the previous page appears again.
      Limit: query.limit + (isContinuedDown ? 1 : 0),
      ...(query.descending === true && { ScanIndexForward: false }),
    });
    const entries = Items.map((item) => {
      const row = unmarshall(item);
      return {
        key: { pk: String(row[TABLE.partitionKey]), sk: String(row[TABLE.sortKey]) },
        order: String(row[keys.sortKey]),
      };
    }).filter(({ order }) => !isContinuedDown || order !== query.after);
    return { entries, more: LastEvaluatedKey !== undefined && entries.length > 0 };
  };
}

export interface KeyPage {
  readonly keys: readonly Key[];
  readonly more: boolean;
  readonly orders: readonly string[];
}

export async function* eachPage(
  readIndex: ReadIndex,
  { after: begin, ...query }: IndexQuery,
): AsyncGenerator<KeyPage> {
  for (let after = begin; ; ) {
    const { entries, more } = await readIndex({ ...query, after });
    const byOrder = new Map(entries.map(({ order, key }) => [order, key]));
    const [keys, orders] = [[...byOrder.values()], [...byOrder.keys()]];
    yield { keys, orders, more };
    after = entries.at(-1)?.order;
    if (!more || after === undefined) return;
  }
}

const LARGEST_PAGE = 100;

export interface ShardWalk extends Omit<IndexQuery, 'partition' | 'limit'> {
  readonly partitions: readonly string[];
  /** Determines the size of the first reads. It is not a limit. */
  readonly expected: number;
}

interface Lane {
  readonly partition: string;
  waiting: readonly IndexEntry[];
  next: number;
  position: string | undefined;
  limit: number;
  exhausted: boolean;
}

function head(lane: Lane): IndexEntry | undefined {
  return lane.waiting[lane.next];
}

/**
 * A lagging index may show a row in two partitions; it is yielded once. Partitions are read no further than is
 * consumed.
 */
export async function* mergeShards(read: ReadIndex, walk: ShardWalk): AsyncGenerator<IndexEntry> {
  const { partitions, expected, after, ...query } = walk;
  // Most pages then need one read of each partition.
  const limit = Math.min(LARGEST_PAGE, Math.ceil((2 * expected) / partitions.length) + 2);
  const lanes: Lane[] = partitions.map((partition) => ({
    partition,
    waiting: [],
    next: 0,
    position: after,
    limit,
    exhausted: false,
  }));

  async function refill(lane: Lane): Promise<void> {
    const { partition, position } = lane;
    const { entries, more } = await read({
      ...query,
      partition,
      limit: lane.limit,
      after: position,
    });
    lane.waiting = entries;
    lane.next = 0;
    lane.position = entries.at(-1)?.order ?? position;
    lane.limit = Math.min(LARGEST_PAGE, lane.limit * 2);
    lane.exhausted = !more;
  }

  const isBefore = (one: string, other: string) => (query.descending === true ? one > other : one < other);
  let last = after;
  for (;;) {
    const dry = lanes.filter((lane) => head(lane) === undefined && !lane.exhausted);
    if (dry.length > 0) await Promise.all(dry.map(refill));
    let first: Lane | undefined;
    for (const lane of lanes) {
      const order = head(lane)?.order;
      const best = first === undefined ? undefined : head(first)?.order;
      if (order !== undefined && (best === undefined || isBefore(order, best))) first = lane;
    }
    const entry = first === undefined ? undefined : head(first);
    if (first === undefined || entry === undefined) return;
    first.next += 1;
    if (last !== undefined && !isBefore(last, entry.order)) continue;
    last = entry.order;
    yield entry;
  }
}
