import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answer, outbox, rowsOf } from '../support/delivery.ts';
import { bench, openShop, openShopShowing, type Shop, type ShopOptions, useShops } from '../support/shop.ts';

useShops();

const IMPRESSIONS = '**/v1/impressions';
const START = new Date('2026-11-20T12:00:00Z');

const still = (prepare: ShopOptions['prepare'] = async () => undefined): ShopOptions => ({
  async prepare(page) {
    await page.clock.install({ time: START });
    await page.clock.pauseAt(START.getTime() + 1_000);
    await prepare(page);
  },
});

/** Waits until intersection observers have been notified. */
const observed = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((told) => {
        const panel = document.querySelector('canvass-survey')?.shadowRoot?.querySelector('section');
        if (panel) new IntersectionObserver(() => told(), { threshold: 0.5 }).observe(panel);
      }),
  );

async function openSeen(prepare?: ShopOptions['prepare']): Promise<Shop> {
  const shop = await openShopShowing('plain', still(prepare));
  await shop.region.waitFor();
  await observed(shop.page);
  return shop;
}

const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

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

describe('a report', () => {
  it('never delays an answer, whatever happens to it', async () => {
    const shop = await openSeen(async (page) => {
      await page.route(IMPRESSIONS, (route) =>
        route.fulfill({
          status: 429,
          headers: { 'access-control-allow-origin': '*', 'retry-after': '600' },
          json: { error: { code: 'rate_limited' } },
        }),
      );
    });
    const { page } = shop;
    const refused = page.waitForResponse(IMPRESSIONS);
    await page.clock.runFor(1_000);
    await (await refused).finished();
    await answer(shop);
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9 }]);
  });

  it('that hangs does not delay the answer', async () => {
    const shop = await openSeen(async (page) => {
      await page.route(IMPRESSIONS, () => undefined);
    });
    await shop.page.clock.runFor(1_000);
    await expect.poll(() => shop.shows).toHaveLength(1);
    await answer(shop);
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9 }]);
    await shop.page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('is not kept without a network', async () => {
    const { page, shows } = await openSeen(async (page) => {
      await page.route(IMPRESSIONS, (route) => route.abort('internetdisconnected'));
    });
    const failed = page.waitForEvent('requestfailed');
    await page.clock.runFor(1_000);
    await failed;
    await page.clock.runFor(3_600_000);
    expect(shows).toHaveLength(1);
    expect(await outbox(page)).toEqual([]);
  });

  it('is not sent if the project records none', async () => {
    const { page, shows } = await openSeen(async (page) => {
      await page.route('**/v1/sdk/bootstrap', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), impressions: false } });
      });
    });
    await page.clock.runFor(60_000);
    expect(shows).toEqual([]);
  });

  it('is not sent for a preview', async () => {
    const { page, region, shows } = await openShop(still());
    await page.evaluate(() => window.canvass.preview('plain'));
    await region.waitFor();
    await observed(page);
    await page.clock.runFor(60_000);
    expect(shows).toEqual([]);
  });

  it('is sent when a page with its own interface calls for it', async () => {
    const { page, shows, user } = await openShop({ module: 'headless' });
    const options = { key: bench.tenant.key, baseUrl: bench.service, userId: user };
    await page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/headless.mjs');
      const canvass = createCanvass(${JSON.stringify(options)});
      const asked = new Promise((told) => canvass.on('ask', told));
      canvass.show('plain');
      const ask = await asked;
      ask.shown();
      ask.shown();
    })()`);
    await expect.poll(() => shows).toHaveLength(1);
  });
});

it('asks three times on ten page views without an answer', async () => {
  const shop = await openShop();
  const stored: number[] = [];
  shop.page.on('response', (response) => {
    if (response.url().endsWith('/v1/impressions')) stored.push(response.status());
  });
  let asked = 0;
  for (let view = 0; view < 10; view++) {
    if (view > 0) await shop.page.goto(shop.address);
    await shop.page.waitForFunction(() => window.canvass?.on);
    const told = await shop.page.evaluate(
      () =>
        new Promise<string>((decided) => {
          window.canvass.on('shown', () => decided('shown'));
          window.canvass.on('notshown', ({ slug, reason }) => slug === 'plain' && decided(reason));
          window.canvass.show('plain');
        }),
    );
    if (told === 'shown') {
      asked++;
      await expect.poll(() => stored).toHaveLength(asked);
    } else expect(told).toBe('no-token');
  }
  expect(stored).toEqual([201, 201, 201]);
});

async function shownTo(respondentId: string): Promise<number> {
  const query = new URLSearchParams({ respondentId });
  const reply = await fetch(`${bench.service}/v1/privacy/export?${query}`, {
    headers: { authorization: `Bearer ${bench.tenant.secretKey}` },
  });
  const { shows = [] } = (await reply.json()) as { shows?: unknown[] };
  return shows.length;
}
