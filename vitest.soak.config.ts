import { defineConfig } from 'vitest/config';

/** What must run long: volume and soak. Everything that proves behaviour quickly is in `npm test`. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
