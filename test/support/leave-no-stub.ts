/** Files share one process: what a file stubbed in the environment is gone before the next begins. */

import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllEnvs();
});
