import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answer } from '../support/delivery.ts';
import { bench, openShop, openShopShowing, type Shop, useShops } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

useShops();

/** Whether a pointer hits the box at its middle, with all of it on screen. */
const isOnTop = ({ region }: Shop): Promise<boolean> =>
  region.evaluate((panel) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return isInside && met?.localName === 'canvass-survey';
  });

describe('a page whose body', () => {
  it.each([
    'transform: translateY(1px)',
    'filter: grayscale(1)',
    'contain: paint; height: 9000px',
    'perspective: 9px',
  ])('has %s shows the survey in its corner and lets it answer', async (declaration) => {
    const shop = await openShop();
    await shop.page.evaluate((text) => {
      const [name = '', value = ''] = text.split(/[:;] ?/);
      document.body.style.setProperty(name, value);
      document.body.style.height = '9000px';
    }, declaration);
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(await isOnTop(shop)).toBe(true);
    await answer(shop);
  });
});

describe("the page's own modal dialog", () => {
  const openDialog = (page: Page) =>
    page.evaluate(() => {
      const dialog = document.createElement('dialog');
      dialog.textContent = 'Delete it?';
      document.body.append(dialog);
      dialog.showModal();
    });

  async function expectAfterDialog({ page, region, requests }: Shop): Promise<void> {
    await expect.poll(() => requests).toHaveLength(1);
    await page.clock.runFor(60_000);
    expect(await page.locator('canvass-survey').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.clock.runFor(2_100);
    await region.waitFor();
  }

  it('delays a survey requested while it is open', async () => {
    const shop = await openShop({ prepare: (page) => page.clock.install() });
    await openDialog(shop.page);
    await shop.page.evaluate("canvass.show('plain')");
    await expectAfterDialog(shop);
    expect(await isOnTop(shop)).toBe(true);
  });

  it('can be closed by script: the survey appears within a second', async () => {
    const { page, region, requests } = await openShop({ prepare: (opened) => opened.clock.install() });
    await openDialog(page);
    await page.evaluate("canvass.show('plain')");
    await expect.poll(() => requests).toHaveLength(1);
    await page.clock.runFor(60_000);
    await page.evaluate("document.querySelector('dialog').close()");
    await page.clock.runFor(1_000);
    await region.waitFor();
  });

  it('delays an `auto` survey', async () => {
    const shop = await openShop({
      tenant: bench.autoTenant,
      prepare: (page) => page.clock.install(),
    });
    await openDialog(shop.page);
    await expectAfterDialog(shop);
  });
});

it('answers in a frame that allows only scripts', async () => {
  const outer = await openShop({ module: 'headless' });
  const user = `user-${randomUUID()}`;
  const framed = {
    key: bench.tenant.key,
    service: bench.service,
    user,
    calls: [['show', 'nps-corner']],
  };
  const sent: string[] = [];
  outer.page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  // The page's policy does not cover frames; the frame has its own.
  await outer.page.route('**/outer', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe sandbox="allow-scripts" width="600" height="500" src="${bench.pages}/?page=${encodeURIComponent(JSON.stringify(framed))}"></iframe>`,
    }),
  );
  await outer.page.goto(`${bench.pages}/outer`);
  const frame = outer.page.frameLocator('iframe');
  await frame.locator('canvass-survey input[value="3"]').click();
  await frame.getByRole('button', { name: 'Send' }).click();
  await frame.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
  await frame.getByRole('button', { name: 'Send' }).focus();
  await outer.page.keyboard.press('Enter');
  await frame.getByText('Thank you!').waitFor();
  await expect.poll(() => sent).toContain('/v1/sdk/responses');
});

describe('--canvass-offset', () => {
  it.each(['plain', 'badge', 'nps-banner'])(
    "keeps the widget clear of the corner's content: %s",
    async (slug) => {
      const shop = await openShopShowing(slug);
      await shop.region.waitFor();
      const before = await shop.region.boundingBox();
      await shop.page.evaluate(() => document.documentElement.style.setProperty('--canvass-offset', '80px'));
      const after = await shop.region.boundingBox();
      const isAtTop = slug === 'badge';
      expect((after?.y ?? 0) - (before?.y ?? 0)).toBe(isAtTop ? 80 : -80);
      expect(await isOnTop(shop)).toBe(true);
    },
  );
});

it.each(PRESENTATIONS)("stays clear of a phone's edges: %s", async (presentation) => {
  const shop = await openShopShowing(`nps-${presentation}`, {
    browser: { viewport: { width: 375, height: 667 } },
  });
  await shop.region.waitFor();
  const session = await shop.context.newCDPSession(shop.page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } });
  const { bottom, isFixed } = await shop.region.evaluate((panel) => ({
    bottom: innerHeight - panel.getBoundingClientRect().bottom,
    isFixed: getComputedStyle(panel).position === 'fixed',
  }));
  if (isFixed) expect(bottom).toBeGreaterThanOrEqual(34 + 8);
});
