import type { Page } from 'playwright-core';

/** Stops the page's clock. Tests advance it. */
export async function stopClock(page: Page, now = Date.now()): Promise<void> {
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
}

export const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

export const openDialog = (page: Page): Promise<void> =>
  page.evaluate(() => document.body.appendChild(document.createElement('dialog')).showModal());

export const withoutNavigationApi = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
