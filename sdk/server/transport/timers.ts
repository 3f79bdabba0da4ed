/** Time and chance, which tests and unusual runtimes bring themselves. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0, inclusive, to 1, exclusive. */
  random(): number;
}

export const SYSTEM_TIMERS: Timers = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      if (signal?.aborted === true) done();
      else signal?.addEventListener('abort', done);
    }),
  random: () => Math.random(),
};
