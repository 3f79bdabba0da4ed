import type { Page } from 'playwright-core';

/** Records the client's errors in `told` from the start, then makes these calls. */
export const hearErrors = (page: Page, ...calls: unknown[][]) =>
  page.addInitScript((given) => {
    const told: unknown[] = [];
    Object.assign(window, {
      told,
      canvass: [['on', 'error', (error: unknown) => told.push(error)], ...given],
    });
  }, calls);
