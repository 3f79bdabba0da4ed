import { beforeEach, describe, expect, it } from 'vitest';
import { createRateLeases } from '../../../../shared/data/projects/rate-leases.ts';
import { type Key, keyLeaseKey } from '../../../../shared/data/table/schema.ts';
import type { LeaseAsk } from '../../../../shared/domain/rates/rate-lease.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { createBucket } from '../../../support/model/lease-simulation.ts';
import { START } from '../../../support/service/test-clock.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const LIMIT = { rate: 10, burst: 20, paid: 'before' } as const;

const table = await createTestTable();
const leases = createRateLeases(table.table);

describe('leases of a shared bucket', () => {
  let key: Key;

  beforeEach(() => {
    key = keyLeaseKey(anId(), anId());
  });

  const ask = (permits: number, more: Partial<LeaseAsk> = {}): LeaseAsk => ({
    permits,
    offered: permits,
    least: 1,
    refill: false,
    ...more,
  });

  it('grants from a new bucket, and returns its state', async () => {
    const first = await leases.ask(key, ask(5, { refill: true }), LIMIT, START);
    expect(first).toEqual({ granted: true, emptyAt: START - 1_500, offered: 5 });
    const second = await leases.ask(key, ask(15), LIMIT, START);
    expect(second).toEqual({ granted: true, emptyAt: START, offered: 20 });
    const third = await leases.ask(key, ask(1), LIMIT, START);
    expect(third).toEqual({ granted: false, emptyAt: START, offered: 20 });
    const fourth = await leases.ask(key, ask(1, { offered: 4 }), LIMIT, START + 100);
    expect(fourth).toEqual({ granted: true, emptyAt: START + 100, offered: 24 });
  });

  it('deducts permits that are already spent, however empty the bucket is', async () => {
    await leases.ask(key, ask(20, { refill: true }), LIMIT, START);
    const spent = await leases.ask(key, ask(30, { least: undefined }), LIMIT, START);
    expect(spent).toEqual({ granted: true, emptyAt: START + 3_000, offered: 50 });
  });

  it('expires an hour after its last use', async () => {
    await leases.ask(key, ask(1, { refill: true }), LIMIT, START);
    expect(await table.table.get(key)).toMatchObject({
      type: 'rate-lease',
      ttl: (START + 3_600_000) / 1_000,
    });
  });

  it('never grants more than the bucket holds, however many ask at once', async () => {
    await leases.ask(key, ask(1, { refill: true }), LIMIT, START);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => leases.ask(key, ask(1), LIMIT, START)),
    );
    expect(replies.filter(({ granted }) => granted)).toHaveLength(19);
  });

  it('responds like the simulated bucket', async () => {
    const simulated = createBucket();
    const asks: [LeaseAsk, number][] = [
      [ask(3), 0],
      [ask(3, { refill: true, offered: 12 }), 0],
      [ask(4, { refill: true }), 50],
      [ask(10), 60],
      [ask(10), 70],
      [ask(40, { least: undefined }), 80],
      [ask(2), 400],
      [ask(2, { refill: true }), 8_000],
      [ask(2), 8_001],
      [ask(2, { least: undefined }), 20_000],
      [ask(2, { refill: true }), 20_000],
    ];
    for (const [each, after] of asks) {
      const expected = simulated(each, LIMIT, START + after);
      expect(await leases.ask(key, each, LIMIT, START + after)).toEqual(expected);
    }
  });
});
