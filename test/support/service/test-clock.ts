/** Stands still until a test advances it. */
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

/** Uses real time, for tokens that another program issues. A test can advance it. */
export function createRunningClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

/** Advances by a step at every look, so that work runs out of time. */
export function createSteppingClock(step: number, start = START): TestClock {
  let moment = start - step;
  return {
    now: () => (moment += step),
    advance(milliseconds) {
      moment += milliseconds;
    },
  };
}
