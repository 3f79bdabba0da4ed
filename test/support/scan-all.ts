import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item, TestTable } from './service/test-table.ts';

export async function scanAll(
  { client, tableName }: Pick<TestTable, 'client' | 'tableName'>,
  projectId: string,
): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []));
  const text = (item: Item) =>
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value].sort() : value));
  return items
    .filter((item) => text(item).includes(projectId))
    .sort((a, b) => `${a.pk}\0${a.sk}`.localeCompare(`${b.pk}\0${b.sk}`));
}
