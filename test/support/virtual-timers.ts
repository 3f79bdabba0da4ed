import type { Timers } from '../../shared/delivery/timing.ts';
import type { TestClock } from './service/test-clock.ts';

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
