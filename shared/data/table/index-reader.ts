/** Reading a page of an index partition. Index reads lag and may repeat: whoever reads one hydrates by key. */

import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, TABLE } from './schema.ts';

export interface IndexQuery {
  readonly index: keyof typeof TABLE.indexes;
  readonly partition: string;
  /** Only entries whose order sorts after this. */
  readonly after?: string;
  /** Only entries whose order begins with this. */
  readonly prefix?: string;
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

function orderCondition({ after, prefix }: IndexQuery): {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
} {
  if (prefix === undefined) {
    if (after === undefined) return { condition: '', values: {} };
    return { condition: ' AND #order > :after', values: { ':after': after } };
  }
  // A key may carry one condition only; NUL makes the lower bound exclusive.
  const from = after !== undefined && after >= prefix ? `${after}\0` : prefix;
  return {
    condition: ' AND #order BETWEEN :from AND :to',
    values: { ':from': from, ':to': `${prefix}${LAST}` },
  };
}

export function createIndexReader(client: DynamoDBDocumentClient, tableName: string): ReadIndex {
  return async (query) => {
    const { name, partitionKey, sortKey } = TABLE.indexes[query.index];
    const { condition, values } = orderCondition(query);
    const output = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: name,
        KeyConditionExpression: `#partition = :partition${condition}`,
        ExpressionAttributeNames: {
          '#partition': partitionKey,
          ...(condition !== '' && { '#order': sortKey }),
        },
        ExpressionAttributeValues: { ':partition': query.partition, ...values },
        Limit: query.limit,
      }),
    );
    const entries = (output.Items ?? []).map((item) => ({
      key: { pk: item[TABLE.partitionKey], sk: item[TABLE.sortKey] },
      order: item[sortKey],
    }));
    return { entries, more: output.LastEvaluatedKey !== undefined && entries.length > 0 };
  };
}
