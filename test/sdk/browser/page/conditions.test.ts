import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hearErrors } from '../support/hear-errors.ts';
import { stopClock, withoutNavigationApi } from '../support/page-state.ts';
import { bench, isAsked, openShop, type Shop, type ShopOptions, useShops } from '../support/shop.ts';

useShops();

const IDLE = 2_000;
const tenant = bench.placedTenant;

async function open({ prepare, ...options }: ShopOptions = {}): Promise<Shop> {
  const shop = await openShop({
    tenant,
    ...options,
    async prepare(page) {
      await stopClock(page);
      await prepare?.(page);
    },
  });
  await shop.page.waitForLoadState('networkidle');
  return shop;
}

const goTo = ({ page }: Shop, path: string) => page.evaluate((to) => history.pushState(0, '', to), path);
const track = ({ page }: Shop, event = 'order-paid') =>
  page.evaluate((name) => window.canvass.track(name), event);

async function expectNotAsked(shop: Shop, path: string): Promise<void> {
  await goTo(shop, path);
  await shop.page.clock.runFor(IDLE * 2);
  expect(await isAsked(shop)).toBe(false);
}

function countFetches(page: Page): { count: number } {
  const fetches = { count: 0 };
  page.on('request', (request) => {
    if (request.url().includes('/sdk/conditions-')) fetches.count++;
  });
  return fetches;
}

const hearReasons = (page: Page) =>
  page.addInitScript(() => {
    const reasons: string[] = [];
    const hear = ({ slug, reason }: { slug: string; reason: string }) => reasons.push(`${slug}: ${reason}`);
    Object.assign(window, { reasons, canvass: [['on', 'notshown', hear]] });
  });
const reasonsIn = ({ page }: Shop): Promise<string[]> => page.evaluate('reasons');

it('costs nothing on pages without conditional surveys, whatever they track', async () => {
  const fetches: { count: number }[] = [];
  const prepare = async (page: Page) => fetches.push(countFetches(page));
  const shop = await open({ tenant: bench.autoTenant, prepare });
  await track(shop);
  await shop.page.clock.runFor(IDLE);
  await shop.page.waitForLoadState('networkidle');
  await open({ prepare });
  expect(fetches).toEqual([{ count: 0 }, { count: 1 }]);
  expect(shop.sent[0]?.body.types).toBe('thumbs,pages,events,by-rating,choice,open,person');
});

describe('pages', () => {
  it.each([
    ['with the Navigation API', undefined],
    ['without it', withoutNavigationApi],
  ])('are followed while a single-page application runs, %s', async (_, prepare) => {
    const shop = await open(prepare && { prepare });
    await shop.page.clock.runFor(IDLE * 2);
    expect(await isAsked(shop)).toBe(false);
    await goTo(shop, '/orders/7/');
    await shop.page.clock.runFor(IDLE - 100);
    await expectNotAsked(shop, '/about');
    await expectNotAsked(shop, '/Orders/7');
    await goTo(shop, '/orders');
    await shop.page.clock.runFor(IDLE * 2);
    await shop.region.waitFor();
    await goTo(shop, '/about');
    await shop.page.clock.runFor(IDLE * 2);
    expect(await shop.region.count()).toBe(1);
  });

  it('apply to `show`, which reports them', async () => {
    const shop = await open({ prepare: hearReasons });
    await shop.page.evaluate("canvass.show('on-help')");
    // Every decision about an `auto` survey reports its reason.
    await expect
      .poll(async () => [...new Set(await reasonsIn(shop))].sort())
      .toEqual(['after-paying: page', 'on-help: page', 'on-orders: page']);
    expect(await isAsked(shop)).toBe(false);
    await goTo(shop, '/help');
    await shop.page.evaluate("canvass.show('on-help')");
    await shop.region.waitFor();
  });
});

describe('an event', () => {
  it('must happen as often as required, then its delay passes, across page loads', async () => {
    const shop = await open();
    const address = shop.address.replace('/?', '/shop?');
    await track(shop);
    await shop.page.goto(address);
    await shop.page.waitForLoadState('networkidle');
    await track(shop, 'order-seen');
    await shop.page.clock.runFor(120_000);
    expect(await isAsked(shop)).toBe(false);
    await track(shop);
    await shop.page.clock.runFor(IDLE + 4_900);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.region.waitFor();
    expect(shop.requests.every((request) => request.endsWith('bootstrap'))).toBe(true);
  });

  it('counts if tracked before the script loads or just before the page is left', async () => {
    const calls = [['track', 'order-paid']];
    const shop = await open({ calls });
    await shop.page.goto(shop.address.replace('/?', '/shop?'));
    await shop.page.waitForLoadState('networkidle');
    await shop.page.clock.runFor(IDLE + 5_100);
    await shop.region.waitFor();
  });

  it('counts per tab', async () => {
    const shop = await open({ calls: [['track', 'order-paid']] });
    const other = await open({ context: shop.context, calls: [['track', 'order-paid']] });
    await goTo(other, '/shop');
    await other.page.clock.runFor(120_000);
    expect(await isAsked(other)).toBe(false);
  });

  it('is counted in memory without storage', async () => {
    const shop = await open({ options: { storage: false } });
    await goTo(shop, '/shop');
    await track(shop);
    await track(shop);
    expect(await shop.page.evaluate('sessionStorage.length')).toBe(0);
    await shop.page.clock.runFor(IDLE + 5_100);
    await shop.region.waitFor();
  });
});

it('fetches the conditions file again after a failure, and asks', async () => {
  let asked = 0;
  const shop = await open({
    async prepare(page) {
      await hearErrors(page, ['show', 'on-help']);
      await page.route(/\/sdk\/conditions-\w+\.js/, (route) =>
        asked++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
      );
    },
  });
  await goTo(shop, '/help');
  await expect.poll(() => shop.page.evaluate('told.length')).toBe(1);
  await shop.page.evaluate("dispatchEvent(new Event('online'))");
  await shop.region.waitFor();
  expect(asked).toBe(2);
});
