import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

/** What must run long: volume, soak, and many more random histories than `npm test` checks. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts', 'test/promises/model.property.test.ts'],
    // Other histories in each run; fast-check prints the seed of one that fails.
    env: { MODEL_RUNS: '300', TEST_SEED: process.env.TEST_SEED ?? String(randomInt(2 ** 31)) },
    setupFiles: ['test/support/seed-properties.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
