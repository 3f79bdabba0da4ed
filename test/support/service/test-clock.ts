/** A clock that stands still until a test moves it. */
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

/** The clock of this machine, for tokens that another program issues. A test can move it ahead. */
export function createRunningClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

/** A clock that moves by a step whenever it is looked at: work that asks it for the time runs out of time. */
export function createSteppingClock(step: number, start = START): TestClock {
  let moment = start - step;
  return {
    now: () => (moment += step),
    advance(milliseconds) {
      moment += milliseconds;
    },
  };
}
