import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Ends what hangs; on a busy machine a test may take many times its usual time. */
const PATIENCE_MS = 180_000;
const PATIENT = {
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

const DYNAMODB = 'test/support/global-setup.ts';
const CHROMIUM = 'test/sdk/browser/support/chromium.ts';
const SETUP = ['test/support/each-file.ts'];
/** Loading the SDKs, the CDK and the handlers again for each file would cost more than most files' tests do. */
const TOGETHER = { isolate: false, unstubEnvs: true, setupFiles: SETUP, ...PATIENT };

/** Chromium, and what is built for it. */
const BROWSER = [
  'test/sdk/browser/page/**/*.test.ts',
  'test/sdk/react/**/*.test.ts',
  'test/functions/show-link.page.test.ts',
  'test/functions/serve-results-page*.test.ts',
  'test/pages/console/*.test.ts',
  'test/bin/admin/results-report.test.ts',
];
/** What is published, packed and installed. */
const PACKAGES = ['test/packages/**/*.test.ts'];
/** Programs of ours as processes of their own, and bundles. */
const PROCESSES = [
  'test/bin/*.test.ts',
  'test/bin/build/**/*.test.ts',
  'test/bin/admin/process.test.ts',
  'test/bench/**/*.test.ts',
  'test/local/**/*.test.ts',
  'test/lib/bundles.test.ts',
  'test/sdk/server/portability.test.ts',
];
/** Large volumes; and whole, what the projects above take a sample of. */
const VOLUMES = ['test/soak/**/*.test.ts'];
const SAMPLED = [
  'test/promises/fault-matrix.test.ts',
  'test/functions/push/destinations.test.ts',
  'test/shared/data/privacy/expiry-sweep.races.test.ts',
  'test/**/*.property.test.ts',
];
/** What every route promises, and what the documents say. */
const CONTRACT = ['test/promises/**/*.test.ts', 'test/docs/**/*.test.ts'];
/** What asks no table. */
const PURE = [
  'test/architecture/**/*.test.ts',
  'test/lib/{alarms,settings}/**/*.test.ts',
  'test/lib/{api,canvass,canvass-props,canvass.account,canvass.backup,canvass.platform,cloudformation-schema,edge,events}.test.ts',
  'test/lib/{mint-key,new-route,observability}.test.ts',
  'test/bin/portable/**/*.test.ts',
  'test/sdk/browser/**/*.test.ts',
  'test/pages/**/*.test.ts',
  'test/shared/{contract,crypto,domain,settings,words}/**/*.test.ts',
];

const SLOW = [...BROWSER, ...PACKAGES, ...PROCESSES, ...VOLUMES];

/**
 * Tiers. `npm test`: pure, service and contract, in some minutes. `npm run test:rest`: the others. Each starts what its
 * tests need and nothing else.
 */
export default defineConfig({
  test: {
    // One more than the cores, because workers wait for the emulator and the browser. A project shares one emulator.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    projects: [
      { test: { name: 'pure', include: PURE, exclude: SLOW, ...TOGETHER } },
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...SLOW, ...PURE, ...CONTRACT],
          globalSetup: [DYNAMODB],
          ...TOGETHER,
        },
      },
      { test: { name: 'contract', include: CONTRACT, exclude: SLOW, globalSetup: [DYNAMODB], ...TOGETHER } },
      { test: { name: 'processes', include: PROCESSES, globalSetup: [DYNAMODB], ...TOGETHER } },
      {
        test: {
          name: 'histories',
          include: [...VOLUMES, ...SAMPLED],
          globalSetup: [DYNAMODB],
          ...TOGETHER,
          testTimeout: 600_000,
          // Other histories in each run; fast-check prints the seed of one that fails.
          env: {
            TEST_DEPTH: process.env.TEST_DEPTH ?? 'whole',
            TEST_SEED: process.env.TEST_SEED ?? String(randomInt(2 ** 31)),
          },
        },
      },
      {
        test: {
          name: 'browser',
          include: BROWSER,
          globalSetup: [DYNAMODB, CHROMIUM, 'test/sdk/browser/support/global-setup.ts'],
          isolate: false,
          ...PATIENT,
        },
      },
      {
        test: {
          name: 'packages',
          include: PACKAGES,
          globalSetup: ['test/packages/support/global-setup.ts', CHROMIUM],
          isolate: false,
          ...PATIENT,
        },
      },
    ],
  },
});
