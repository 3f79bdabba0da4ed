import { createHash } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { SecretSource } from '../shared/crypto/secret-cache.ts';
import { ERASURE_LOG, TABLE } from '../shared/data/table/schema.ts';
import type { Table } from '../shared/data/table/table.ts';
import { LocalError } from './local-error.ts';

interface Keys {
  readonly partitionKey: string;
  readonly sortKey: string;
}

const keySchema = ({ partitionKey, sortKey }: Keys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

const attributesOf = ({ partitionKey, sortKey }: Keys) =>
  [partitionKey, sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' as const }));

async function create(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly [Keys, ...Keys[]],
  more: Partial<CreateTableCommandInput> = {},
): Promise<boolean> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.flatMap(attributesOf),
        KeySchema: keySchema(keys[0]),
        ...more,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

async function expire(client: DynamoDBClient, tableName: string, attribute: string): Promise<void> {
  const timeToLive = { AttributeName: attribute, Enabled: true };
  await client.send(
    new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: timeToLive }),
  );
}

interface Index extends Keys {
  readonly name: string;
}

const indexOf = ({ name, ...keys }: Index) => ({
  IndexName: name,
  KeySchema: keySchema(keys),
  Projection: { ProjectionType: 'KEYS_ONLY' as const },
});

/** A table of an earlier version may lack indexes. DynamoDB creates one at a time. */
async function addIndexes(client: DynamoDBClient, TableName: string, wanted: readonly Index[]) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const names = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? [];
  for (const index of wanted.filter(({ name }) => !names.includes(name))) {
    await client.send(
      new UpdateTableCommand({
        TableName,
        AttributeDefinitions: attributesOf(index),
        GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
      }),
    );
  }
}

export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const indexes = Object.values(TABLE.indexes);
  const isNew = await create(client, tableName, [TABLE, ...indexes], {
    GlobalSecondaryIndexes: indexes.map(indexOf),
    StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.stream },
  });
  if (isNew) await expire(client, tableName, TABLE.timeToLive);
  else await addIndexes(client, tableName, indexes);
}

export async function createErasureLogTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const isNew = await create(client, tableName, [ERASURE_LOG]);
  if (isNew) await expire(client, tableName, ERASURE_LOG.timeToLive);
}

/**
 * Reserves the table of a shared DynamoDB. An instance with other secrets would count answers twice and match no
 * respondents.
 * @param isOwn whether this instance started the DynamoDB, which makes the table its own
 * @throws {LocalError} `table_in_use`
 */
export async function claimTable(
  table: Table,
  secrets: SecretSource,
  { isOwn }: { readonly isOwn: boolean },
): Promise<void> {
  const owner = createHash('sha256')
    .update(await secrets.readHashSecret())
    .digest('hex');
  const claimed = await table.put(
    { pk: 'LOCAL', sk: 'OWNER', type: 'local-owner', owner },
    isOwn ? undefined : { text: 'attribute_not_exists(#pk) OR #owner = :owner', values: { owner } },
  );
  if (claimed.done) return;
  throw new LocalError(
    'table_in_use',
    'The table of this DYNAMODB_ENDPOINT belongs to another data folder. Use that folder (--data), or another DynamoDB.',
  );
}
