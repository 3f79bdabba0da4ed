import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../../../local/listen.ts';
import { createDynamodbClient, KeyedSha256 } from '../../../../shared/data/table/client.ts';

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

const SECRET = 'a secret of some length';
const BYTES = new TextEncoder().encode(SECRET);

it.each([
  ['text', SECRET],
  ['bytes', BYTES],
  ['a view of bytes', new DataView(BYTES.buffer)],
  ['a buffer of bytes', BYTES.buffer],
])('returns the HMAC when keyed by %s', async (_, secret) => {
  for (let again = 0; again < 2; again += 1) {
    const hash = new KeyedSha256(secret);
    hash.update('one ');
    hash.update(Buffer.from('two'));
    expect(await hash.digest()).toEqual(createHmac('sha256', SECRET).update('one two').digest());
  }
});

it('returns the hash without a key', async () => {
  const hash = new KeyedSha256();
  hash.update('text');
  expect(await hash.digest()).toEqual(createHash('sha256').update('text').digest());
});

it("signs a request like the SDK's own class", async () => {
  const signedBy = async (sha256: typeof Sha256 | typeof KeyedSha256) => {
    const credentials = { accessKeyId: 'id', secretAccessKey: SECRET, sessionToken: 'session' };
    const signer = new SignatureV4({ service: 'dynamodb', region: 'eu-west-1', sha256, credentials });
    const request = new HttpRequest({ method: 'POST', hostname: 'h', headers: { host: 'h' }, body: '{}' });
    return (await signer.sign(request, { signingDate: new Date(0) })).headers.authorization;
  };
  expect(await signedBy(KeyedSha256)).toBe(await signedBy(Sha256));
});
