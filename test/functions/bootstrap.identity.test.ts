import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { exportSPKI, importJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { createIdentitySecretStore } from '../../shared/data/projects/project-store.ts';
import type { Project } from '../../shared/domain/project.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { hs256, identitySecretOf, SOON, startProvider } from '../support/fixtures/user-tokens.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const REQUIRED = { identity: 'required', limits: NO_LIMITS } as const satisfies Partial<Project>;

let tenant: Tenant;
let secret: string;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant(REQUIRED);
  secret = await identitySecretOf(service, tenant);
});

const boot = (body: Record<string, unknown>, of = tenant) =>
  service.call(bootstrap, { body: { key: of.publishableKey, ...body } });
const sign = (claims: Record<string, unknown> = {}) => hs256(secret, { sub: 'ann', exp: SOON, ...claims });
const isAsked = (body: { showTokens?: object }, of = tenant) =>
  Object.keys(body.showTokens ?? {}).includes(surveyOf(of));

it('trusts the page and does not read a token when identity is off', async () => {
  const open = await service.tenant();
  for (const userToken of [undefined, 'rubbish', '', await sign()]) {
    const { status, body } = await boot({ userId: 'bob', userToken }, open);
    expect([status, isAsked(body, open)]).toEqual([200, true]);
  }
  expect((await boot({ userToken: await sign() }, open)).body).not.toHaveProperty('showTokens');
});

it('answers as for an anonymous visitor without a token, whatever the page sends, and reads no history', async () => {
  await boot({});
  const { client, take } = createRecordingClient(service.table.endpoint);
  const warm = await createTestService({ table: service.table, clock: service.clock, client });
  for (const userId of [undefined, 'ann']) {
    const body = { key: tenant.publishableKey, userId, userToken: null };
    const reply = await warm.call(bootstrap, { body });
    expect(reply.body).toEqual({ surveys: [expect.anything()], suppression: [] });
  }
  take();
  await warm.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  expect(take()).toEqual([]);
});

describe('with identity required and a valid token', () => {
  it("issues tokens for the token's subject, with or without the same userId", async () => {
    for (const userId of [undefined, 'ann']) {
      const { status, body } = await boot({ userId, userToken: await sign() });
      expect([status, isAsked(body)]).toEqual([200, true]);
    }
  });

  it("recognizes the subject's answers and marks new ones as verified", async () => {
    const asked = await boot({ userToken: await sign() });
    const showToken = asked.body.showTokens[surveyOf(tenant)];
    expect(codeOf(await submit({ service, tenant }, showToken, { userId: 'somebody-else' }))).toBe(
      '201 recorded',
    );
    expect((await boot({ userToken: await sign() })).body.suppression).toEqual([surveyOf(tenant)]);
    const exported = await exportOf(service, tenant, { respondentId: 'ann' });
    expect(exported.body.responses).toMatchObject([{ respondentId: 'ann', verified: true }]);
  });

  it('marks a dismissal as verified, too', async () => {
    const asked = await boot({ userToken: await sign({ sub: 'bob' }) });
    const showToken = asked.body.showTokens[surveyOf(tenant)];
    const { rating: _rating, ...body } = aSubmission(tenant, showToken, { userId: 'bob' });
    expect((await service.call(submitDismissal, { body })).status).toBe(201);
    const exported = await exportOf(service, tenant, { respondentId: 'bob' });
    expect(exported.body.dismissals).toMatchObject([{ respondentId: 'bob', verified: true }]);
  });

  it('needs one call when settings are cached, as without identity', async () => {
    const { client, take } = createRecordingClient(service.table.endpoint);
    const instance = await createTestService({ table: service.table, clock: service.clock, client });
    const body = { key: tenant.publishableKey, userToken: await sign() };
    await instance.call(bootstrap, { body });
    take();
    expect((await instance.call(bootstrap, { body })).status).toBe(200);
    expect(take().map(({ operation }) => operation)).toEqual(['Query']);
  });

  it('does not require a token for mint, because the server vouches for the person', async () => {
    await linkedAnswer(service, tenant, { mint: { respondentId: 'cat' } });
    const { body } = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    expect(body.scores).toMatchObject([{ respondentId: 'cat', verified: true }]);
  });
});

it('accepts two secrets, allows no third, and refuses a revoked one within 30 s', async () => {
  const store = createIdentitySecretStore(service.table.table);
  const second = await identitySecretOf(service, tenant);
  await expect(identitySecretOf(service, tenant)).rejects.toThrow('both slots are taken');
  const statusOf = async (signedWith: string) =>
    (await boot({ userToken: await hs256(signedWith, { sub: 'ann', exp: SOON }) })).status;
  expect([await statusOf(secret), await statusOf(second)]).toEqual([200, 200]);

  const [first] = (await service.projects.read(tenant.project.id))?.identitySecrets ?? [];
  expect(await store.revoke(tenant.project.id, first?.id ?? '', '2026-11-20T09:30:00.000Z')).toBe(true);
  expect(await store.revoke(tenant.project.id, first?.id ?? '', '2026-11-20T09:30:00.000Z')).toBe(false);
  service.clock.advance(30_000);
  expect([await statusOf(secret), await statusOf(second)]).toEqual([401, 200]);
  const third = await identitySecretOf(service, tenant);
  service.clock.advance(30_000);
  expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200]);
});

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
function assemble(header: unknown, payload: unknown, key: string | Buffer = secret): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
const HEADER = { alg: 'HS256', typ: 'JWT' };
const NOW = START / 1_000;

describe('401 invalid_identity', () => {
  const refused = async (what: string, body: Record<string, unknown>) =>
    expect([what, codeOf(await boot(body))]).toEqual([what, '401 invalid_identity']);

  it('when the userId differs, the project is another one, or a claim is expired or invalid', async () => {
    const now = Math.floor(service.clock.now() / 1_000);
    const good = { sub: 'ann', exp: now + 60 };
    expect((await boot({ userToken: assemble(HEADER, good) })).status).toBe(200);
    const other = await service.tenant(REQUIRED);
    const foreign = await identitySecretOf(service, other);
    const unsigned = `${encode({ alg: 'none' })}.${encode(good)}.`;
    const [head = '', body = '', signature = ''] = assemble(HEADER, good).split('.');
    const tokens: Record<string, unknown> = {
      'of another project': assemble(HEADER, good, foreign),
      'of the decoded secret': assemble(HEADER, good, Buffer.from(secret, 'base64url')),
      'alg none': unsigned,
      'alg none, with a signature': assemble({ alg: 'none' }, good),
      'alg nOnE': `${encode({ alg: 'nOnE' })}.${encode(good)}.${signature}`,
      'no alg': assemble({ typ: 'JWT' }, good),
      'alg of another length': await hs256(secret.padEnd(64, '='), good, 'HS512'),
      'alg RS256 over an HMAC': assemble({ alg: 'RS256' }, good),
      'a critical header': assemble({ ...HEADER, crit: ['x'], x: 1 }, good),
      'an unencoded payload': assemble({ ...HEADER, crit: ['b64'], b64: false }, good),
      'its key in the header': assemble({ ...HEADER, jwk: { kty: 'oct', k: encode('x') } }, good, 'x'),
      expired: assemble(HEADER, { ...good, exp: now }),
      'long expired': assemble(HEADER, { ...good, exp: 1 }),
      'no exp': assemble(HEADER, { sub: 'ann' }),
      'exp as text': assemble(HEADER, { ...good, exp: String(now + 60) }),
      'exp null': assemble(HEADER, { ...good, exp: null }),
      'exp without an end': assemble(HEADER, '{"sub":"ann","exp":1e999}'),
      'nbf before all': assemble(HEADER, `{"sub":"ann","exp":${now + 60},"nbf":-1e999}`),
      'nbf ahead': assemble(HEADER, { ...good, nbf: now + 1 }),
      'nbf as text': assemble(HEADER, { ...good, nbf: '0' }),
      'no sub': assemble(HEADER, { exp: now + 60 }),
      'sub a number': assemble(HEADER, { ...good, sub: 7 }),
      'sub empty': assemble(HEADER, { ...good, sub: '' }),
      'sub a list': assemble(HEADER, { ...good, sub: ['ann'] }),
      'sub too long': assemble(HEADER, { ...good, sub: 'x'.repeat(257) }),
      'sub with a lone surrogate': assemble(HEADER, `{"sub":"\\ud800","exp":${now + 60}}`),
      'no object': assemble(HEADER, '[]'),
      'no JSON': assemble(HEADER, 'sub=ann'),
      'no signature': `${head}.${body}.`,
      'a signature cut short': `${head}.${body}.${signature.slice(0, -2)}`,
      'a padded signature': `${head}.${body}.${signature}=`,
      'a part too few': `${head}.${body}`,
      'a part too many': `${head}.${body}.${signature}.`,
      'five parts': `${head}.${body}.${signature}.${body}.${signature}`,
      huge: assemble(HEADER, { ...good, traits: { x: 'y'.repeat(9_000) } }),
      empty: '',
      'white space': ' ',
      rubbish: 'rubbish',
      'a number': 7,
      'a boolean': false,
      'an object': { sub: 'ann' },
      'a list': [assemble(HEADER, good)],
    };
    for (const [what, userToken] of Object.entries(tokens)) await refused(what, { userToken });
    await refused('another userId', { userId: 'bob', userToken: assemble(HEADER, good) });
  });

  it('when any part of a valid token was changed', async () => {
    const good = assemble(HEADER, { sub: 'ann', exp: SOON + 1e6 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 2),
        fc.constantFrom(...'ABCDEFxyz019-_.= ~'),
        async (at, character) => {
          fc.pre(good[at] !== character);
          const { status } = await boot({
            userToken: good.slice(0, at) + character + good.slice(at + 1),
          });
          expect(status).toBe(401);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('for every invalid header and set of claims that JSON allows, and never 5xx', async () => {
    const claims = fc.record(
      {
        sub: fc.oneof(fc.constant('ann'), fc.jsonValue()),
        exp: fc.oneof(fc.constant(SOON + 1e6), fc.jsonValue()),
        nbf: fc.oneof(fc.integer(), fc.jsonValue()),
        aud: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const header = fc.record(
      { alg: fc.constantFrom('HS256', 'none', 'HS384', 'RS256', 'ES256', 'dir', ''), crit: fc.jsonValue() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(header, claims, fc.boolean(), async (head, payload, isOurs) => {
        const reply = await boot({ userToken: assemble(head, payload, isOurs ? secret : 'x'.repeat(43)) });
        const now = Math.floor(service.clock.now() / 1_000);
        const { sub, exp, nbf } = payload;
        const isGood =
          isOurs &&
          head.alg === 'HS256' &&
          !('crit' in head) &&
          typeof sub === 'string' &&
          sub !== '' &&
          typeof exp === 'number' &&
          exp > now &&
          (nbf === undefined || (typeof nbf === 'number' && nbf <= now));
        if (reply.status === 200) expect(isGood).toBe(true);
        else expect(codeOf(reply)).toBe('401 invalid_identity');
      }),
      { numRuns: 200 },
    );
  });

  it('is reported after schema, key and origin errors', async () => {
    expect(codeOf(await boot({ userId: '', userToken: 'rubbish' }))).toBe('400 invalid_request');
    const body = { key: 'rubbish', userToken: 'rubbish' };
    expect(codeOf(await service.call(bootstrap, { body }))).toBe('401 invalid_key');
    const strict = await service.tenant({ ...REQUIRED, allowedOrigins: ['https://shop.example'] });
    expect((await boot({ userToken: 'rubbish' }, strict)).status).toBe(403);
  });

  it('recognizes nobody in a project with neither secret nor provider', async () => {
    const bare = await service.tenant(REQUIRED);
    expect(codeOf(await boot({ userToken: await sign() }, bare))).toBe('401 invalid_identity');
    expect((await boot({ userId: 'ann' }, bare)).status).toBe(200);
  });
});

async function tenantWithProvider(alg?: Parameters<typeof startProvider>[0]) {
  const started = await startProvider(alg);
  const withProvider = await service.tenant({ ...REQUIRED, identityProvider: started.provider });
  const codeFor = async (userToken: string) => codeOf(await boot({ userToken }, withProvider));
  return { ...started, withProvider, codeFor };
}

describe.each(['RS256', 'ES256'] as const)('an identity provider that signs with %s', (alg) => {
  it('is trusted for its issuer and audience, and its keys are fetched once in ten minutes', async () => {
    const { codeFor, sign, requests } = await tenantWithProvider(alg);
    const exp = Math.floor(service.clock.now() / 1_000) + 86_400;
    for (let n = 0; n < 3; n++) expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    expect(await codeFor(await sign({ sub: 'ann', exp, aud: ['shop', 'other'] }))).toBe('200 recorded');
    const wrong = {
      'another issuer': await sign({ sub: 'ann', exp, iss: 'https://evil.example' }),
      'no issuer': await sign({ sub: 'ann', exp, iss: undefined }),
      'another audience': await sign({ sub: 'ann', exp, aud: 'other' }),
      'no audience': await sign({ sub: 'ann', exp, aud: undefined }),
      expired: await sign({ sub: 'ann', exp: NOW - 1 }),
    };
    for (const [what, token] of Object.entries(wrong))
      expect([what, await codeFor(token)]).toEqual([what, '401 invalid_identity']);
    expect(requests()).toBe(1);
    service.clock.advance(10 * 60_000);
    expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    expect(requests()).toBe(2);
  });

  it('cannot be impersonated with a project secret or with its public key as a secret', async () => {
    const { withProvider, provider, keys } = await tenantWithProvider(alg);
    const own = await identitySecretOf(service, withProvider);
    const { kid } = keys[0] ?? {};
    const publicKey = await importJWK({ ...keys[0], ext: true }, alg);
    const pem = publicKey instanceof Uint8Array ? '' : await exportSPKI(publicKey);
    const claims = { sub: 'ann', exp: SOON + 1e6, iss: provider.issuer, aud: provider.audience };
    for (const key of [own, pem, JSON.stringify(keys[0])]) {
      for (const header of [HEADER, { ...HEADER, kid }, { alg, kid }]) {
        const reply = await boot({ userToken: assemble(header, claims, key) }, withProvider);
        expect(codeOf(reply)).toBe('401 invalid_identity');
      }
    }
  });
});

describe('keys of an identity provider', () => {
  const exp = SOON + 1e6;

  it('are fetched again for an unknown key id, at most once in ten seconds', async () => {
    const { codeFor, sign, rotate, requests } = await tenantWithProvider();
    expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    service.clock.advance(10_000);
    await rotate();
    expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    expect(requests()).toBe(2);
    for (let n = 0; n < 5; n++) {
      expect(await codeFor(await sign({ sub: 'ann', exp }, { kid: `made-up-${n}` }))).toBe(
        '401 invalid_identity',
      );
    }
    expect(requests()).toBe(2);
  });

  it('stay in use while the provider is unreachable; without cached keys the reply is 503', async () => {
    const { withProvider, codeFor, sign, goDown } = await tenantWithProvider();
    goDown();
    const reply = await boot({ userToken: await sign({ sub: 'ann', exp }) }, withProvider);
    expect([codeOf(reply), reply.headers['retry-after']]).toEqual(['503 temporarily_unavailable', '1']);
    expect((await boot({ userId: 'ann' }, withProvider)).status).toBe(200);
    goDown(false);
    service.clock.advance(10_000);
    expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    goDown();
    service.clock.advance(3_600_000);
    expect(await codeFor(await sign({ sub: 'ann', exp }))).toBe('200 recorded');
    service.clock.advance(10_000);
    // The provider may have added the key.
    expect(await codeFor(await sign({ sub: 'ann', exp }, { kid: 'unknown' }))).toBe(
      '503 temporarily_unavailable',
    );
  });
});
