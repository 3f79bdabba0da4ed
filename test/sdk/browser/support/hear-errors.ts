import type { Page } from 'playwright-core';

/** Before a page is opened: what its client tells as errors is in `told`, from the start; then come these calls. */
export const hearErrors = (page: Page, ...calls: unknown[][]) =>
  page.addInitScript((given) => {
    const told: unknown[] = [];
    Object.assign(window, {
      told,
      canvass: [['on', 'error', (error: unknown) => told.push(error)], ...given],
    });
  }, calls);
