import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { axeFindings, cutWhenSpaced } from './axe.ts';
import { connectChromium } from './chromium.ts';
import { faintParts } from './contrast.ts';

export function useChromium() {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await connectChromium();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    async newPage(options?: BrowserContextOptions): Promise<Page> {
      const context = await browser?.newContext(options);
      if (context === undefined) throw new Error('the browser has not begun');
      contexts.push(context);
      return context.newPage();
    },
  };
}

export const APPEARANCES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['1,440 px', { viewport: { width: 1440, height: 900 } }],
  ['375 px, dark', { viewport: { width: 375, height: 700 }, colorScheme: 'dark' }],
  ['320 px', { viewport: { width: 320, height: 700 } }],
  ['forced colours', { forcedColors: 'active' }],
];

/** Fields with text below 16 px, into which iOS zooms. */
export const smallFields = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('input:not([type=radio], [type=checkbox]), select, textarea')]
    .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML.slice(0, 120))`);

/** Axe's findings, the pixels that overflow the window, faint edges of fields, and text that spacing cuts. */
export async function problemsOf(page: Page): Promise<string[]> {
  // docs/accessibility.md names the exception: the note on a contact.
  const fields = page.locator(
    ':is(input, select, textarea):not([type=radio], [type=checkbox], [readonly], .handle *)',
  );
  const faint = await faintParts(fields, 'edge');
  const violations = await axeFindings(page);
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    ...(excess > 0 ? [`${excess} pixels are cut`] : []),
    ...faint.map((field) => `faint edge: ${field}`),
    ...(await cutWhenSpaced(page)),
  ];
}
