import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';
import { emulatorClientConfig } from '../../local/emulator-client.ts';
import { createPlainTable } from './plain-table.ts';

// A process for the tests to kill: it prints its endpoint, then writes items and prints each one that was acknowledged.
const dynamodb = await startEmbeddedDynamodb({ dataFolder: process.argv[2] });
const client = new DynamoDBClient(emulatorClientConfig(dynamodb.endpoint));
await createPlainTable(client, 'items');
console.log(dynamodb.endpoint);
for (let n = 0; ; n++) {
  await client.send(new PutItemCommand({ TableName: 'items', Item: { pk: { S: String(n) } } }));
  console.log(n);
}
