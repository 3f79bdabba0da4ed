/** Export and erase in every mode over real HTTP, against the local instance: the purge runs as deployed, waits shortened. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Instance, startInstance } from '../../local/instance.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ port: 0, dataFolder, inMemory: true, log: () => undefined });
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

async function answer(userId: string, slug: string): Promise<string> {
  const survey = instance.demo.surveys.find((known) => known.slug === slug);
  const { body } = await request('POST', '/v1/sdk/bootstrap', { body: { userId } });
  const showToken = body.showTokens[survey?.id ?? ''];
  const submission = { surveyId: survey?.id, showToken, rating: 1, text: 'over the wire' };
  const reply = await request('POST', '/v1/sdk/responses', { body: submission });
  expect(reply.status).toBe(201);
  return showToken;
}

describe('privacy over HTTP', () => {
  it('exports a person, plain and gzip, erases the person, then a survey, then the account', async () => {
    const [first, second] = instance.demo.surveys.map(({ slug }) => slug);
    await answer('ann', first ?? '');
    await answer('bob', second ?? '');

    const plain = await request('GET', '/v1/privacy/export?respondentId=ann', {
      secret: true,
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.body).toMatchObject({ count: 1, responses: [{ text: 'over the wire' }], dismissals: [] });
    expect(plain.headers.get('content-encoding')).toBe(null);
    const zipped = await request('GET', '/v1/privacy/export?respondentId=ann', {
      secret: true,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.body.responses).toEqual(plain.body.responses);

    expect((await request('DELETE', '/v1/privacy/erase', { secret: true })).body.error.code).toBe(
      'ambiguous_erase',
    );
    const person = await request('DELETE', '/v1/privacy/erase?respondentId=ann', { secret: true });
    expect(person).toMatchObject({
      status: 200,
      body: { mode: 'respondent', responsesDeleted: 1, suppressionRetained: 1 },
    });

    const survey = await request('DELETE', `/v1/privacy/erase?surveySlug=${second}`, { secret: true });
    expect(survey).toMatchObject({ status: 200, body: { mode: 'survey', responsesDeleted: 1 } });
    await vi.waitFor(
      async () => {
        const { body } = await request('POST', '/v1/sdk/bootstrap', { body: {} });
        expect(body.surveys).toHaveLength(instance.demo.surveys.length - 1);
        const again = await request('DELETE', `/v1/privacy/erase?surveySlug=${second}`, { secret: true });
        expect(again.status).toBe(404);
      },
      { timeout: 20_000, interval: 500 },
    );

    const account = await request('DELETE', '/v1/privacy/erase?account=true', { secret: true });
    expect(account).toMatchObject({
      status: 200,
      body: { mode: 'account', note: expect.stringContaining('Execution') },
    });
    expect((await request('GET', '/v1/privacy/export', { secret: true })).status).toBe(401);
  });
});
