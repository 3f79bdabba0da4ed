import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../../shared/data/table/schema.ts';
import type { Item, TestTable } from './test-table.ts';

export async function takeBackup({ client, tableName }: TestTable): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

async function write({ client, tableName }: TestTable, requests: object[]): Promise<void> {
  for (let start = 0; start < requests.length; start += 25) {
    const batch = requests.slice(start, start + 25);
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: batch } }));
  }
}

/** Restores the table, but keeps the log of erasures. */
export async function restoreTable(table: TestTable, backup: readonly Item[]): Promise<void> {
  const now = await takeBackup(table);
  await write(
    table,
    now.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );
  await write(
    table,
    backup.map((Item) => ({ PutRequest: { Item } })),
  );
}

/** DynamoDB restores tables with time to live switched off. */
export async function forgetTimeToLive({ client, tableName: TableName }: TestTable): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: false };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
