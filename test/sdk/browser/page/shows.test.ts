import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answer, rowsOf } from '../support/delivery.ts';
import { setHidden, stopClock } from '../support/page-state.ts';
import { bench, openShop, openShopShowing, type Shop, type ShopOptions, useShops } from '../support/shop.ts';

useShops();

const IMPRESSIONS = '**/v1/impressions';
const CORS = { 'access-control-allow-origin': '*', 'retry-after': '600' };
const START = Date.parse('2026-11-20T12:00:00Z');

const still = (prepare: ShopOptions['prepare'] = async () => undefined): ShopOptions => ({
  async prepare(page) {
    await stopClock(page, START);
    await prepare(page);
  },
});

/** The second style sheet comes with the file that reports shows. */
const sheetsIn = (page: Page) =>
  page.evaluate(() => document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length);

/** Waits until intersection observers have been notified. */
async function observed(page: Page): Promise<void> {
  await expect.poll(() => sheetsIn(page)).toBeGreaterThan(1);
  await page.evaluate(
    () =>
      new Promise<void>((told) => {
        const panel = document.querySelector('canvass-survey')?.shadowRoot?.querySelector('section');
        if (panel) new IntersectionObserver(() => told(), { threshold: 0.5 }).observe(panel);
      }),
  );
}

async function openSeen(prepare?: ShopOptions['prepare']): Promise<Shop> {
  const shop = await openShopShowing('plain', still(prepare));
  await shop.region.waitFor();
  await observed(shop.page);
  return shop;
}

const FAR_BELOW = "document.querySelector('#place').style.marginTop = '5000px'";

describe('a survey in view', () => {
  it('is reported once, after a second', async () => {
    const { page, shows, requests } = await openSeen();
    await page.clock.runFor(999);
    expect(shows).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => shows).toHaveLength(1);
    expect(shows[0]).toMatchObject({ key: bench.tenant.key, surveyId: bench.tenant.surveys.plain });
    await setHidden(page, true);
    await setHidden(page, false);
    await observed(page);
    await page.clock.runFor(10_000);
    expect(shows).toHaveLength(1);
    expect(requests).toEqual(['POST /v1/sdk/bootstrap']);
  });

  it('counts from when a hidden page is visible again', async () => {
    const { page, shows } = await openSeen();
    await page.clock.runFor(900);
    await setHidden(page, true);
    await observed(page);
    await page.clock.runFor(60_000);
    expect(shows).toEqual([]);
    await setHidden(page, false);
    await observed(page);
    await page.clock.runFor(900);
    expect(shows).toEqual([]);
    await page.clock.runFor(100);
    await expect.poll(() => shows).toHaveLength(1);
  });

  it('is reported once it is scrolled into view', async () => {
    const { page, region, shows } = await openShop({ ...still(), place: 'nps-inline' });
    await page.evaluate(FAR_BELOW);
    await page.evaluate(() => window.canvass.show('nps-inline'));
    await region.waitFor();
    await observed(page);
    await page.clock.runFor(60_000);
    expect(shows).toEqual([]);
    await region.scrollIntoViewIfNeeded();
    await observed(page);
    await page.clock.runFor(900);
    await page.evaluate(() => scrollTo(0, 0));
    await observed(page);
    await page.clock.runFor(60_000);
    expect(shows).toEqual([]);
    await region.scrollIntoViewIfNeeded();
    await observed(page);
    await page.clock.runFor(1_000);
    await expect.poll(() => shows).toHaveLength(1);
  });

  it('is not reported if answered or closed within the second', async () => {
    const { page, shows, radio, send } = await openSeen();
    await page.clock.runFor(500);
    await radio(9).click();
    await send().click();
    await page.clock.runFor(10_000);
    expect(shows).toEqual([]);
  });

  it('is reported by a beacon, which arrives even if the page is left at once', async () => {
    const { page, user, shows } = await openSeen();
    const report = page.waitForRequest(IMPRESSIONS);
    await page.clock.runFor(1_000);
    const request = await report;
    await page.goto('about:blank');
    expect(request.headers()['content-type']).toContain('text/plain');
    expect(shows).toHaveLength(1);
    await expect.poll(() => shownTo(user)).toBe(1);
  });
});

it.each<[string, (route: Route) => unknown]>([
  ['is refused', (route) => route.fulfill({ status: 429, headers: CORS, json: { error: {} } })],
  ['hangs', () => undefined],
])('never delays an answer if a report %s', async (_, handle) => {
  const shop = await openSeen((page) => page.route(IMPRESSIONS, handle));
  await shop.page.clock.runFor(1_000);
  await expect.poll(() => shop.shows).toHaveLength(1);
  await answer(shop);
  expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9 }]);
  await shop.page.unrouteAll({ behavior: 'ignoreErrors' });
});

async function shownTo(respondentId: string): Promise<number> {
  const query = new URLSearchParams({ respondentId });
  const reply = await fetch(`${bench.service}/v1/privacy/export?${query}`, {
    headers: { authorization: `Bearer ${bench.tenant.secretKey}` },
  });
  const { shows = [] } = (await reply.json()) as { shows?: unknown[] };
  return shows.length;
}
