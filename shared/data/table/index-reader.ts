/** Reading a page of an index partition. Index reads lag and may repeat: their reader hydrates by key. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as calls from './calls.ts';
import { queryExpression } from './expressions.ts';
import { type Key, TABLE } from './schema.ts';

export interface IndexQuery {
  readonly index: keyof typeof TABLE.indexes;
  readonly partition: string;
  /** Only entries whose order sorts after this. */
  readonly after?: string | undefined;
  /** Only entries whose order begins with this. */
  readonly prefix?: string | undefined;
  readonly limit: number;
}

export interface IndexEntry {
  readonly key: Key;
  /** The index's sort key, unique within its partition. */
  readonly order: string;
}

export interface IndexPage {
  readonly entries: readonly IndexEntry[];
  /** Whether there may be entries after the last of these; never true of an empty page. */
  readonly more: boolean;
}

export type ReadIndex = (query: IndexQuery) => Promise<IndexPage>;

/** Sorts behind whatever continues a prefix. */
const LAST = '\u{10ffff}';

/** NUL makes the lower bound exclusive: a key may carry one condition only. */
function boundsOf({ after, prefix }: IndexQuery): { from?: string; to?: string } {
  if (prefix === undefined) return after === undefined ? {} : { from: `${after}\0` };
  return { from: after !== undefined && after >= prefix ? `${after}\0` : prefix, to: `${prefix}${LAST}` };
}

export function createIndexReader(client: DynamoDBClient, tableName: string): ReadIndex {
  return async (query) => {
    const keys = TABLE.indexes[query.index];
    const { Items = [], LastEvaluatedKey } = await calls.query(client, {
      TableName: tableName,
      IndexName: keys.name,
      ...queryExpression(keys, query.partition, boundsOf(query), undefined),
      Limit: query.limit,
    });
    const entries = Items.map((item) => {
      const row = unmarshall(item);
      return {
        key: { pk: String(row[TABLE.partitionKey]), sk: String(row[TABLE.sortKey]) },
        order: String(row[keys.sortKey]),
      };
    });
    return { entries, more: LastEvaluatedKey !== undefined && entries.length > 0 };
  };
}
