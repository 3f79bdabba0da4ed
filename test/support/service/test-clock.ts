import type { Timers } from '../../../shared/delivery/timing.ts';

export interface TestClock {
  readonly now: () => number;
  advance(milliseconds: number): void;
}

export const START = Date.parse('2026-11-20T09:30:00.000Z');

export function createTestClock(start = START): TestClock {
  let moment = start;
  return {
    now: () => moment,
    advance(milliseconds) {
      moment += milliseconds;
    },
  };
}

/** Uses real time, for tokens that another program issues. */
export function createRunningClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

/** The clock advances with each reading. */
export function createSteppingClock(step: number, start = START): TestClock {
  let moment = start - step;
  return {
    now: () => (moment += step),
    advance(milliseconds) {
      moment += milliseconds;
    },
  };
}

/** Sleeping advances the test's clock instead of waiting. */
export function createVirtualTimers(clock: TestClock, random: () => number = () => 0.5): Timers {
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  function wakeFirst(): void {
    sleepers.sort((a, b) => b.until - a.until);
    const first = sleepers.pop();
    if (first === undefined) return;
    clock.advance(Math.max(0, first.until - clock.now()));
    first.wake();
  }
  return {
    now: clock.now,
    random,
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        sleepers.push({ until: clock.now() + milliseconds, wake: resolve });
        setImmediate(wakeFirst);
      }),
  };
}
