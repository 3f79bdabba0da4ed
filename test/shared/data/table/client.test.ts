import { createServer, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../../../local/listen.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';

let server: Server;
let endpoint: string;
let requests = 0;

beforeAll(async () => {
  server = createServer(() => {
    requests += 1;
  });
  endpoint = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('gives up an unanswered call after three attempts, each ended by its time limit', async () => {
  const client = createDynamodbClient({ endpoint, requestTimeoutMs: 100 });
  const get = new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' }, sk: { S: 'b' } } });
  await expect(client.send(get)).rejects.toMatchObject({
    name: 'TimeoutError',
    $metadata: { attempts: 3 },
  });
  expect(requests).toBeLessThanOrEqual(3);
});

it('has a configuration that V8 copies fast, from the start and after a call', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const isFast: (object: object) => boolean = runInThisContext('(object) => %HasFastProperties(object)');
  const client = createDynamodbClient({ endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
  expect(isFast(client.config)).toBe(true);
  const get = new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' }, sk: { S: 'b' } } });
  await expect(client.send(get)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(isFast(client.config)).toBe(true);
});

it("leaves out only the SDK's log lines", () => {
  const partsOf = (client: DynamoDBClient) =>
    client.middlewareStack.identify().map((part) => part.split(':')[0]);
  const shipped = partsOf(new DynamoDBClient({ endpoint, region: 'us-east-1' }));
  const own = new Set(partsOf(createDynamodbClient({ endpoint })));
  expect(shipped.filter((part) => !own.has(part))).toEqual(['loggerMiddleware - initialize']);
});
