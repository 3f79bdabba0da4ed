import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { writePrivateFile } from '../../local/data-folder.ts';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../local/running-instance.ts';
import { createPurgeRecords } from '../../shared/data/privacy/purges.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { runInProcess } from '../support/admin-cli.ts';
import { startFaultProxy } from '../support/faults/fault-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

async function start(dataFolder: string, more: Partial<InstanceOptions> = {}): Promise<Instance> {
  const options = { port: 0, dataFolder, inMemory: false, log: () => undefined, purgeWaitMs: 0, ...more };
  const instance = await startInstance(options);
  onTestFinished(instance.stop);
  return instance;
}

async function answer({ url, demo }: Instance, userId: string, text: string): Promise<void> {
  const { publishableKey: key, surveys } = demo;
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify({ key, ...body }) });
  const asked = JSON.parse(await (await post('/v1/sdk/bootstrap', { userId })).text());
  const [surveyId = ''] = surveys.map(({ id }) => id);
  const showToken = asked.showTokens[surveyId];
  expect((await post('/v1/sdk/responses', { surveyId, showToken, rating: 1, text })).status).toBe(201);
}

const erase = ({ url, demo }: Instance, query: string) =>
  fetch(`${url}/v1/privacy/erase?${query}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${demo.secretKey}` },
  });

const holds = (folder: string, words: string) =>
  readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(words));

function streamRecords(folder: string): number {
  const database = new DatabaseSync(join(folder, 'dynamodb.db'), { readOnly: true });
  const row = database.prepare('SELECT count(*) AS records FROM _stream_records').get();
  database.close();
  return Number(row?.records);
}

test('counts answers and erasures once, even if a restart delivers them again', async () => {
  const folder = temporaryFolder();
  const instance = await start(folder);
  const count = async ({ url, demo }: Instance) => {
    const query = new URLSearchParams({ surveyId: demo.surveys[0]?.id ?? '' });
    const headers = { authorization: `Bearer ${demo.secretKey}` };
    const reply: unknown = await (await fetch(`${url}/v1/results?${query}`, { headers })).json();
    return (reply as { responses: number }).responses;
  };
  for (const person of ['ann', 'bob', 'cy']) await answer(instance, person, 'words');
  await until(async () => (await count(instance)) === 3);
  await erase(instance, 'respondentId=ann');
  await until(async () => (await count(instance)) === 2);
  await instance.stop();
  rmSync(join(folder, 'stream.json'));
  const again = await start(folder);
  await answer(again, 'dot', 'words');
  await until(async () => (await count(again)) === 3);
});

test('deletes stream records once they are handled', async () => {
  const folder = temporaryFolder();
  const instance = await start(folder);
  for (let n = 0; n < 20; n++) await answer(instance, `person-${n}`, 'words');
  await until(() => streamRecords(folder) === 1);
  await instance.stop();
  await answer(await start(folder), 'another', 'words');
});

test('removes erased text from the data folder while the service runs', async () => {
  const folder = temporaryFolder();
  const instance = await start(folder);
  for (const person of ['ann', 'bob']) await answer(instance, person, `the words of ${person}`);
  expect((await erase(instance, 'respondentId=ann')).status).toBe(200);
  await until(() => !holds(folder, 'the words of ann'));
  expect(holds(folder, 'the words of bob')).toBe(true);
});

test('removes erased text when the service stops', async () => {
  const folder = temporaryFolder();
  const instance = await start(folder);
  for (const person of ['ann', 'bob']) await answer(instance, person, `the words of ${person}`);
  await erase(instance, 'respondentId=ann');
  await instance.stop();
  expect(holds(folder, 'the words of ann')).toBe(false);
  expect(holds(folder, 'the words of bob')).toBe(true);
});

test('resumes a purge that was interrupted', async () => {
  const folder = temporaryFolder();
  const before = await start(folder, { purgeWaitMs: 3_600_000 });
  await answer(before, 'ann', 'words');
  expect((await erase(before, 'account=true')).status).toBe(200);
  const purgeState = async () => {
    const client = createDynamodbClient({ endpoint: readRunningInstance(folder)?.dynamodbEndpoint });
    const table = createTable(client, { name: LOCAL_TABLE_NAME });
    const [record] = await createPurgeRecords(table).list(before.demo.projectId);
    client.destroy();
    return record?.state;
  };
  await until(async () => (await purgeState()) === 'running');
  await before.stop();
  await start(folder);
  await until(async () => (await purgeState()) === 'done');
});

test('reserves the table of a shared DynamoDB for one data folder', async () => {
  const dynamodb = await startEmbeddedDynamodb();
  onTestFinished(dynamodb.stop);
  const shared = { dynamodbEndpoint: dynamodb.endpoint };
  const folder = temporaryFolder();
  const first = await start(folder, shared);
  const refused = expect.objectContaining({
    code: 'table_in_use',
    message: expect.stringContaining('--data'),
  });
  await expect(start(temporaryFolder(), shared)).rejects.toEqual(refused);
  await first.stop();
  await expect(start(temporaryFolder(), { ...shared, inMemory: true })).rejects.toEqual(refused);
  await start(folder, shared);
});

test('waits for a slow DynamoDB until the deadline of the request, and does not ask it again', async () => {
  const dynamodb = await startEmbeddedDynamodb();
  onTestFinished(dynamodb.stop);
  const proxy = await startFaultProxy(dynamodb.endpoint);
  onTestFinished(proxy.stop);
  const { url, demo } = await start(temporaryFolder(), { dynamodbEndpoint: proxy.endpoint });
  proxy.inject({ operation: 'Query', fault: 'hang', containing: demo.projectId });
  const headers = { authorization: `Bearer ${demo.secretKey}` };
  const { status } = await fetch(`${url}/v1/surveys`, { headers });
  const hanging = proxy.calls.filter(({ fault }) => fault === 'hang');
  expect([status, hanging.length]).toEqual([503, 1]);
});

test('owns the table of a DynamoDB that it started', async () => {
  const folder = temporaryFolder();
  const owner = await start(folder, { inMemory: true });
  const dynamodbEndpoint = readRunningInstance(folder)?.dynamodbEndpoint;
  await expect(start(temporaryFolder(), { dynamodbEndpoint })).rejects.toMatchObject({
    code: 'table_in_use',
  });
  await answer(owner, 'ann', 'words');
});

test('accepts keys that the command line created, even if it keeps nothing', async () => {
  const folder = temporaryFolder();
  const { url } = await start(folder, { inMemory: true });
  const args = ['project', 'create', '--name', 'Shop', '--local', '--data', folder, '--json'];
  const { status, stdout } = await runInProcess(args);
  expect(status).toBe(0);
  const { publishableKey } = JSON.parse(stdout);
  const asked = await fetch(`${url}/v1/sdk/bootstrap?key=${publishableKey}`, { method: 'POST' });
  expect(asked.status).toBe(200);
});

test('returns stored data only under names of this machine', async () => {
  const { url } = await start(temporaryFolder(), { inMemory: true });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const path = `${url}/demo/stored?respondentId=demo-user`;
      get(path, { headers: { ...headers, host } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      }).on('error', reject);
    });
  const { host, port } = new URL(url);
  for (const name of [host, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost'])
    expect(await statusFor(name), name).toBe(200);
  for (const name of ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.nip.io', 'evil@localhost'])
    expect(await statusFor(name), name).toBe(403);
});

test('replaces demo keys that no longer work', async () => {
  const folder = temporaryFolder();
  const before = await start(folder);
  await before.stop();
  const { projectId, publishableKey, secretKey } = before.demo;
  const withoutCheck = publishableKey.slice(0, -16);
  writePrivateFile(
    join(folder, 'demo.json'),
    JSON.stringify({ projectId, publishableKey: withoutCheck, secretKey }),
  );
  const after = await start(folder);
  expect(after.demo).toMatchObject({ projectId, secretKey });
  expect(after.demo.publishableKey).not.toBe(publishableKey);
  await answer(after, 'ann', 'words');
});
