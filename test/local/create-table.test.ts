import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createTable } from '../../local/create-table.ts';
import { contactShardEntry, contactShardPartition, TABLE } from '../../shared/data/table/schema.ts';
import { createTestTable } from '../support/service/test-table.ts';

it('adds a missing index to the table of an earlier version, with its entries', async () => {
  const { client, tableName, table, readIndex } = await createTestTable();
  const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName: TABLE.indexes.byContact.name } }];
  await client.send(new UpdateTableCommand({ TableName: tableName, GlobalSecondaryIndexUpdates }));
  const row = { id: 'r', surveyId: 's', at: '2026-11-20T09:30:00.000Z' };
  await table.put({ pk: 'P#p', sk: 'r', type: 'response', ...contactShardEntry('p', 'open', 0, row) });
  const read = () =>
    readIndex({ index: 'byContact', partition: contactShardPartition('p', 'open', 0), limit: 10 });
  await expect(read()).rejects.toThrow('index');

  for (const _ of ['first', 'again']) await createTable(client, tableName);
  expect((await read()).entries).toMatchObject([{ key: { pk: 'P#p', sk: 'r' } }]);
});
