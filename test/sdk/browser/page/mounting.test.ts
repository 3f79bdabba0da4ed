import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answer } from '../support/delivery.ts';
import { openDialog } from '../support/page-state.ts';
import { bench, openShop, type Shop, useStage } from '../support/shop.ts';

const show = useStage();

/** Whether the box is fully on screen and nothing covers its middle. */
const isOnTop = (box: Locator): Promise<boolean> =>
  box.evaluate((panel) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return isInside && met?.localName === 'canvass-survey';
  });

describe('a page whose', () => {
  it.each([
    ['body', 'transform: translateY(1px)'],
    ['body', 'filter: grayscale(1)'],
    ['body', 'contain: paint'],
    ['body', 'perspective: 9px'],
    ['html', 'transform: translateX(0)'],
  ])('%s has %s shows each survey on top in its place, and accepts answers', async (element, declaration) => {
    const long = 'height: 9000px';
    for (const slug of ['plain', 'nps-banner', 'thumbs-corner']) {
      const shop = await show(
        slug,
        element === 'html' ? { style: declaration, body: long } : { body: `${declaration}; ${long}` },
      );
      const panel = shop.page.locator('canvass-survey section');
      await panel.waitFor();
      expect(await isOnTop(panel), slug).toBe(true);
      if (slug === 'plain') await answer(shop);
    }
  });
});

describe("the page's own modal dialog", () => {
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
    expect(await isOnTop(shop.region)).toBe(true);
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

it.each(['corner', 'banner'])("stays clear of a phone's edges: %s", async (presentation) => {
  const { page, context, region } = await show(`nps-${presentation}`, { width: 375, height: 667 });
  await region.waitFor();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } });
  const bottom = await region.evaluate((panel) => innerHeight - panel.getBoundingClientRect().bottom);
  expect(bottom).toBeGreaterThanOrEqual(34 + 8);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: {} });
});
