import { ConditionalCheckFailedException, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import * as calls from '../../../../shared/data/table/calls.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { createTestTable, NO_LIMIT } from '../../../support/service/test-table.ts';

const { client, tableName: TableName, endpoint } = await createTestTable();

const putItem = (pk: string, sk = 'A', of = client) =>
  calls.putItem(of, { TableName, Item: marshall({ pk, sk, of: pk }) });
const itemsOf = async (pk: string, of = client) => {
  const ExpressionAttributeValues = marshall({ ':pk': pk });
  const { Items } = await calls.query(of, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues,
  });
  return Items;
};

it('answers each of many concurrent calls with its own input', async () => {
  const partitions = Array.from({ length: 700 }, anId);
  await Promise.all(partitions.map((pk) => putItem(pk)));
  const found = await Promise.all(partitions.map((pk) => itemsOf(pk)));
  expect(found).toEqual(partitions.map((pk) => [marshall({ pk, sk: 'A', of: pk })]));
});

it('does what the client does with the command', async () => {
  const pk = anId();
  await putItem(pk);
  const Key = marshall({ pk, sk: 'A' });
  const { $metadata: _own, ...read } = await calls.getItem(client, { TableName, Key });
  const { $metadata: _sent, ...sent } = await client.send(new GetItemCommand({ TableName, Key }));
  expect(read).toEqual(sent);
});

it('fails one call without affecting the next', async () => {
  const pk = anId();
  const once = (sk: string) =>
    calls.putItem(client, {
      TableName,
      Item: marshall({ pk, sk }),
      ConditionExpression: 'attribute_not_exists(pk)',
    });
  await once('A');
  await expect(once('A')).rejects.toThrow(ConditionalCheckFailedException);
  await once('B');
  expect(await itemsOf(pk)).toHaveLength(2);
});

it('uses the middleware of its own client for each call', async () => {
  const watched = createDynamodbClient({ endpoint, requestTimeoutMs: NO_LIMIT });
  const seen: (string | undefined)[] = [];
  watched.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        seen.push(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  const Key = marshall({ pk: anId(), sk: 'A' });
  await putItem(anId(), 'A', watched);
  await putItem(anId(), 'A', watched);
  await itemsOf(anId());
  await itemsOf(anId(), watched);
  await calls.getItem(watched, { TableName, Key });
  await calls.batchGetItem(watched, { RequestItems: { [TableName]: { Keys: [Key] } } });
  await calls.updateItem(watched, { TableName, Key });
  await calls.deleteItem(watched, { TableName, Key });
  await calls.batchWriteItem(watched, { RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } });
  await calls.transactWriteItems(watched, { TransactItems: [{ Delete: { TableName, Key } }] });
  expect(seen).toEqual([
    'PutItemCommand',
    'PutItemCommand',
    'QueryCommand',
    'GetItemCommand',
    'BatchGetItemCommand',
    'UpdateItemCommand',
    'DeleteItemCommand',
    'BatchWriteItemCommand',
    'TransactWriteItemsCommand',
  ]);
});
