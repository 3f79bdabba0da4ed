import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { emulatorClientConfig, startEmbeddedDynamodb } from '../../../local/embedded-dynamodb.ts';
import { fileCheckpoint, startStreamTail } from '../../../local/stream/tail.ts';
import { createPlainTable } from '../plain-table.ts';

// A process that tests kill while it writes. It prints its endpoint and what was acknowledged, and stores what its tail
// received.
const [, , folder = ''] = process.argv;
const { endpoint } = await startEmbeddedDynamodb({ dataFolder: folder });
const client = new DynamoDBClient(emulatorClientConfig(endpoint));
await createPlainTable(client, 'items');
startStreamTail({
  endpoint,
  tableName: 'items',
  functionName: 'tested',
  checkpoint: fileCheckpoint(join(folder, 'stream.json')),
  handler: async ({ Records }) => {
    const keys = Records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);
    appendFileSync(join(folder, 'seen'), `${keys.join('\n')}\n`);
  },
});
console.log(endpoint);
for (let n = 0; ; n++) {
  await client.send(new PutItemCommand({ TableName: 'items', Item: { pk: { S: String(n) } } }));
  console.log(n);
}
