/** Expiry, and rotation of the keys that tokens are sealed under (docs/contract.md §7.2). */

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TokenKey } from '../../shared/crypto/token-ring.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { showTokenOf } from '../support/fixtures/tokens.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { createTestSecrets } from '../support/service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

describe('time', () => {
  it('a token is good until the millisecond before it expires', async () => {
    const clock = createTestClock();
    const timed = await createTestService({ table: service.table, clock });
    const brief = await timed.tenant({ tokenLifetimeMs: HOUR });
    const tokens = [await showTokenOf(timed, brief), await showTokenOf(timed, brief)] as const;
    clock.advance(HOUR - 1);
    expect((await submit({ service: timed, tenant: brief }, tokens[0])).status).toBe(201);
    clock.advance(1);
    expect(codeOf(await submit({ service: timed, tenant: brief }, tokens[1]))).toBe('401 token_expired');
    // Used and expired: what is told first is that it has expired.
    expect(codeOf(await submit({ service: timed, tenant: brief }, tokens[0]))).toBe('401 token_expired');
  });
});

describe('rotation', () => {
  const aTokenKey = (id: string, activeFrom: number): TokenKey => ({
    id,
    secret: randomBytes(32),
    activeFrom,
  });

  it('a token outlives the retirement of its key for as long as the ring holds it', async () => {
    const clock = createTestClock();
    const old = aTokenKey('0000000a', 0);
    const ring = [old];
    const secrets = createTestSecrets(ring);
    const rotating = await createTestService({ table: service.table, clock, secrets });
    const where = { service: rotating, tenant: await rotating.tenant({ tokenLifetimeMs: 30 * DAY }) };
    const before = [1, 2].map(() => showTokenOf(rotating, where.tenant));
    const [first = '', second = ''] = await Promise.all(before);

    ring.push(aTokenKey('0000000b', clock.now() + HOUR));
    clock.advance(2 * HOUR);
    const after = await showTokenOf(rotating, where.tenant);
    expect(Buffer.from(after, 'base64url').toString('hex', 1, 5)).toBe('0000000b');
    expect((await submit(where, first)).status).toBe(201);
    expect((await submit(where, after)).status).toBe(201);

    ring.shift();
    clock.advance(5 * MINUTE);
    expect(codeOf(await submit(where, second))).toBe('401 invalid_token');
  });

  it('a key that this instance has not seen yet is fetched, at most once in ten seconds', async () => {
    const clock = createTestClock();
    const ring = [aTokenKey('0000000a', 0)];
    let reads = 0;
    const secrets = {
      ...createTestSecrets(ring),
      readTokenRing: async () => {
        reads++;
        return [...ring];
      },
    };
    const behind = await createTestService({ table: service.table, clock, secrets });
    await showTokenOf(behind, tenant);
    expect(reads).toBe(1);

    ring.push(aTokenKey('0000000b', clock.now()));
    const ahead = await createTestService({
      table: service.table,
      clock,
      secrets: createTestSecrets([...ring]),
    });
    const token = await showTokenOf(ahead, tenant);
    expect(codeOf(await submit({ service: behind, tenant }, token))).toBe('401 invalid_token');
    clock.advance(10_000);
    expect((await submit({ service: behind, tenant }, token)).status).toBe(201);
    expect(reads).toBe(2);
    const unknown = Buffer.from(token, 'base64url');
    unknown.writeUInt32BE(0xffffffff, 1);
    for (let i = 0; i < 20; i++) await submit({ service: behind, tenant }, unknown.toString('base64url'));
    expect(reads).toBe(2);
  });
});
