import { defineConfig } from 'vitest/config';

const BROWSER = 'test/sdk/browser/page/**/*.test.ts';

/** Two projects, so that only the tests that need a browser start one. */
export default defineConfig({
  test: {
    // Much of the time is spent waiting for the emulator and the browser.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/soak/**', BROWSER],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: [BROWSER],
          globalSetup: ['test/sdk/browser/support/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
