/** Removes stubs of the environment after each file, because test files share one process. */

import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllEnvs();
});
