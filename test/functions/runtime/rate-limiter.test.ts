import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createSharedLimiter } from '../../../functions/runtime/rate-limiter.ts';
import { ADDRESS_LEASES, keyLeaseKey, rateLeasePartition } from '../../../shared/data/table/schema.ts';
import type { LeaseReply } from '../../../shared/domain/rates/rate-lease.ts';
import { createTestClock, START } from '../../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { NO_LIMIT } from '../../support/service/test-table.ts';
import { createRecordingClient } from '../../support/stand-ins/recording-client.ts';

/** The burst of one address at 5 requests/s, plus three requests for each of two instances. */
const BURST_OF_5_AND_FREE = 16;

describe('rate limits shared by function instances', () => {
  let first: TestService;
  let second: TestService;
  const clock = createTestClock();

  beforeAll(async () => {
    first = await createTestService({ sharedRateLimits: true, clock });
    second = await createTestService({ sharedRateLimits: true, clock, table: first.table });
  });

  const statuses = async (
    { publishableKey }: Tenant,
    requests: number,
    sourceIp: (index: number) => string = () => '192.0.2.1',
  ) => {
    const found: number[] = [];
    for (let index = 0; index < requests; index++) {
      const service = index % 2 === 0 ? first : second;
      const options = { body: { key: publishableKey }, sourceIp: sourceIp(index) };
      found.push((await service.call(bootstrap, options)).status);
    }
    return found;
  };
  const count = (found: readonly number[], status: number) => found.filter((each) => each === status).length;

  it('admit the burst of a key over two instances, then answer 429 with Retry-After', async () => {
    const tenant = await first.tenant({ rates: { publishable: 20, secret: 100 } });
    const found = await statuses(tenant, 80);
    expect(count(found, 200)).toBeGreaterThanOrEqual(40);
    expect(count(found, 200)).toBeLessThanOrEqual(50);
    const refused = await first.call(bootstrap, { body: { key: tenant.publishableKey } });
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('keep one address from spending the budget of the key', async () => {
    const tenant = await first.tenant({ rates: { publishable: 1_000, secret: 100, address: 5 } });
    const runaway = await statuses(tenant, 60);
    expect(count(runaway, 200)).toBeLessThanOrEqual(BURST_OF_5_AND_FREE);
    const others = await statuses(tenant, 20, (index) => `198.51.100.${index}`);
    expect(count(others, 200)).toBe(20);
  });

  it('count an IPv6 network as one address, and store no address', async () => {
    const tenant = await first.tenant({ rates: { publishable: 1_000, secret: 100, address: 5 } });
    const found = await statuses(tenant, 60, (index) => `2001:db8:1:2::${index + 1}`);
    expect(count(found, 200)).toBeLessThanOrEqual(BURST_OF_5_AND_FREE);
    const partition = rateLeasePartition(tenant.project.id, ADDRESS_LEASES);
    const leases = await first.table.table.query({ partition });
    expect(leases).toHaveLength(1);
    expect(JSON.stringify(leases)).not.toContain('2001');
  });

  it('write at most one lease per 20 requests of an instance under load', async () => {
    const { client, take } = createRecordingClient(first.table.endpoint);
    const loaded = await createTestService({ sharedRateLimits: true, clock, table: first.table, client });
    const { secretKey } = await first.tenant({ rates: { publishable: 200, secret: 100 } });
    const body = { respondentId: 'ann', sessionId: 'session' };
    const mint = async () => {
      clock.advance(50);
      expect((await loaded.call(mintTokens, { secretKey, body })).status).toBe(200);
    };
    for (let request = 0; request < 40; request++) await mint();
    take();
    for (let request = 0; request < 100; request++) await mint();
    const writes = take().filter(({ operation }) => operation === 'UpdateItem');
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.length).toBeLessThanOrEqual(5);
  });
});

function countingLimiter(answer: () => Promise<LeaseReply>, deadlineMs = NO_LIMIT) {
  const counts = { asks: 0, failures: 0 };
  const limiter = createSharedLimiter({
    leases: {
      ask() {
        counts.asks++;
        return answer();
      },
    },
    keyOf: async ({ projectId, name }) => keyLeaseKey(projectId, name),
    random: () => 0,
    deadlineMs,
    onFailure: () => counts.failures++,
  });
  return { limiter, counts };
}

it('an address that makes three requests in ten seconds costs no lease, however long it continues', async () => {
  const { limiter, counts } = countingLimiter(async () => ({ granted: false }));
  const bucket = { kind: 'address', projectId: 'p', name: 'a', rate: 20 } as const;
  for (let second = 0; second < 600; second++) {
    if (second % 10 > 2) continue;
    expect(await limiter.take(bucket, START + second * 1_001)).toEqual({ admitted: true });
  }
  expect(counts.asks).toBe(0);
});

describe('a limiter whose leases fail', () => {
  const bucket = { kind: 'key', projectId: 'p', name: 'k', rate: 10 } as const;

  it('lets requests pass, logs it, and does not try again for a second', async () => {
    const { limiter, counts } = countingLimiter(async () => {
      throw new Error('the table does not answer');
    });
    for (let request = 0; request < 50; request++)
      expect(await limiter.take(bucket, START + request)).toEqual({ admitted: true, unmetered: true });
    expect(counts).toEqual({ asks: 1, failures: 1 });
    await limiter.take(bucket, START + 1_001);
    expect(counts.asks).toBe(2);
  });

  it('waits for a lease no longer than its deadline', async () => {
    const { limiter, counts } = countingLimiter(() => new Promise(() => undefined), 1);
    expect(await limiter.take(bucket, START)).toEqual({ admitted: true, unmetered: true });
    expect(counts).toEqual({ asks: 1, failures: 1 });
  });
});
