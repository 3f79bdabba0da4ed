import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { connectChromium } from './chromium.ts';
import { PATIENCE_MS } from './patience.ts';

export function useDemoPages(viewport = { width: 1_280, height: 900 }) {
  let browser: Browser;
  const opened: { readonly page: Page; readonly faults: string[] }[] = [];
  beforeAll(async () => {
    browser = await connectChromium();
  });
  afterEach(async () => {
    for (const { page, faults } of opened.splice(0)) {
      await page.close();
      expect(faults).toEqual([]);
    }
  });
  afterAll(() => browser.close());
  return async () => {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(PATIENCE_MS);
    const faults: string[] = [];
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    opened.push({ page, faults });
    return { page, faults };
  };
}
