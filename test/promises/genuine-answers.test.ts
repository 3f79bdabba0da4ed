/** See docs/contract.md §12. */

import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import { tokens as showTokens } from '../../functions/runtime/compose.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { aLink, post } from '../support/fixtures/a-link.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import type { Tenant, TestService } from '../support/service/test-service.ts';
import type { RecordingClient } from '../support/stand-ins/recording-client.ts';

const ADDRESS_RATE = 20;

let service: TestService;
let recording: RecordingClient;
let tenant: Tenant;

beforeEach(async () => {
  const clock = createTestClock();
  const config = { defaultAddressRate: ADDRESS_RATE };
  ({ service, recording } = await createRecordedService({ clock, config, sharedRateLimits: true }));
  tenant = await service.tenant();
});

async function tokenOf(userId: string, sourceIp = userId): Promise<string> {
  const body = { key: tenant.publishableKey, userId };
  const reply = await service.call(bootstrap, { body, sourceIp });
  return reply.body.showTokens?.[tenant.surveys[0]?.id ?? ''] ?? '';
}

const tokens = (count: number, prefix: string): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => tokenOf(`${prefix}-${index}`)));

const answer = async (showToken: string): Promise<string> =>
  codeOf(await submit({ service, tenant }, showToken));

const countOf = (codes: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [code, codes.filter((c) => c === code).length]),
  );

describe('from one address in two seconds', () => {
  it('accepts ten answers beside 120 page loads', async () => {
    const held = await tokens(10, 'person');
    const codes: string[] = [];
    for (let step = 0; step < 120; step += 1) {
      await tokenOf(`page-${step}`, '127.0.0.1');
      if (step % 12 === 11) codes.push(await answer(held[(step - 11) / 12] ?? ''));
      service.clock.advance(2_000 / 120);
    }
    expect(countOf(codes)).toEqual({ '201 recorded': 10 });
  });
});

describe('alongside 10,000 tokens that are forged, expired or used', () => {
  it('accepts every genuine answer, makes no call for forged and expired ones, and calls no faster than the rate for used ones', async () => {
    const expired = await tokenOf('too-late');
    service.clock.advance(4 * DAY);
    const genuine = await tokens(20, 'person');
    const used = await tokens(5, 'used');
    for (const token of used) await answer(token);
    const forged = (index: number) => `A${index.toString(36).padStart(8, '0')}${(genuine[0] ?? '').slice(9)}`;
    service.clock.advance(60_000);
    recording.takeBegun();

    const seconds = 10;
    const flood: string[] = [];
    const taken: string[] = [];
    for (let step = 0; step < seconds * 10; step += 1) {
      const bad = Array.from({ length: 100 }, (_, at) => {
        const index = step * 100 + at;
        return [forged(index), expired, used[index % used.length] ?? ''][index % 3] ?? '';
      });
      flood.push(...(await Promise.all(bad.map(answer))));
      if (step % 5 === 4) taken.push(await answer(genuine[(step - 4) / 5] ?? ''));
      service.clock.advance(100);
    }
    expect(flood).toHaveLength(10_000);
    expect(countOf(taken)).toEqual({ '201 recorded': 20 });
    expect(flood.filter((code) => code.startsWith('5'))).toEqual([]);

    // Includes calls that failed their condition.
    const begun = recording.takeBegun();
    const count = (operation: string) => begun.filter((each) => each === operation).length;
    const repeated = count('PutItem') - taken.length;
    expect(repeated).toBeGreaterThan(0);
    expect(repeated).toBeLessThanOrEqual(1.15 * ADDRESS_RATE * (seconds + 2) + used.length);
    // Settings are read once in 30 s, and used tokens lease a share of the rate limit.
    expect(begun.length - count('PutItem') - count('UpdateItem')).toBeLessThanOrEqual(1);
    expect(count('UpdateItem')).toBeLessThan(120 * seconds);
  });
});

it('unseals a token once for each answer, dismissal, revision and form of a link', async () => {
  const [first = '', second = ''] = await tokens(2, 'person');
  const path = await aLink(service, tenant);
  const real = showTokens(service.service);
  let unsealed = 0;
  const counted =
    <Given extends unknown[], Result>(unseal: (...given: Given) => Result) =>
    (...given: Given): Result => {
      unsealed += 1;
      return unseal(...given);
    };
  const counting = { ...real, unseal: counted(real.unseal), unsealLink: counted(real.unsealLink) };
  showTokens.replace(service.service, counting);
  expect(await answer(first)).toBe('201 recorded');
  expect(unsealed).toBe(1);
  const { rating: _rating, ...dismissal } = aSubmission(tenant, second, { userId: 'person-1' });
  expect((await service.call(submitDismissal, { body: dismissal })).status).toBe(201);
  expect(unsealed).toBe(2);
  const revision = { ...aSubmission(tenant, first), rating: 2, revision: 1 };
  expect((await service.call(reviseResponse, { body: revision })).status).toBe(200);
  expect(unsealed).toBe(3);
  expect((await post(service, path, { rating: '9' })).status).toBe(200);
  expect(unsealed).toBe(4);
});

it('makes no call for forged and expired tokens and bad input', async () => {
  const expired = await tokenOf('too-late');
  service.clock.advance(4 * DAY);
  const held = await tokenOf('person');
  await answer('forged');
  recording.takeBegun();
  for (let n = 0; n < 300; n += 1) {
    const { status } = await submit({ service, tenant }, ['forged', expired, held][n % 3] ?? '', {
      ...(n % 3 === 2 && { rating: 'none' }),
    });
    expect([400, 401, 429]).toContain(status);
    service.clock.advance(5);
  }
  expect(recording.takeBegun()).toEqual([]);
});

describe('a genuine token beyond the limit of all answers', () => {
  const exhaust = async () => {
    const spent = await tokenOf('spender');
    for (const token of ['forged', spent]) {
      const codes = await Promise.all(Array.from({ length: 80 }, () => answer(token)));
      expect(codes).toContain('429 rate_limited');
    }
  };

  it('is accepted, also for a dismissal, a revision and the form of a link', async () => {
    const [first = '', second = ''] = await tokens(2, 'person');
    expect(await answer(first)).toBe('201 recorded');
    const path = await aLink(service, tenant, { respondentId: 'linked' });
    await exhaust();
    const call = (endpoint: typeof submitDismissal, body: object) => service.call(endpoint, { body });
    const { rating: _rating, ...dismissal } = aSubmission(tenant, second, { userId: 'person-1' });
    expect((await call(submitDismissal, dismissal)).status).toBe(201);
    const revision = { ...aSubmission(tenant, first), rating: 2, revision: 1 };
    expect((await call(reviseResponse, revision)).status).toBe(200);
    expect((await post(service, path, { rating: '9' })).status).toBe(200);
  });

  it('is refused if it is expired, used or of another project', async () => {
    const [expired = ''] = await tokens(1, 'late');
    service.clock.advance(4 * DAY);
    const [used = ''] = await tokens(1, 'person');
    expect(await answer(used)).toBe('201 recorded');
    const own = tenant;
    tenant = await service.tenant();
    const [foreign = ''] = await tokens(1, 'person');
    tenant = own;
    await exhaust();
    expect(await Promise.all([expired, used, foreign].map(answer))).toEqual(
      Array.from({ length: 3 }, () => '429 rate_limited'),
    );
  });

  it("does not use up other people's limits when it is repeated with any fields", async () => {
    const genuine = await tokens(12, 'person');
    const [used = '', unused = '', revised = ''] = await tokens(3, 'attacker');
    expect(await answer(used)).toBe('201 recorded');
    expect(await answer(revised)).toBe('201 recorded');
    await exhaust();
    const send = async (endpoint: typeof submitDismissal, body: object) =>
      codeOf(await service.call(endpoint, { body }));
    const attacks: ((n: number) => Promise<string>)[] = [
      (n) => send(submitResponse, { ...aSubmission(tenant, used), revision: n }),
      () => send(submitResponse, { ...aSubmission(tenant, unused), rating: 'none' }),
      () => send(submitResponse, { ...aSubmission(tenant, unused), surveyId: 'sv_other' }),
      () => send(submitResponse, { ...aSubmission(tenant, unused), sessionId: 'other' }),
      (n) => send(reviseResponse, { ...aSubmission(tenant, revised), revision: 2 + n }),
      (n) => send(reviseResponse, { ...aSubmission(tenant, revised), revision: 101 + n }),
    ];
    const admitted: string[] = [];
    for (let n = 0; n < 120; n += 1) {
      for (const attack of attacks) admitted.push(await attack(n));
      if (n % 10 === 0) expect(await answer(genuine[n / 10] ?? '')).toBe('201 recorded');
      service.clock.advance(10);
    }
    expect(admitted.filter((code) => code.startsWith('5'))).toEqual([]);
    // The default rate limits admit this many requests in 1.2 s.
    expect(admitted.filter((code) => code !== '429 rate_limited').length).toBeLessThanOrEqual(
      2 * 1.15 * ADDRESS_RATE * 1.2 + 3 * 4 + 5,
    );
  });

  it('is accepted with unknown fields of any value', async () => {
    const held = await tokens(2, 'person');
    const odd = { revision: { toString: 0 }, userId: 'person-0' };
    const nested = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);
    expect(codeOf(await submit({ service, tenant }, held[0] ?? '', odd))).toBe('201 recorded');
    const other = { ...odd, revision: nested };
    expect(codeOf(await submit({ service, tenant }, held[1] ?? '', other))).toBe('201 recorded');
    expect(codeOf(await submit({ service, tenant }, 'forged', other))).toBe('401 invalid_token');
  });

  it('is accepted up to a separate limit', async () => {
    tenant = await service.tenant({ rates: { publishable: 0, secret: 0, address: 1, genuineAddress: 2 } });
    const held = await tokens(20, 'person');
    await Promise.all(Array.from({ length: 30 }, () => answer('forged')));
    const codes = countOf(await Promise.all(held.map(answer)));
    expect(codes['429 rate_limited']).toBeGreaterThan(5);
    expect(codes['201 recorded']).toBeGreaterThanOrEqual(4);
  });
});
