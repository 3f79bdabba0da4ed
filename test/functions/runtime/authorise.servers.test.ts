/** Secret keys in place of `key` (docs/contract.md §5.1). */

import { describe, expect, it } from 'vitest';
import { reviseResponse } from '../../../functions/revise-response.ts';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitImpression } from '../../../functions/submit-impression.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import type { ProjectKey } from '../../../shared/domain/project.ts';
import { aKey } from '../../support/fixtures/builders.ts';
import { aSubmission, codeOf } from '../../support/fixtures/submission.ts';
import { boundTokenOf, surveyOf } from '../../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

const SESSION = { sessionId: 'session-1' };
const service = await createTestService();
const projects = createProjectStore(service.table.table, service.table.readIndex);

/** Refuses all pages: its only allowed origin is another one. */
const aTenant = () =>
  service.tenant({ allowedOrigins: ['https://shop.example'], rates: { publishable: 0, secret: 0 } });

const presented = async (tenant: Tenant, fields: Record<string, unknown> = {}) => {
  const showToken = await boundTokenOf(service, tenant);
  return { surveyId: surveyOf(tenant), showToken, ...SESSION, ...fields };
};

/** Calls the four routes that accept a server. */
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

describe('a secret key', () => {
  it('is accepted in place of `key`, whatever origins the project allows, and names no user', async () => {
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
    const codes = await callAll(tenant, {}, stranger.secretKey);
    expect(codes).toEqual(eachIs('404 survey_not_found'));
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
