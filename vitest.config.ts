import { defineConfig } from 'vitest/config';

const BROWSER = ['test/sdk/browser/page/**/*.test.ts', 'test/sdk/react/**/*.test.ts'];
const PACKAGES = 'test/packages/**/*.test.ts';

/** Projects, so that only the tests that need a browser start one, or the packages build them. */
export default defineConfig({
  test: {
    // Much of the time is spent waiting for the emulator and the browser.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/soak/**', ...BROWSER, PACKAGES],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/leave-no-stub.ts'],
          // Loading the SDKs, the CDK and the handlers anew for each file would cost more than most files' tests do.
          isolate: false,
          unstubEnvs: true,
          // They end what hangs; on a busy machine a test may take many times its usual time.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: BROWSER,
          globalSetup: ['test/sdk/browser/support/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'packages',
          include: [PACKAGES],
          globalSetup: ['test/packages/support/global-setup.ts'],
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
