/** See docs/contract.md §4.2, rows 3 and 4, and §12. */

import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { DEFAULT_RATES } from '../../../shared/domain/project.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { type CallOptions, createTestService, type Tenant } from '../../support/service/test-service.ts';

const MINT_BODY = { respondentId: 'ann', sessionId: 's' };

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant();
});

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

  it('limits a key to its rate with bursts of twice that, and Retry-After names the next permit', async () => {
    tenant = await service.tenant({ rates: { ...DEFAULT_RATES, publishable: 2 } });
    for (let i = 0; i < 4; i++) expect((await ask()).status).toBe(200);
    const limited = await ask('10.0.0.1');
    expect(codeOf(limited)).toBe('429 rate_limited');
    expect(limited.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    service.clock.advance(Number(limited.headers['retry-after']) * 1_000);
    expect((await ask()).status).toBe(200);
  });

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

  it('limits secret and publishable keys separately', async () => {
    tenant = await service.tenant({ rates: { publishable: 1, secret: 1 } });
    for (let i = 0; i < 3; i++) await ask();
    const mint = () => service.call(mintTokens, { body: MINT_BODY, secretKey: tenant.secretKey });
    expect((await mint()).status).toBe(200);
    await mint();
    expect(codeOf(await mint())).toBe('429 rate_limited');
  });

  it('disables a limit of zero', async () => {
    tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
    for (let i = 0; i < 50; i++) expect((await ask()).status).toBe(200);
  });
});
