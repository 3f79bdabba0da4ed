import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Survey } from '../../../../sdk/browser/client/survey.ts';
import { setHidden, stopClock, withoutNavigationApi } from '../support/page-state.ts';
import {
  bench,
  isAsked,
  openShop,
  openShopShowing,
  type Shop,
  type ShopOptions,
  useShops,
} from '../support/shop.ts';

useShops();

/** Two seconds of idle time, and the survey's delay of five seconds. */
const DUE = 7_000;

async function openAuto(prepare: ShopOptions['prepare'] = async () => undefined): Promise<Shop> {
  const shop = await openShop({
    tenant: bench.autoTenant,
    async prepare(page) {
      await stopClock(page);
      await prepare(page);
    },
  });
  await shop.page.waitForLoadState('networkidle');
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap']);
  return shop;
}

const reshape = (page: Page, change: (surveys: Survey[]) => Survey[]): Promise<unknown> =>
  page.route('**/v1/sdk/bootstrap', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    const [token] = Object.values(body.showTokens);
    const surveys = change(body.surveys);
    const showTokens = Object.fromEntries(surveys.map(({ id }) => [id, token]));
    await route.fulfill({ response: reply, json: { ...body, surveys, showTokens } });
  });

const ELSEWHERE = { id: 'sv_elsewhere', slug: 'elsewhere', presentation: 'inline' } as const;
const elsewhere = (survey: Survey): Survey => ({ ...survey, ...ELSEWHERE });

async function expectDue(shop: Shop): Promise<void> {
  expect(await isAsked(shop)).toBe(false);
  await shop.page.clock.runFor(200);
  await shop.region.waitFor();
}

describe('auto', () => {
  it('appears after the idle time and its delay', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    await expectDue(shop);
  });

  it('waits for a pause in typing, pointing and scrolling', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 500);
    await shop.page.focus('#search');
    await shop.page.keyboard.type('a');
    await shop.page.clock.runFor(1_900);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.mouse.click(5, 5);
    await shop.page.clock.runFor(1_900);
    await expectDue(shop);
  });

  it.each([
    "history.pushState(0, '', '?other')",
    "history.replaceState(0, '', '#other')",
    "location.hash = 'other'",
  ])('restarts its wait on navigation: %s', async (navigate) => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate(navigate);
    await shop.page.clock.runFor(DUE - 100);
    await expectDue(shop);
  });

  it('notices navigation without the Navigation API', async () => {
    const shop = await openAuto(withoutNavigationApi);
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate("history.pushState(0, '', '?other')");
    await shop.page.clock.runFor(200);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(DUE);
    await shop.region.waitFor();
  });

  it('ends with the page', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate('canvass.destroy()');
    await shop.page.clock.runFor(DUE);
    expect(await isAsked(shop)).toBe(false);
  });

  it('uses a place that the page creates after navigation', async () => {
    const shop = await openAuto((page) =>
      reshape(page, (surveys) => surveys.map((survey) => ({ ...survey, presentation: 'inline' }))),
    );
    await shop.page.evaluate("history.pushState(0, '', '?other')");
    await shop.page.clock.runFor(100);
    await shop.page.evaluate(
      "document.body.appendChild(document.createElement('aside')).dataset.canvass = 'auto'",
    );
    await shop.page.clock.runFor(DUE - 200);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.page.locator('aside canvass-survey').waitFor();
  });

  it('appears even if another survey had no place', async () => {
    const manual = (survey: Survey): Survey => ({ ...elsewhere(survey), trigger: 'manual' });
    const shop = await openAuto((page) => reshape(page, (surveys) => [...surveys, ...surveys.map(manual)]));
    await shop.page.evaluate("canvass.show('elsewhere')");
    await shop.page.clock.runFor(DUE + 100);
    await shop.region.waitFor();
  });

  it('yields to the next survey if it has no place when due', async () => {
    const shop = await openAuto((page) =>
      reshape(page, (surveys) => [...surveys.map(elsewhere), ...surveys]),
    );
    await shop.page.clock.runFor(DUE * 2);
    await shop.region.waitFor();
  });

  it('does not appear in a hidden tab', async () => {
    const shop = await openAuto();
    await setHidden(shop.page, true);
    await shop.page.clock.runFor(DUE * 10);
    expect(await isAsked(shop)).toBe(false);
    await setHidden(shop.page, false);
    await shop.page.clock.runFor(DUE);
    await shop.region.waitFor();
  });
});

it('requests nothing in a tab that was left after an answer, until it is visible again', async () => {
  const shop = await openShopShowing('plain');
  await shop.radio(9).click();
  await shop.send().click();
  await expect.poll(() => shop.requests).toHaveLength(2);
  await setHidden(shop.page, true);
  await shop.page.evaluate(() => new Promise((done) => setTimeout(done)));
  expect(shop.requests).toHaveLength(2);
  await setHidden(shop.page, false);
  await expect.poll(() => shop.requests).toHaveLength(3);
});

describe('manual', () => {
  it('appears only after `show`, which loads the widget', async () => {
    const shop = await openShop({ prepare: (page) => page.clock.install() });
    const fetched: string[] = [];
    shop.page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await shop.page.waitForLoadState('networkidle');
    await shop.page.clock.runFor(600_000);
    expect(await isAsked(shop)).toBe(false);
    expect(fetched.filter((path) => path.includes('widget'))).toEqual([]);
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(fetched.filter((path) => path.includes('widget'))).toHaveLength(1);
  });

  it('shows one survey at a time: another is shown neither beside nor after it', async () => {
    const shop = await openShopShowing('plain');
    await shop.region.waitFor();
    await shop.page.evaluate("canvass.show('badge')");
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await shop.region.waitFor({ state: 'detached' });
    const next = shop.page.waitForResponse('**/v1/sdk/bootstrap');
    await shop.page.evaluate("history.pushState(0, '', '?next')");
    await (await next).finished();
    expect(shop.requests).toHaveLength(3);
    expect(await shop.page.locator('canvass-survey').count()).toBe(0);
  });

  it('lets the next survey appear when the page removes an inline place', async () => {
    const shop = await openShopShowing('nps-inline');
    await shop.region.waitFor();
    await shop.page.evaluate("document.getElementById('place').remove(); canvass.show('plain')");
    await shop.region.waitFor();
    await expect.poll(() => shop.page.locator('html > canvass-survey').count()).toBe(1);
  });
});
