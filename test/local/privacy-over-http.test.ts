/** Export and erase in every mode over real HTTP, against the local instance: the purge runs as deployed, waits shortened. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Instance, startInstance } from '../../local/instance.ts';
import { readRunningInstance } from '../../local/running-instance.ts';

import { scanAll } from '../support/scan-all.ts';
import { createTestClient } from '../support/service/test-table.ts';
import { until } from '../support/until.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({
    port: 0,
    dataFolder,
    inMemory: true,
    log: () => undefined,
    purgeWaitMs: 0,
  });
});
afterAll(async () => {
  await instance.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

const request = async (
  method: string,
  path: string,
  {
    body,
    secret = false,
    headers = {},
  }: {
    readonly body?: object;
    readonly secret?: boolean;
    readonly headers?: Record<string, string>;
  } = {},
) => {
  const { url, demo } = instance;
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(secret && { authorization: `Bearer ${demo.secretKey}` }) },
    ...(body !== undefined && { body: JSON.stringify({ key: demo.publishableKey, ...body }) }),
  });
  return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) };
};

async function answer(userId: string, slug: string): Promise<void> {
  const survey = instance.demo.surveys.find((known) => known.slug === slug);
  const { body } = await request('POST', '/v1/sdk/bootstrap', { body: { userId } });
  const showToken = body.showTokens[survey?.id ?? ''];
  const submission = { surveyId: survey?.id, showToken, rating: 1, text: 'over the wire' };
  const reply = await request('POST', '/v1/sdk/responses', { body: submission });
  expect(reply.status).toBe(201);
}

const exportOf = (query: string, encoding = 'identity') =>
  request('GET', `/v1/privacy/export?${query}`, { secret: true, headers: { 'accept-encoding': encoding } });
const erase = (query: string) => request('DELETE', `/v1/privacy/erase?${query}`, { secret: true });

/** In this order: each test leaves less. */
describe('privacy over HTTP', () => {
  let first = '';
  let second = '';
  beforeAll(async () => {
    [first = '', second = ''] = instance.demo.surveys.map(({ slug }) => slug);
    for (const person of ['ann', 'bob']) await answer(person, first);
    await answer('cy', second);
  });

  it('exports everything, a survey, a person, a person narrowed to a survey; plain, gzip and in pages', async () => {
    const all = await exportOf('');
    expect(all).toMatchObject({ status: 200, body: { count: 3, projectId: instance.demo.projectId } });
    expect(all.headers.get('content-encoding')).toBe(null);
    const zipped = await exportOf('', 'gzip');
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.body.responses).toEqual(all.body.responses);
    const paged: object[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await exportOf(`limit=1${cursor}`);
      paged.push(...body.responses);
      if (body.nextCursor === undefined) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(paged).toEqual(all.body.responses);

    expect((await exportOf(`surveySlug=${first}`)).body.count).toBe(2);
    const person = await exportOf('respondentId=ann');
    expect(person.body).toMatchObject({ count: 1, responses: [{ text: 'over the wire' }], dismissals: [] });
    expect((await exportOf(`respondentId=ann&surveySlug=${second}`)).body.count).toBe(0);
    expect((await exportOf('respondentId=ann&email=ann@example.org')).body.count).toBe(1);
  });

  it('refuses what it must, and erases nothing then', async () => {
    const refusals = [
      [await exportOf('respondentId=nobody'), 404, 'respondent_not_found'],
      [await exportOf('email=nobody@example.org'), 404, 'respondent_not_found'],
      [await exportOf('surveySlug=none'), 404, 'survey_not_found'],
      [await exportOf('limit=0'), 400, 'invalid_request'],
      [await exportOf('cursor=none'), 400, 'invalid_request'],
      [await request('GET', '/v1/privacy/export'), 401, 'invalid_key'],
      [await erase(''), 400, 'ambiguous_erase'],
      [await erase(`respondentId=ann&surveySlug=${first}`), 400, 'ambiguous_erase'],
      [await erase('account=false'), 400, 'invalid_request'],
      [await erase('respondentId=nobody'), 404, 'respondent_not_found'],
      [await erase('surveySlug=none'), 404, 'survey_not_found'],
      [await request('DELETE', '/v1/privacy/erase?account=true'), 401, 'invalid_key'],
    ] as const;
    for (const [{ status, body }, expected, code] of refusals) {
      expect([status, body.error.code]).toEqual([expected, code]);
    }
    expect((await exportOf('')).body.count).toBe(3);
  });

  it('erases a person, by either id or both', async () => {
    expect(await erase('respondentId=ann&email=Ann@example.org')).toMatchObject({
      status: 200,
      body: { mode: 'respondent', responsesDeleted: 1, dismissalsDeleted: 0, suppressionRetained: 1 },
    });
    for (const query of ['respondentId=ann', 'email=ann@example.org']) {
      expect(await erase(query)).toMatchObject({ status: 200, body: { responsesDeleted: 0 } });
      expect(await exportOf(query)).toMatchObject({ status: 200, body: { count: 0 } });
    }
    expect((await exportOf('')).body.count).toBe(2);
  });

  it('purges a survey, its definition last', async () => {
    expect(await erase(`surveySlug=${second}`)).toMatchObject({
      status: 200,
      body: { mode: 'survey', responsesDeleted: 1, surveySlug: second },
    });
    await until(async () => (await erase(`surveySlug=${second}`)).status === 404);
    const { body } = await request('POST', '/v1/sdk/bootstrap', { body: {} });
    expect(body.surveys).toHaveLength(instance.demo.surveys.length - 1);
    expect((await exportOf('')).body.count).toBe(1);
  });

  it('purges the account: its keys at once, then everything but the record', async () => {
    expect(await erase('account=true')).toMatchObject({
      status: 200,
      body: { mode: 'account', note: expect.stringContaining('Execution') },
    });
    expect((await exportOf('')).status).toBe(401);
    const running = readRunningInstance(dataFolder);
    const table = {
      client: createTestClient(running?.dynamodbEndpoint ?? ''),
      tableName: running?.tableName ?? '',
    };
    const left = () => scanAll(table, instance.demo.projectId);
    await until(async () => (await left()).every(({ state }) => state === 'done'));
    expect(await left()).toMatchObject([{ type: 'purge' }]);
  });
});
