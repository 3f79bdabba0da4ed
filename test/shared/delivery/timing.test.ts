import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPacer } from '../../../shared/delivery/timing.ts';
import { createTestClock, createVirtualTimers, START } from '../../support/service/test-clock.ts';

async function turns(requestsPerMinute: number, workers: number, busyMs: number, lastsMs: number) {
  const clock = createTestClock();
  const timers = createVirtualTimers(clock);
  const pacer = createPacer({ requestsPerMinute, end: START + lastsMs, timers });
  const moments: number[] = [];
  const work = async () => {
    while (await pacer.turn()) {
      moments.push(clock.now() - START);
      await timers.sleep(busyMs);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return moments;
}

it('never exceeds its turns per minute with any workers, and stops at the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 9_000 }),
      async (requestsPerMinute, workers, busyMs) => {
        const moments = await turns(requestsPerMinute, workers, busyMs, 150_000);
        for (const start of moments) {
          const window = moments.filter((moment) => moment >= start && moment < start + 60_000);
          expect(window.length).toBeLessThanOrEqual(requestsPerMinute);
        }
        expect(Math.max(...moments)).toBeLessThan(150_000);
      },
    ),
    { numRuns: 40 },
  );
});

it('gives the first turn at once and keeps the pace', async () => {
  expect(await turns(25, 4, 100, 10_000)).toEqual([0, 2_400, 4_800, 7_200, 9_600]);
});

it('gives turns immediately without a limit', async () => {
  expect(await turns(0, 1, 1_000, 3_500)).toEqual([0, 1_000, 2_000, 3_000]);
});

it('gives no turns while held back, even to waiting callers', async () => {
  const clock = createTestClock();
  const timers = createVirtualTimers(clock);
  const pacer = createPacer({ requestsPerMinute: 60, end: START + 60_000, timers });
  await pacer.turn();
  const waiting = pacer.turn();
  pacer.hold(30_000);
  await waiting;
  expect(clock.now()).toBe(START + 30_000);
  pacer.hold(60_000);
  expect(await pacer.turn()).toBe(false);
});

it('gives no turns after the caller stops', async () => {
  const stop = new AbortController();
  const timers = createVirtualTimers(createTestClock());
  const pacer = createPacer({
    requestsPerMinute: 0,
    end: Number.POSITIVE_INFINITY,
    timers,
    signal: stop.signal,
  });
  expect(await pacer.turn()).toBe(true);
  stop.abort();
  expect(await pacer.turn()).toBe(false);
});
