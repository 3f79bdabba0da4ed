import { defineConfig } from 'vitest/config';

const BROWSER = ['test/sdk/browser/page/**/*.test.ts', 'test/sdk/react/**/*.test.ts'];
const PACKAGES = 'test/packages/**/*.test.ts';

/** Ends what hangs; on a busy machine a test may take many times its usual time. */
const PATIENCE_MS = 180_000;
const PATIENT = {
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

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
          setupFiles: ['test/support/leave-no-stub.ts', 'test/support/seed-properties.ts'],
          // Loading the SDKs, the CDK and the handlers anew for each file would cost more than most files' tests do.
          isolate: false,
          unstubEnvs: true,
          ...PATIENT,
        },
      },
      {
        test: {
          name: 'browser',
          include: BROWSER,
          globalSetup: ['test/sdk/browser/support/global-setup.ts'],
          ...PATIENT,
        },
      },
      {
        test: {
          name: 'packages',
          include: [PACKAGES],
          globalSetup: ['test/packages/support/global-setup.ts'],
          isolate: false,
          ...PATIENT,
        },
      },
    ],
  },
});
