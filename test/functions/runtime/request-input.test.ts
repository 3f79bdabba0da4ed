import { beforeEach, describe, expect, it } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { readServiceConfig } from '../../../functions/runtime/service-config.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { BODY_LIMIT_BYTES } from '../../../shared/contract/route.ts';
import { aSubmission, codeOf } from '../../support/fixtures/submission.ts';
import { showTokenOf, someone } from '../../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

let tenant: Tenant;

const service = await createTestService();

beforeEach(async () => {
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

describe('userId in the query or in the body', () => {
  const bootstrapWith = (query: string, body: object) =>
    service.call(bootstrap, { query: `key=${tenant.publishableKey}&${query}`, body });

  it('is accepted from either place, and from both when they agree', async () => {
    for (const reply of [
      await bootstrapWith('userId=a%20b', {}),
      await bootstrapWith('userId=a+b', { userId: null }),
      await bootstrapWith('', { userId: 'a b' }),
      await bootstrapWith('userId=a+b', { userId: 'a b' }),
    ])
      expect(Object.keys(reply.body.showTokens)).toEqual([tenant.surveys[0]?.id]);
  });

  it('returns 400 when the two differ', async () => {
    for (const reply of [
      await bootstrapWith('userId=ann', { userId: 'Ann' }),
      await bootstrapWith('userId=7', { userId: 7 }),
      await bootstrapWith('userId=ann&userId=bob', {}),
    ]) {
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: 'userId', message: expect.any(String) }]);
    }
  });

  it("returns a 400 that explains that a URL cannot carry the body's value", async () => {
    const reply = await bootstrapWith('userId=ann%EF%BF%BD', { userId: 'ann\ud83d' });
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path: 'userId', message: 'must be well-formed Unicode' }]);
  });

  it('is the only field read from the query', async () => {
    const showToken = await showTokenOf(service, tenant);
    const { showToken: _token, ...body } = aSubmission(tenant, showToken);
    expect(codeOf(await service.call(submitResponse, { body, query: { showToken } }))).toBe(
      '400 invalid_request',
    );
  });
});

describe('a key in the query or in the body', () => {
  const body = { userId: 'ann' };

  it('is accepted from either place, and from both when they agree', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body, query: { key } },
      { body: { ...body, key } },
      { body: { ...body, key }, query: { key } },
      { body: { ...body, key: null }, query: { key } },
      { body, query: `key=${key}&key=${key}` },
    ])
      expect((await service.call(bootstrap, request)).status).toBe(200);
  });

  it('returns 400 when both differ, whether or not either is valid', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body: { ...body, key }, query: { key: 'other' } },
      { body: { ...body, key: 'other' }, query: { key } },
      { body: { ...body, key: 7 }, query: { key } },
      { body, query: `key=${key}&key=other` },
    ]) {
      const reply = await service.call(bootstrap, request);
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: 'key', message: expect.any(String) }]);
      expect(reply.text).not.toContain(key);
    }
  });
});

function bodyOf(fields: object, bytes: number): string {
  const empty = JSON.stringify({ ...fields, padding: '' });
  const room = bytes - Buffer.byteLength(empty);
  return JSON.stringify({ ...fields, padding: 'ü'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2) });
}

describe('400 before any key is checked', () => {
  it.each([
    ['no JSON', 'rubbish'],
    ['cut-off JSON', '{"key":"x"'],
    ['two documents', '{}{}'],
    ['an array', '[]'],
    ['an array of objects', '[{}]'],
    ['a string', '"{}"'],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{/**/}'],
    ['a byte order mark', '\ufeff{}'],
    ['form data', 'key=svc_pk_x&userId=ann'],
    ['very deep nesting', `${'['.repeat(15_000)}${']'.repeat(15_000)}`],
  ])('for %s', async (_, rawBody) => {
    for (const base64 of [false, true]) {
      const reply = await service.call(bootstrap, { rawBody, base64 });
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: '', message: expect.any(String) }]);
    }
  });

  it('for one byte over 64 KiB, plain or base64', async () => {
    const rawBody = bodyOf({}, BODY_LIMIT_BYTES + 1);
    expect(Buffer.byteLength(rawBody)).toBe(BODY_LIMIT_BYTES + 1);
    for (const base64 of [false, true])
      expect(codeOf(await service.call(bootstrap, { rawBody, base64 }))).toBe('400 invalid_request');
  });
});

it.each([
  ['__proto__', '"__proto__":{"isAdmin":true,"key":"KEY","showToken":"x"}'],
  ['__proto__ within', '"traits":{"__proto__":{"isAdmin":true}}'],
  ['a prototype by way of the constructor', '"constructor":{"prototype":{"isAdmin":true}}'],
])('treats keys with a meaning in JavaScript as unknown fields: %s', async (_, raw) => {
  const rawBody = `{${raw.replace('KEY', tenant.publishableKey)}}`;
  expect(codeOf(await service.call(submitResponse, { rawBody }))).toBe('401 invalid_key');
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

describe('accepted bodies', () => {
  it('include exactly 64 KiB, plain or base64', async () => {
    const rawBody = bodyOf({ key: tenant.publishableKey }, BODY_LIMIT_BYTES);
    expect(Buffer.byteLength(rawBody)).toBe(BODY_LIMIT_BYTES);
    for (const base64 of [false, true])
      expect((await service.call(bootstrap, { rawBody, base64 })).status).toBe(200);
  });

  it.each([
    ['no body', {}],
    ['an empty body', { rawBody: '' }],
    ['an empty base64 body', { rawBody: '', base64: true }],
    ['white space', { rawBody: ' \n' }],
    ['white space in base64', { rawBody: ' \n', base64: true }],
    ['an empty object', { rawBody: '{}' }],
  ])('include %s as an empty object', async (_, request) => {
    const reply = await service.call(bootstrap, { ...request, query: { key: tenant.publishableKey } });
    expect(reply.status).toBe(200);
  });

  it.each([
    'text/plain;charset=UTF-8',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    '',
  ])('include content type %j, which is ignored', async (contentType) => {
    const userId = 'Zoë 😀';
    const body = { key: tenant.publishableKey, userId };
    for (const base64 of [false, true]) {
      const reply = await service.call(bootstrap, { body, base64, headers: { 'content-type': contentType } });
      expect(reply.body.showTokens).toBeDefined();
    }
  });

  it('include unknown fields with dangerous names, and values nested in them', async () => {
    const showToken = await showTokenOf(service, tenant);
    const names = { constructor: 'x', toString: 1, hasOwnProperty: {}, '': 1 };
    const unknown = { newer: { deeply: [{ nested: null }] }, ...names };
    const body = aSubmission(tenant, showToken, unknown);
    expect((await service.call(submitResponse, { body })).status).toBe(201);
  });

  it('include null for every optional field', async () => {
    const nothing = { text: null, followUpRequested: null, userId: null, traits: null, identityKind: null };
    const session = { sessionId: null, observationId: null, traceId: null, taskType: null };
    const body = aSubmission(tenant, await showTokenOf(service, tenant), { ...nothing, ...session });
    expect((await service.call(submitResponse, { body })).status).toBe(201);

    const { key: _key, ...rest } = aSubmission(tenant, await showTokenOf(service, tenant), {
      userId: 'ann',
      ...session,
    });
    const dismissal = { query: { key: tenant.publishableKey }, body: { ...rest, key: null } };
    expect((await service.call(submitDismissal, dismissal)).status).toBe(201);

    const mint = { ...session, respondentId: someone(), sessionId: 's', surveyId: null };
    expect((await service.call(mintTokens, { body: mint, secretKey: tenant.secretKey })).status).toBe(200);

    const nobody = { key: tenant.publishableKey, userId: null, traits: null };
    const none = await service.call(bootstrap, { body: nobody });
    expect([none.status, none.body.showTokens]).toEqual([200, undefined]);
  });
});

describe('bytes that are not UTF-8', () => {
  const bodyWith = (fields: object, bytes: readonly number[]): Buffer => {
    const [before = '', after = ''] = JSON.stringify(fields).split('@');
    return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  };
  const BROKEN = [
    ['a lone byte', [0xff]],
    ['another', [0xfe]],
    ['a character cut off', [0xf0, 0x9f, 0x98]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
  ] as const;

  it.each(BROKEN)('are 400 in identifying fields (%s), so that nobody shares a history', async (_, bytes) => {
    const key = tenant.publishableKey;
    const boot = { rawBody: bodyWith({ key, userId: 'inv@' }, bytes), base64: true };
    expect(codeOf(await service.call(bootstrap, boot))).toBe('400 invalid_request');
    const rawBody = bodyWith({ respondentId: 'inv@', sessionId: 's' }, bytes);
    const mint = { rawBody, base64: true, secretKey: tenant.secretKey };
    expect(codeOf(await service.call(mintTokens, mint))).toBe('400 invalid_request');
    const escapes = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    const asked = await service.call(bootstrap, { query: `key=${key}&userId=inv${escapes}` });
    expect(codeOf(asked)).toBe('400 invalid_request');
    expect(asked.body.error.issues).toEqual([{ path: 'userId', message: 'must be well-formed Unicode' }]);
  });

  it.each([
    ['before', [...Buffer.from('\\ud83d'), 0xff]],
    ['behind', [0xff, ...Buffer.from('\\udc00')]],
  ])('are 400 when half of an escaped character is %s an invalid byte', async (_, bytes) => {
    const boot = bodyWith({ key: tenant.publishableKey, userId: 'inv@' }, bytes);
    expect(codeOf(await service.call(bootstrap, { rawBody: boot, base64: true }))).toBe(
      '400 invalid_request',
    );
  });

  it.each(['%', '%z', '%zz', '%u00e9', '100%'])('are 400 in the malformed escape %j', async (userId) => {
    const query = `key=${tenant.publishableKey}&userId=${userId}`;
    expect(codeOf(await service.call(bootstrap, { query }))).toBe('400 invalid_request');
  });

  it('are replaced in free text, like lone surrogates', async () => {
    const submission = aSubmission(tenant, await showTokenOf(service, tenant), { text: 'good @' });
    const rawBody = bodyWith(submission, [0xff]);
    expect((await service.call(submitResponse, { rawBody, base64: true })).status).toBe(201);
  });

  it.each([
    ['userId=caf%C3%A9', 'café'],
    ['userId=a%2Bb+c', 'a+b c'],
    ['userId=%F0%9F%98%80', '😀'],
    ['userId=%EF%BF%BD', '\ufffd'],
  ])('are equal to those in the body: %s', async (query, userId) => {
    const asked = `key=${tenant.publishableKey}&${query}`;
    expect((await service.call(bootstrap, { query: asked, body: { userId } })).status).toBe(200);
  });
});

it.each([
  ['nothing', {}, { path: 'userId', message: 'is required' }],
  ['null', { userId: null }, { path: 'userId', message: 'is required' }],
  ['a number', { surveyId: 42 }, { path: 'surveyId', message: 'must be a string' }],
  ['a word', { rating: 'nine' }, { path: 'rating', message: 'must be a number' }],
  ['half a step', { rating: 7.5 }, { path: 'rating', message: 'must be a whole number' }],
])('explains in plain words what is wrong with a field: %s in %j', async (_, fields, issue) => {
  const endpoint = issue.path === 'userId' ? submitDismissal : submitResponse;
  const body = { ...aSubmission(tenant, 'token'), ...fields };
  const { issues } = (await service.call(endpoint, { body })).body.error;
  expect(issues).toEqual([issue]);
});

it.each([
  ['an object', { results: {} }, { path: 'results', message: 'must be an array' }],
  ['a word', { results: ['x'] }, { path: 'results.0', message: 'must be an object' }],
])('explains in plain words what is wrong with a list: %s in %j', async (_, body, issue) => {
  const { issues } = (await service.call(ackScores, { body, secretKey: tenant.secretKey })).body.error;
  expect(issues).toEqual([issue]);
});

const SECRET = 'the-secret-of-the-edge';
const ONE_AN_ADDRESS = { rates: { publishable: 1_000, secret: 100, address: 1 } };

const edged = await createTestService({ config: { edge: { originSecrets: [SECRET], isOpen: false } } });

describe('behind an edge', () => {
  const ask = (key: string, headers: Record<string, string>) =>
    edged.call(bootstrap, { body: { key }, headers });

  it('refuses requests that bypassed it, whatever they claim', async () => {
    const { publishableKey: key } = await edged.tenant();
    for (const secret of [undefined, '', 'wrong', `${SECRET}x`]) {
      const headers = secret === undefined ? {} : { 'x-origin-secret': secret };
      expect((await ask(key, { 'x-viewer-address': '192.0.2.1', ...headers })).status).toBe(401);
    }
    expect((await ask(key, { 'x-origin-secret': SECRET, 'x-viewer-address': '192.0.2.1' })).status).toBe(200);
  });

  it('applies the rate of an address to the viewer, not to CloudFront', async () => {
    const tenant = await edged.tenant(ONE_AN_ADDRESS);
    const from = async (address: string) =>
      (await ask(tenant.publishableKey, { 'x-origin-secret': SECRET, 'x-viewer-address': address })).status;
    const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'];
    const statuses: number[] = [];
    for (const address of addresses) statuses.push(await from(address));
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('accepts the old and the new secret during a rotation', async () => {
    const rotating = await createTestService({
      table: edged.table,
      config: { edge: { originSecrets: ['the-new-one', SECRET], isOpen: false } },
    });
    const { publishableKey: key } = await edged.tenant();
    const statusWith = async (secret: string) => {
      const headers = { 'x-viewer-address': '192.0.2.1', 'x-origin-secret': secret };
      return (await rotating.call(bootstrap, { body: { key }, headers })).status;
    };
    expect(await statusWith('the-new-one')).toBe(200);
    expect(await statusWith(SECRET)).toBe(200);
    expect(await statusWith('another')).toBe(401);
  });

  it('serves requests that bypass an open edge under their own address, whatever they claim', async () => {
    const open = await createTestService({
      table: edged.table,
      config: { edge: { originSecrets: [SECRET], isOpen: true } },
    });
    const { publishableKey: key } = await edged.tenant(ONE_AN_ADDRESS);
    const statusWith = async (headers: Record<string, string>) =>
      (await open.call(bootstrap, { body: { key }, headers })).status;
    const statuses: number[] = [];
    for (const claimed of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      statuses.push(await statusWith({ 'x-viewer-address': claimed, 'x-origin-secret': 'wrong' }));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusWith({ 'x-viewer-address': '192.0.2.4', 'x-origin-secret': SECRET })).toBe(200);
  });

  it('reads its secrets from the environment; the previous one and openness are optional', () => {
    const environment = {
      TABLE_NAME: 't',
      STAGE: 's',
      KEY_ABBREVIATION: 'k',
      INDEX_SHARDS: '1',
      DEFAULT_ADDRESS_RATE: '0',
      METRICS_NAMESPACE: 'n',
      HASH_SECRET_ID: 'h',
      TOKEN_RING_ID: 'r',
    };
    const edgeOf = (more: Record<string, string>) => readServiceConfig({ ...environment, ...more }).edge;
    expect(edgeOf({})).toBeUndefined();
    expect(edgeOf({ ORIGIN_SECRET: 'new' })).toEqual({ originSecrets: ['new'], isOpen: false });
    expect(edgeOf({ ORIGIN_SECRET: 'new', PREVIOUS_ORIGIN_SECRET: 'old', ORIGIN_OPEN: 'true' })).toEqual({
      originSecrets: ['new', 'old'],
      isOpen: true,
    });
    expect(() => edgeOf({ ORIGIN_SECRET: '' })).toThrow('an origin secret is empty');
    expect(() => edgeOf({ ORIGIN_SECRET: 'new', PREVIOUS_ORIGIN_SECRET: '' })).toThrow('is empty');
  });

  it('ignores such headers without an edge', async () => {
    const plain = await createTestService({ table: edged.table });
    const { publishableKey: key } = await edged.tenant(ONE_AN_ADDRESS);
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const headers = { 'x-viewer-address': address, 'x-origin-secret': SECRET };
      statuses.push((await plain.call(bootstrap, { body: { key }, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
