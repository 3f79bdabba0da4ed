import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createDocumentClient } from '../../../../shared/data/table/client.ts';
import { putItem, queryPage } from '../../../../shared/data/table/prepared-calls.ts';
import { anId } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/test-table.ts';

const { client, tableName: TableName, endpoint } = await createTestTable();

const itemsOf = async (pk: string, Limit = 10) =>
  queryPage(client, { ':pk': pk }, { TableName, KeyConditionExpression: 'pk = :pk', Limit });

it('answers each of many calls at once with its own input', async () => {
  const partitions = Array.from({ length: 40 }, anId);
  await Promise.all(partitions.map((pk) => putItem(client, { pk, sk: 'A', of: pk }, { TableName })));
  const pages = await Promise.all(partitions.map((pk) => itemsOf(pk)));
  expect(pages.map(({ items }) => items)).toEqual(partitions.map((pk) => [{ pk, sk: 'A', of: pk }]));
});

it('stores what the document client would have stored', async () => {
  const item = {
    pk: anId(),
    sk: 'A',
    text: 'ä',
    rating: 0,
    nested: { on: true, list: [1, 'b'] },
    none: undefined,
  };
  await putItem(client, item, { TableName });
  const { none, ...stored } = item;
  const { Item } = await client.send(new GetCommand({ TableName, Key: { pk: item.pk, sk: 'A' } }));
  expect(Item).toEqual(stored);
});

it('tells where a page ends, and nothing when there is no more', async () => {
  const pk = anId();
  for (const sk of ['A', 'B', 'C']) await putItem(client, { pk, sk }, { TableName });
  expect((await itemsOf(pk, 2)).lastKey).toEqual({ pk, sk: 'B' });
  expect(await itemsOf(pk)).toEqual({ items: ['A', 'B', 'C'].map((sk) => ({ pk, sk })) });
});

it('fails one call without touching the next', async () => {
  const pk = anId();
  const options = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
  await putItem(client, { pk, sk: 'A' }, options);
  await expect(putItem(client, { pk, sk: 'A' }, options)).rejects.toThrow(ConditionalCheckFailedException);
  await putItem(client, { pk, sk: 'B' }, options);
  expect((await itemsOf(pk)).items).toHaveLength(2);
});

it('goes through the middleware of its own client', async () => {
  const watched = createDocumentClient({ endpoint });
  const seen: (string | undefined)[] = [];
  watched.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        seen.push(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  await putItem(watched, { pk: anId(), sk: 'A' }, { TableName });
  await putItem(watched, { pk: anId(), sk: 'A' }, { TableName });
  await itemsOf(anId());
  expect(seen).toEqual(['PutItemCommand', 'PutItemCommand']);
});
