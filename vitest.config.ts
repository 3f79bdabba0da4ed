import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
  },
});
