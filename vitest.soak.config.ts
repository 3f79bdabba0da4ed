import { defineConfig } from 'vitest/config';

/** What must run long: volume, soak, and many more random histories than `npm test` checks. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts', 'test/promises/model.property.test.ts'],
    env: { MODEL_RUNS: '300' },
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
