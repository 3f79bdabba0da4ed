import { expect, it } from 'vitest';
import { eventually } from '../support/patience.ts';
import { openShop, openShopShowing, type Shop, storedRows, useShops } from '../support/shop.ts';

useShops();

const ASKED = 'POST /v1/sdk/bootstrap';
const ANSWERED = 'POST /v1/sdk/responses';
const DRAFT_MINUTES = 10;

async function expectRated(shop: Shop, rating: number): Promise<void> {
  await eventually(async () => expect(await storedRows(shop.user)).toMatchObject([{ rating }]));
}

it('sends nothing for a choice or a changed choice alone', async () => {
  const shop = await openShopShowing('nps-corner', { prepare: (page) => page.clock.install() });
  await shop.radio(9).click();
  await shop.radio(3).click();
  await shop.page.clock.runFor((DRAFT_MINUTES - 1) * 60_000);
  expect(shop.requests).toEqual([ASKED]);
});

it('answers when the survey is closed after a choice', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(3).click();
  await shop.radio(9).click();
  await shop.page.getByRole('button', { name: 'Close' }).click();
  await expectRated(shop, 9);
  expect(shop.requests).toEqual([ASKED, ANSWERED]);
});

it('answers on Escape after a choice', async () => {
  const shop = await openShopShowing('plain');
  await shop.radio(9).click();
  await shop.page.keyboard.press('Escape');
  await expectRated(shop, 9);
});

it('dismisses when the survey is closed without a choice', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => shop.requests).toEqual([ASKED, 'POST /v1/dismissals']);
});

it('answers when the page is left after a choice', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(9).click();
  await shop.page.goto('about:blank');
  await expectRated(shop, 9);
});

it('answers on `destroy` after a choice', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(9).click();
  await shop.page.evaluate('canvass.destroy()');
  await expectRated(shop, 9);
});

/** Kills the page's process. */
async function crash({ page, context }: Shop): Promise<void> {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  await Promise.race([session.send('Page.crash').catch(() => undefined), crashed]);
  await crashed;
}

it('answers on the next page after a crash', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(9).click();
  await crash(shop);
  await shop.page.close();
  expect(shop.requests).toEqual([ASKED]);
  const later = Date.now() + DRAFT_MINUTES * 60_000;
  await openShop({
    context: shop.context,
    user: shop.user,
    prepare: (page) => page.clock.install({ time: later }),
  });
  await expectRated(shop, 9);
});

it('answers from another tab for a page that hangs', async () => {
  const shop = await openShopShowing('nps-corner');
  const other = await openShop({
    context: shop.context,
    user: shop.user,
    prepare: (page) => page.clock.install(),
  });
  const fetched = other.page.waitForResponse('**/widget-*.js');
  await shop.radio(9).click();
  await (await fetched).finished();
  await shop.page.evaluate(() => {
    window.fetch = () => new Promise(() => {});
  });
  await other.page.clock.runFor((DRAFT_MINUTES + 1) * 60_000);
  await expectRated(shop, 9);
  expect(other.requests).toContain(ANSWERED);
});
