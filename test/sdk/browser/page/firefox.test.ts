/** Needs an installed Firefox: `apt-get install firefox-esr`. */

import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { firefoxPath, launchFirefox } from '../support/firefox.ts';
import type { HostPage } from '../support/host-page.ts';
import { eventually, PATIENCE_MS } from '../support/patience.ts';
import { bench, storedRows } from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';

const path = firefoxPath();
const PANEL = 'canvass-survey >>> section';
const SEND = 'canvass-survey >>> button.send';
const CLOSE = 'canvass-survey >>> button[aria-label=Close]';
const TEXT = 'canvass-survey >>> textarea';
const radio = (value: number): string => `canvass-survey >>> input[type=radio][value="${value}"]`;
const thumb = (name: string): string => `canvass-survey >>> button[aria-label="${name}"]`;

const LOWEST = { nps: 0, csat: 1, ces: 1, pmf: 0 } as const;

/** Firefox requests the icon and reports that the page's policy forbids it. */
const FAVICON = /Content-Security-Policy: .*favicon/;

interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly user: string;
  readonly address: string;
}

describe.skipIf(path === undefined)('in Firefox', () => {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await launchFirefox(path ?? '');
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function visit(slug: string, described: Partial<HostPage> = {}, width = 1_280): Promise<Visit> {
    const context = await browser.createBrowserContext();
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => {
      if (!FAVICON.test(String(error))) faults.push(String(error));
    });
    await page.setViewport({ width, height: 720 });
    const user = `user-${randomUUID()}`;
    const host: HostPage = {
      key: bench.tenant.key,
      service: bench.service,
      user,
      calls: [['show', slug]],
      place: slug,
      ...described,
    };
    const address = `${bench.pages}/?page=${encodeURIComponent(JSON.stringify(host))}`;
    await page.goto(address);
    await page.waitForSelector(PANEL, { visible: true });
    return { page, context, user, address };
  }

  const click = ({ page }: Visit, selector: string): Promise<void> => page.locator(selector).click();

  const expectStored = ({ user }: Visit, row: Readonly<Record<string, unknown>>): Promise<void> =>
    eventually(async () => expect(await storedRows(user)).toMatchObject([row]));

  it.each(TYPES.flatMap((type) => PRESENTATIONS.map((presentation) => ({ type, presentation }))))(
    'stores a rating with words: $type, $presentation',
    async ({ type, presentation }) => {
      const shop = await visit(`${type}-${presentation}`);
      const rating = LOWEST[type];
      await click(shop, radio(rating));
      await click(shop, SEND);
      await shop.page.locator(TEXT).fill('Too slow.');
      await click(shop, SEND);
      await expectStored(shop, { rating, text: 'Too slow.' });
    },
  );

  it.each(PRESENTATIONS)('stores a thumb up at once, a thumb down with words: %s', async (presentation) => {
    const pleased = await visit(`thumbs-${presentation}`);
    await click(pleased, thumb('Helpful'));
    await expectStored(pleased, { rating: 1 });
    const displeased = await visit(`thumbs-${presentation}`);
    await click(displeased, thumb('Not helpful'));
    await displeased.page.locator(TEXT).fill('Too slow.');
    await click(displeased, SEND);
    await expectStored(displeased, { rating: 0, text: 'Too slow.' });
  });

  it('answers by keyboard', async () => {
    const shop = await visit('plain');
    await shop.page.focus('canvass-survey >>> input[type=radio]');
    await shop.page.keyboard.press('ArrowLeft');
    await shop.page.keyboard.press('ArrowLeft');
    await shop.page.keyboard.press('Tab');
    await shop.page.keyboard.press('Enter');
    await expectStored(shop, { rating: 9 });
  });

  it('answers when the survey is closed after a choice', async () => {
    const shop = await visit('nps-corner');
    await click(shop, radio(9));
    await click(shop, CLOSE);
    await expectStored(shop, { rating: 9 });
  });

  it('dismisses when the survey is closed without a choice', async () => {
    const shop = await visit('nps-corner');
    await click(shop, CLOSE);
    await expectStored(shop, { surveySlug: 'nps-corner' });
    expect((await storedRows(shop.user))[0]).not.toHaveProperty('rating');
  });

  it('answers when the page is left after a choice', async () => {
    const shop = await visit('nps-corner');
    await click(shop, radio(9));
    await shop.page.goto('about:blank');
    await expectStored(shop, { rating: 9 });
  });

  it('sends an offline answer from the next page', async () => {
    const shop = await visit('plain');
    await shop.page.setOfflineMode(true);
    await click(shop, radio(9));
    await click(shop, SEND);
    expect(await storedRows(shop.user)).toEqual([]);
    await shop.page.setOfflineMode(false);
    await shop.page.goto(shop.address);
    await expectStored(shop, { rating: 9 });
  });

  it.each([320, 375])('has NPS in one row of targets of at least 24 px, at %i px', async (width) => {
    const shop = await visit('nps-corner', {}, width);
    const targets = await shop.page.$$eval('canvass-survey >>> label:has(input[type=radio])', (labels) =>
      labels.map((label) => {
        const { top, width, height } = label.getBoundingClientRect();
        return { top, smallest: Math.min(width, height) };
      }),
    );
    expect(targets).toHaveLength(11);
    expect(new Set(targets.map(({ top }) => Math.round(top))).size).toBe(1);
    expect(Math.min(...targets.map(({ smallest }) => smallest))).toBeGreaterThanOrEqual(24);
  });

  it('stays on top and inside the window of a page with a transformed body', async () => {
    const shop = await visit('plain');
    const met = await shop.page.evaluate(() => {
      document.body.style.cssText = 'transform: translateY(1px); height: 9000px';
      const panel = document.querySelector('canvass-survey')?.shadowRoot?.querySelector('section');
      const { left, right, top, bottom } = panel?.getBoundingClientRect() ?? new DOMRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return isInside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.localName;
    });
    expect(met).toBe('canvass-survey');
  });

  it('follows pages while a single-page application runs', async () => {
    const shop = await visit('plain');
    const { key } = bench.placedTenant;
    const host: HostPage = { key, service: bench.service, user: shop.user, options: { idleMs: 0 } };
    await shop.page.goto(`${bench.pages}/?page=${encodeURIComponent(JSON.stringify(host))}`);
    await shop.page.waitForNetworkIdle({ idleTime: 100 });
    expect(await shop.page.$('canvass-survey')).toBeNull();
    await shop.page.evaluate("history.pushState(0, '', '/orders/7')");
    await shop.page.waitForSelector(PANEL, { visible: true });
  });

  it("is isolated from the page's styles", async () => {
    const shop = await visit('plain', { hostile: true });
    await click(shop, radio(9));
    await click(shop, SEND);
    await expectStored(shop, { rating: 9 });
  });

  it('reads Arabic from right to left, with fetched words', async () => {
    const { page } = await visit('nps-corner', { lang: 'ar', direction: 'rtl' });
    const [first, last] = await page.$$eval('canvass-survey >>> input[type=radio]', (radios) =>
      [radios[0], radios.at(-1)].map((input) => input?.getBoundingClientRect().left ?? 0),
    );
    expect(first).toBeGreaterThan(last ?? 0);
    expect(await page.$eval(PANEL, (panel) => panel.textContent)).toContain('غير محتمل');
  });
});

describe.skipIf(path === undefined)('in Firefox with forced colors', () => {
  it.each(['light', 'dark'])('shows every control: %s', async (scheme) => {
    const browser = await launchFirefox(path ?? '', {
      'browser.display.document_color_use': 2,
      'ui.useAccessibilityTheme': 1,
      'ui.systemUsesDarkTheme': scheme === 'dark' ? 1 : 0,
    });
    const page = await browser.newPage();
    const host: HostPage = {
      key: bench.tenant.key,
      service: bench.service,
      user: `user-${randomUUID()}`,
      calls: [['show', 'nps-corner']],
    };
    await page.goto(`${bench.pages}/?page=${encodeURIComponent(JSON.stringify(host))}`);
    await page.locator(radio(3)).click();
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    const controls = await page.$$eval('canvass-survey >>> button', (buttons) =>
      buttons.map((button) => {
        const { color, backgroundColor, borderColor } = getComputedStyle(button);
        return { color, backgroundColor, borderColor };
      }),
    );
    expect(controls.length).toBeGreaterThan(1);
    for (const { color, backgroundColor } of controls) expect(color).not.toBe(backgroundColor);
    await browser.close();
  });
});
