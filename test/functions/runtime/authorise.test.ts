import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { reviseResponse } from '../../../functions/revise-response.ts';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { claimedKey } from '../../../functions/runtime/incoming-request.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitImpression } from '../../../functions/submit-impression.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { type ClaimedKey, checkAccessKey } from '../../../shared/crypto/access-key.ts';
import { DEFAULT_RATES, type ProjectKey } from '../../../shared/domain/project.ts';
import { aKey, anId } from '../../support/fixtures/builders.ts';
import { aSubmission, codeOf } from '../../support/fixtures/submission.ts';
import { boundTokenOf, surveyOf } from '../../support/fixtures/tokens.ts';
import { TEST_HASH_SECRET } from '../../support/service/test-secrets.ts';
import {
  type CallOptions,
  callEvent,
  createTestService,
  type Tenant,
  type TestService,
} from '../../support/service/test-service.ts';
import { createRecordingClient } from '../../support/stand-ins/recording-client.ts';

const projectId = anId();

const publishable = aKey('publishable', projectId);

const secret = aKey('secret', projectId);

const check = (claimed: ClaimedKey | undefined) => claimed && checkAccessKey(TEST_HASH_SECRET, claimed);

describe('a publishable key', () => {
  const present = (key: unknown) =>
    check(claimedKey(bootstrap.route, callEvent(bootstrap, {}), { key }, 'svc'));

  it('is accepted in the field `key`', () => {
    const { hash } = publishable.stored;
    expect(present(publishable.text)).toEqual({ kind: 'publishable', projectId, hash });
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['an object', {}],
    ['rubbish', 'rubbish'],
    ['of another abbreviation', publishable.text.replace('svc_', 'abc_')],
    ['cut short', publishable.text.slice(0, -1)],
    ['one character longer', `${publishable.text}A`],
    ['in upper case', publishable.text.toUpperCase()],
    ['with a space', ` ${publishable.text}`],
    ['with a lone surrogate', `${publishable.text.slice(0, -1)}\ud800`],
    ['of the other kind', secret.text],
  ])('is refused: %s', (_, key) => expect(present(key)).toBeUndefined());
});

describe('a secret key', () => {
  const bearer = `Bearer ${secret.text}`;
  const present = (headers: Record<string, string>, fields = {}) =>
    check(claimedKey(mintTokens.route, callEvent(mintTokens, { headers }), fields, 'svc'));

  it.each<[string, Record<string, string>]>([
    ['as a bearer', { authorization: bearer }],
    ['whatever the case of the scheme', { authorization: `bearer ${secret.text}` }],
    ['as the service key', { 'x-service-key': secret.text }],
    ['as both, when they agree', { authorization: bearer, 'x-service-key': secret.text }],
  ])('is accepted %s', (_, headers) => {
    expect(present(headers)).toEqual({ kind: 'secret', projectId, hash: secret.stored.hash });
  });

  it.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['an empty header', { authorization: '' }],
    ['Bearer alone', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${secret.text}` }],
    ['no scheme', { authorization: secret.text }],
    ['a publishable key', { authorization: `Bearer ${publishable.text}` }],
    ['a publishable key as service key', { 'x-service-key': publishable.text }],
    ['two different keys', { authorization: bearer, 'x-service-key': aKey('secret', projectId).text }],
    ['a good and an empty one', { authorization: bearer, 'x-service-key': '' }],
    ['malformed', { 'x-service-key': secret.text.slice(1) }],
  ])('is refused: %s', (_, headers) => expect(present(headers)).toBeUndefined());

  it('is not read from body or query', () => expect(present({}, { key: secret.text })).toBeUndefined());
});

let tenant: Tenant;

const service = await createTestService();

const { projects } = service;

beforeEach(async () => {
  tenant = await service.tenant();
});

describe('keys that change', () => {
  it('are refused within 30 s of being revoked', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const record = await projects.read(tenant.project.id);
    for (const { hash } of record?.keys ?? [])
      await projects.revokeKey(tenant.project.id, hash, '2026-11-20T09:30:00.000Z');
    service.clock.advance(30_000);
    expect(codeOf(await service.call(bootstrap, request))).toBe('401 invalid_key');
  });

  it('work immediately when new, although settings are cached', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const fresh = aKey('publishable', tenant.project.id);
    await projects.addKey(tenant.project.id, fresh.stored);
    service.clock.advance(2_000);
    expect((await service.call(bootstrap, { body: { key: fresh.text, userId: 'ann' } })).status).toBe(200);
  });
});

/** See docs/contract.md §4.2, rows 3 and 4, and §12. */

const MINT_BODY = { respondentId: 'ann', sessionId: 's' };

describe('403', () => {
  const request = (origin?: string): CallOptions => ({
    body: { key: tenant.publishableKey, userId: 'ann' },
    ...(origin !== undefined && { headers: { origin } }),
  });

  it.each([
    ['https://shop.example', 200],
    ['https://app.example:8443', 200],
    ['https://shop.example.evil.example', 403],
    ['http://shop.example', 403],
    ['https://shop.example:443', 403],
    ['https://shop.example:8443', 403],
    ['https://evil-shop.example', 403],
    ['https://example', 403],
    ['https://SHOP.example', 403],
    ['https://shop.example/', 403],
    ['*', 403],
    ['null', 403],
    ['', 403],
    [undefined, 403],
  ])('for origin %s of a project with an allow-list: %i', async (origin, status) => {
    tenant = await service.tenant({ allowedOrigins: ['https://shop.example', 'https://app.example:8443'] });
    expect((await service.call(bootstrap, request(origin))).status).toBe(status);
  });

  it('accepts any origin and none without an allow-list', async () => {
    expect((await service.call(bootstrap, request('https://any.example'))).status).toBe(200);
    expect((await service.call(bootstrap, request())).status).toBe(200);
  });

  it('does not affect secret-key routes of a suspended project, whose callers need no origin', async () => {
    tenant = await service.tenant({ status: 'suspended', allowedOrigins: ['https://shop.example'] });
    expect(codeOf(await service.call(bootstrap, request('https://shop.example')))).toBe(
      '403 project_suspended',
    );
    const mint = await service.call(mintTokens, { body: MINT_BODY, secretKey: tenant.secretKey });
    expect(mint.status).toBe(200);
  });
});

describe('429', () => {
  const ask = (sourceIp = '127.0.0.1') =>
    service.call(bootstrap, { body: { key: tenant.publishableKey }, sourceIp });

  it('limits an address on publishable routes without affecting other addresses', async () => {
    tenant = await service.tenant({ rates: { ...DEFAULT_RATES, address: 1 } });
    for (let i = 0; i < 2; i++) expect((await ask('10.0.0.1')).status).toBe(200);
    expect(codeOf(await ask('10.0.0.1'))).toBe('429 rate_limited');
    expect((await ask('10.0.0.2')).status).toBe(200);
    for (let i = 0; i < 5; i++) {
      const mint = await service.call(mintTokens, {
        body: MINT_BODY,
        secretKey: tenant.secretKey,
        sourceIp: '10.0.0.1',
      });
      expect(mint.status).toBe(200);
    }
  });

  it('limits secret and publishable keys separately, and Retry-After names the next permit', async () => {
    tenant = await service.tenant({ rates: { publishable: 1, secret: 1 } });
    for (let i = 0; i < 3; i++) await ask();
    const mint = () => service.call(mintTokens, { body: MINT_BODY, secretKey: tenant.secretKey });
    expect((await mint()).status).toBe(200);
    await mint();
    const refused = await mint();
    expect(codeOf(refused)).toBe('429 rate_limited');
    service.clock.advance(Number(refused.headers['retry-after']) * 1_000);
    expect((await mint()).status).toBe(200);
  });
});

/** See docs/contract.md §5.1. */

const SESSION = { sessionId: 'session-1' };

/** Refuses every test page, because only another origin is allowed. */
const aTenant = () =>
  service.tenant({ allowedOrigins: ['https://shop.example'], rates: { publishable: 0, secret: 0 } });

const presented = async (tenant: Tenant, fields: Record<string, unknown> = {}) => {
  const showToken = await boundTokenOf(service, tenant);
  return { surveyId: surveyOf(tenant), showToken, ...SESSION, ...fields };
};

async function callAll(tenant: Tenant, more: object, secretKey?: string): Promise<string[]> {
  const answered = await presented(tenant);
  const calls: readonly [Endpoint, object][] = [
    [submitImpression, answered],
    [submitResponse, { ...answered, rating: 8 }],
    [reviseResponse, { ...answered, rating: 9, revision: 1 }],
    [submitDismissal, await presented(tenant)],
  ];
  const codes: string[] = [];
  for (const [endpoint, body] of calls) {
    codes.push(
      codeOf(await service.call(endpoint, { body: { ...body, ...more }, ...(secretKey && { secretKey }) })),
    );
  }
  return codes;
}

const eachIs = (code: string) => [code, code, code, code];

async function withKey(kind: 'secret' | 'reader', stored: Partial<ProjectKey> = {}) {
  const tenant = await aTenant();
  const key = aKey(kind, tenant.project.id);
  await projects.addKey(tenant.project.id, { ...key.stored, ...stored });
  return { tenant, key: key.text };
}

describe('a secret key in place of `key`', () => {
  it('is accepted, whatever origins the project allows, and names no user', async () => {
    const tenant = await aTenant();
    expect(await callAll(tenant, {}, tenant.secretKey)).toEqual([
      '201 recorded',
      '201 recorded',
      '200 recorded',
      '201 recorded',
    ]);
  });

  it('is accepted as `X-Service-Key`, too', async () => {
    const tenant = await aTenant();
    const body = await presented(tenant, { rating: 8 });
    const headers = { 'x-service-key': tenant.secretKey };
    expect(codeOf(await service.call(submitResponse, { body, headers }))).toBe('201 recorded');
  });

  it('needs only the scope `mint`, and no other suffices', async () => {
    const minting = await withKey('secret', { scopes: ['mint'] });
    expect(await callAll(minting.tenant, {}, minting.key)).not.toContain('401 invalid_key');
    const other = await withKey('secret', { scopes: ['scores', 'results'] });
    expect(await callAll(other.tenant, {}, other.key)).toEqual(eachIs('401 invalid_key'));
  });

  it('opens no tokens of another project', async () => {
    const [tenant, stranger] = [await aTenant(), await aTenant()];
    expect(await callAll(tenant, {}, stranger.secretKey)).toEqual(eachIs('404 survey_not_found'));
  });

  it('is refused like a page in a suspended project', async () => {
    const tenant = await service.tenant({ status: 'suspended' });
    expect(await callAll(tenant, {}, tenant.secretKey)).toEqual(eachIs('403 project_suspended'));
  });

  it('has its own rate', async () => {
    const tenant = await service.tenant({ rates: { publishable: 0, secret: 2 } });
    const body = await presented(tenant, { rating: 8 });
    service.clock.advance(60_000);
    const codes: string[] = [];
    for (let call = 0; call < 20; call += 1)
      codes.push(codeOf(await service.call(submitResponse, { body, secretKey: tenant.secretKey })));
    expect([codes[0], codes.at(-1)]).toEqual(['201 recorded', '429 rate_limited']);
    const fromPage = { ...body, key: tenant.publishableKey };
    expect(codeOf(await service.call(submitResponse, { body: fromPage }))).toBe('409 token_used');
  });
});

describe('requests with `key`, whose headers are ignored', () => {
  it('may have an `Authorization` header for other purposes', async () => {
    const tenant = await service.tenant();
    const body = aSubmission(tenant, await boundTokenOf(service, tenant), SESSION);
    const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0', 'x-service-key': 'another' };
    expect(codeOf(await service.call(submitResponse, { body, headers }))).toBe('201 recorded');
  });

  it('need an allowed origin in spite of a secret key', async () => {
    const tenant = await aTenant();
    const { key } = aSubmission(tenant, '');
    expect(await callAll(tenant, { key, userId: 'ann' }, tenant.secretKey)).toEqual(
      eachIs('403 origin_not_allowed'),
    );
  });

  it('name the user of a dismissal', async () => {
    const tenant = await service.tenant();
    const { rating: _rating, ...body } = aSubmission(tenant, await boundTokenOf(service, tenant), SESSION);
    const reply = await service.call(submitDismissal, { body });
    expect(reply.body.error.issues).toEqual([{ path: 'userId', message: 'is required' }]);
  });
});

it.each(['publishable', 'reader', 'secret'] as const)('refuses a %s key in the wrong place', async (kind) => {
  const { tenant, key } = await withKey('reader');
  const secretKey = { publishable: tenant.publishableKey, reader: key, secret: undefined }[kind];
  const more = kind === 'secret' ? { key: tenant.secretKey } : {};
  expect(await callAll(tenant, more, secretKey)).toEqual(eachIs('401 invalid_key'));
});

/** See docs/contract.md §4.2 and §12. */
describe('a key that does not exist', () => {
  const RATE = 5;
  const BURST = 2 * RATE;
  const recording = createRecordingClient(service.table.endpoint);
  let limited: TestService;

  beforeEach(async () => {
    limited = await createTestService({
      table: service.table,
      client: recording.client,
      config: { defaultAddressRate: RATE },
      sharedRateLimits: true,
    });
    tenant = await limited.tenant();
    recording.take();
  });

  const madeUp = (projectId: string, marker = 'pk') => `svc_${marker}_${projectId}_${'x'.repeat(48)}`;

  const ask = (key: unknown, sourceIp = '192.0.2.1') =>
    limited.call(bootstrap, { body: { key, userId: 'ann' }, sourceIp });

  it('gets 429 instead of 401 beyond the rate of its address, and 401 again later', async () => {
    const codes: string[] = [];
    for (let request = 0; request < BURST + 2; request++) codes.push(codeOf(await ask(madeUp(anId()))));
    expect(codes).toEqual([
      ...new Array(BURST).fill('401 invalid_key'),
      '429 rate_limited',
      '429 rate_limited',
    ]);
    const refused = await ask('rubbish');
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(codeOf(await ask('rubbish', '192.0.2.2'))).toBe('401 invalid_key');
    limited.clock.advance(1_000);
    expect(codeOf(await ask('rubbish'))).toBe('401 invalid_key');
    expect(recording.take()).toEqual([]);
  });

  it('does not affect valid keys of the same address', async () => {
    for (let request = 0; request < BURST + 1; request++) await ask(madeUp(anId()));
    expect((await ask(tenant.publishableKey)).status).toBe(200);
    expect((await ask(tenant.publishableKey)).status).toBe(200);
  });

  it('gets 401 and never 429 on a route without a rate limit, and costs no call even if its project exists', async () => {
    for (let request = 0; request < BURST + 2; request++) {
      const secretKey = madeUp(request % 2 === 0 ? anId() : tenant.project.id, 'sk');
      expect(codeOf(await limited.call(exportResponses, { secretKey }))).toBe('401 invalid_key');
      const query = { respondentId: 'ann' };
      expect(codeOf(await limited.call(erase, { query, secretKey }))).toBe('401 invalid_key');
    }
    expect(codeOf(await ask(madeUp(tenant.project.id)))).toBe('401 invalid_key');
    expect(recording.take()).toEqual([]);
  });

  it('that is revoked is not looked up again beyond the rate of its address', async () => {
    const revoked = aKey('publishable', tenant.project.id);
    await projects.addKey(tenant.project.id, revoked.stored);
    await projects.revokeKey(tenant.project.id, revoked.stored.hash, '2026-11-20T00:00:00.000Z');
    recording.take();
    for (let request = 0; request < BURST; request++)
      expect(codeOf(await ask(revoked.text))).toBe('401 invalid_key');
    recording.take();
    expect(codeOf(await ask(revoked.text))).toBe('429 rate_limited');
    expect(recording.take()).toEqual([]);
  });
});
