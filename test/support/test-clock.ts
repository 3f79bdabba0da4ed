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
