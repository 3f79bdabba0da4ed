import { describe, expect, it } from 'vitest';
import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import type { MintTokensInput } from '../../../sdk/server/contract-types.ts';
import { createTestClock, START } from '../../support/service/test-clock.ts';
import { scriptedFetch } from '../../support/stand-ins/scripted-fetch.ts';
import { scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const KEY = 'svc_sk_p1_secret';
const messageOf = (options: unknown): string => {
  try {
    createCanvassClient(options as { baseUrl: string; secretKey: string });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
  throw new Error('it was taken');
};

describe('an obviously wrong address', () => {
  it.each([
    [undefined, 'not undefined'],
    [null, 'not null'],
    [42, 'not a number'],
    ['', 'not empty text'],
    ['surveys.example.com', 'not "surveys.example.com"'],
    ['file:///etc', 'not "file:///etc"'],
    ['https://h?x=1', 'without a query'],
    ['https://h#x', 'without a query'],
    ['https://ann:pw@h', 'without a user'],
  ])('is refused with the name of its option: %s', (baseUrl, said) => {
    const message = messageOf({ baseUrl, secretKey: KEY });
    expect(message).toMatch(/^baseUrl must be .*https:\/\/surveys\.example\.com/);
    expect(message).toContain(said);
  });

  it('is not repeated if it contains a secret', () => {
    expect(messageOf({ baseUrl: KEY, secretKey: 'https://h' })).not.toContain(KEY);
    for (const baseUrl of ['https://ann:pw@h', 'ftp://ann:pw@h'])
      expect(messageOf({ baseUrl, secretKey: KEY })).not.toContain('pw');
  });

  it('is reported with everything else missing', () => {
    expect(messageOf(undefined)).toContain('baseUrl must be');
    expect(messageOf('https://h')).toContain('baseUrl must be');
  });

  it.each([
    'https://canvass.test ',
    ' https://canvass.test',
    'https://canvass.test//',
    'https://canvass.test/a/',
    'https://canvass.test/a/v1',
    'https://canvass.test/v1/',
  ])('is not reported for %j', async (baseUrl) => {
    const { fetch, requests } = scriptedFetch(createTestClock(), Response.json({ surveys: [] }));
    await createCanvassClient({ baseUrl, secretKey: KEY, fetch }).surveys();
    const path = baseUrl.includes('/a') ? '/a' : '';
    expect(requests[0]?.url).toBe(`https://canvass.test${path}/v1/surveys`);
  });
});

describe('an obviously wrong key', () => {
  it.each([
    [undefined, 'not undefined'],
    ['', 'not empty text'],
    [7, 'not a number'],
    ['svc_pk_p1_public', 'not a publishable key'],
    [`${KEY}\n`, 'line break'],
    [`${KEY}\nhost: evil`, 'line break'],
    ['svc_sk_', 'begins'],
    ['nonsense', 'begins'],
  ])('is refused with the name of its option and not repeated: %j', (secretKey, said) => {
    const message = messageOf({ baseUrl: 'https://h', secretKey });
    expect(message).toMatch(/^secretKey must be a secret key/);
    expect(message).toContain(said);
    expect(message).not.toContain('p1');
    expect(message).not.toContain('nonsense');
  });
});

it.each([7, Number.NaN, {}, [], true, null, undefined, '', '   '])(
  'refuses an id that names nobody before anything is sent: %o',
  async (id) => {
    const { client, requests, clock } = scriptedClient(Response.json({}));
    const wrong = id as unknown as string;
    for (const call of [
      client.mintTokens({ respondentId: wrong, sessionId: 's' }),
      client.deferredAskLink({ respondentId: wrong, surveySlug: 'nps' }),
      client.erase({ respondentId: wrong }),
      client.exportResponses({ respondentId: wrong }),
    ])
      await expect(call).rejects.toThrow(/respondentId/);
    expect([requests.length, clock.now()]).toEqual([0, START]);
  },
);

describe('an input that is not JSON', () => {
  const circular: Record<string, unknown> = { respondentId: 'ann', sessionId: 's' };
  Object.assign(circular, { traceId: circular });

  it.each([
    ['a BigInt', { respondentId: 42n, sessionId: 's' }],
    ['a circle', circular],
  ])('is a TypeError at once: %s', async (_name, input) => {
    const { client, requests, clock } = scriptedClient(Response.json({}));
    await expect(client.mintTokens(input as unknown as MintTokensInput)).rejects.toBeInstanceOf(TypeError);
    expect([requests.length, clock.now()]).toEqual([0, START]);
  });
});
