/** Two tabs of one person: what is said in one counts in the other, and is stored once. */

import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { openShop, openShopShowing, type Shop, storedRows, useShops } from '../support/shop.ts';

useShops();

const RESPONSES = '**/v1/sdk/responses';

async function answer({ region, radio, send }: Shop, rating = 9): Promise<void> {
  await radio(rating).click();
  await send().click();
  await region.getByText('Thank you!').waitFor();
}

const outbox = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      JSON.parse(Object.entries(localStorage).find(([name]) => name.startsWith('canvass.'))?.[1] ?? '{}')
        .outbox ?? [],
  );

const rowsOf = async (shop: Shop, count: number) => {
  await vi.waitFor(async () => expect(await storedRows(shop.user)).toHaveLength(count), { timeout: 5_000 });
  return storedRows(shop.user);
};

const posts = (shop: Shop) => shop.requests.filter((request) => request.endsWith('/responses')).length;

describe('two tabs', () => {
  it('what is answered in one disappears from the other, and is stored once', async () => {
    const one = await openShopShowing('plain');
    const other = await openShopShowing('plain', { context: one.context, user: one.user });
    await other.region.waitFor();
    await answer(one);
    await other.region.waitFor({ state: 'detached' });
    await other.page.evaluate("canvass.show('plain')");
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 9 }]);
    expect(posts(other)).toBe(0);
  });

  it('what is half-way in one disappears from the other, and does not come back', async () => {
    const one = await openShopShowing('nps-corner');
    const other = await openShopShowing('nps-corner', { context: one.context, user: one.user });
    await other.region.waitFor();
    await one.radio(4).click();
    await one.send().click();
    await other.region.waitFor({ state: 'detached' });
    await other.page.evaluate("canvass.show('nps-corner')");
    await other.page.waitForLoadState('networkidle');
    expect(await other.page.locator('canvass-survey').count()).toBe(0);
    await one.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await one.send().click();
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 4, text: 'Slow' }]);
  });

  it('what is half-way in one stays there, whatever the other stores', async () => {
    const one = await openShopShowing('nps-corner');
    const other = await openShop({ context: one.context, user: one.user });
    await one.radio(4).click();
    await one.send().click();
    await other.page.evaluate(() => {
      const [name = '', state = ''] = Object.entries(localStorage)[0] ?? [];
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(state), wait: 1 }));
    });
    await one.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await one.send().click();
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 4, text: 'Slow' }]);
  });

  it('what waits is sent by one of them', async () => {
    const one = await openShopShowing('plain');
    await one.region.waitFor();
    await one.page.route(RESPONSES, (route) => route.abort('internetdisconnected'));
    await answer(one);
    await expect.poll(async () => (await outbox(one.page))[0]).toMatchObject({ tries: 1 });
    await one.page.close();
    await one.context.clock.install({ time: Date.now() + 60_000 });
    const later = { context: one.context, user: one.user };
    const tabs = await Promise.all([openShop(later), openShop(later)]);
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 9 }]);
    await expect.poll(() => outbox(tabs[0].page)).toEqual([]);
  });
});
