import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunLease, type RunLease } from '../../../../shared/data/scores/run-lease.ts';
import { createTestTable, type TestTable } from '../../../support/service/test-table.ts';

describe('the lease of a scheduled job', () => {
  let table: TestTable;
  let lease: RunLease;
  let jobs = 0;
  beforeEach(async () => {
    table ??= await createTestTable();
    lease = createRunLease(table.table, `job-${jobs++}`);
  });

  it('belongs to one holder until it is released or expires', async () => {
    expect(await lease.acquire('a', 1_000, 2_000)).toEqual({});
    expect(await lease.acquire('b', 1_999, 3_000)).toBeUndefined();
    expect(await lease.acquire('b', 2_000, 3_000)).toEqual({});
    await lease.release('b', {}, false);
    expect(await lease.acquire('c', 2_001, 3_000)).toEqual({});
  });

  it('hands over what the previous run left, including the predecessor of a killed run', async () => {
    await lease.acquire('a', 0, 10);
    await lease.release('a', { p1: 'cursor' }, true);
    expect(await lease.acquire('b', 1, 10)).toEqual({ p1: 'cursor' });
    // Run b was killed.
    expect(await lease.acquire('c', 10, 20)).toEqual({ p1: 'cursor' });
  });

  it('is not released by a run that has lost it', async () => {
    await lease.acquire('a', 0, 10);
    await lease.acquire('b', 10, 20);
    expect(await lease.release('a', { p1: 'stale' }, true)).toBe(false);
    expect(await lease.acquire('c', 11, 20)).toBeUndefined();
    expect(await lease.acquire('c', 20, 30)).toEqual({});
  });

  it('is taken again by its holder when the SDK repeats a write whose reply was lost', async () => {
    await lease.acquire('a', 0, 10);
    expect(await lease.acquire('a', 0, 10)).toEqual({});
  });

  it('is kept by a holder that was asked to look again, once for any number of requests', async () => {
    await lease.acquire('a', 0, 10);
    for (const other of ['b', 'c']) expect(await lease.acquire(other, 1, 10)).toBeUndefined();
    expect(await lease.release('a', { p1: 'cursor' }, true)).toBe(true);
    expect(await lease.acquire('b', 2, 10)).toBeUndefined();
    expect(await lease.release('a', { p1: 'later' }, false)).toBe(false);
    expect(await lease.acquire('b', 3, 10)).toEqual({ p1: 'later' });
    expect(await lease.release('b', {}, true)).toBe(false);
    expect(await lease.release('b', {}, true)).toBe(false);
  });

  it('loses no request that arrives while a run ends: either the request runs, or the holder looks again', async () => {
    for (let round = 0; round < 40; round += 1) {
      const own = createRunLease(table.table, `job-${jobs++}`);
      await own.acquire('a', 0, 1_000);
      const [again, memory] = await Promise.all([own.release('a', {}, true), own.acquire('b', 1, 1_000)]);
      expect([again, memory !== undefined]).toEqual([memory === undefined, !again]);
    }
  });

  it('goes to at most one of many concurrent runs', async () => {
    const holders = Array.from({ length: 12 }, (_, index) => `h${index}`);
    const taken = await Promise.all(holders.map((holder) => lease.acquire(holder, 0, 10)));
    expect(taken.filter((memory) => memory !== undefined)).toHaveLength(1);
  });

  it('never has two holders at a time, whatever the order', async () => {
    const step = fc.record({
      holder: fc.constantFrom('a', 'b', 'c'),
      wait: fc.nat(6),
      lasts: fc.integer({ min: 1, max: 10 }),
      releases: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const own = createRunLease(table.table, `job-${jobs++}`);
        let held: { readonly holder: string; readonly until: number } | undefined;
        let now = 0;
        for (const { holder, wait, lasts, releases } of steps) {
          now += wait;
          if (releases) {
            await own.release(holder, {}, false);
            if (held?.holder === holder) held = undefined;
            continue;
          }
          const isFree = held === undefined || held.until <= now || held.holder === holder;
          expect((await own.acquire(holder, now, now + lasts)) !== undefined).toBe(isFree);
          if (isFree) held = { holder, until: now + lasts };
        }
      }),
      { numRuns: 30 },
    );
  });
});
