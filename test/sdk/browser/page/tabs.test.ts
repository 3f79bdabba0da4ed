import { describe, expect, it } from 'vitest';
import { answer, outbox, posts, RESPONSES, rowsOf } from '../support/delivery.ts';
import { openShop, openShopShowing, type Shop, useShops } from '../support/shop.ts';

useShops();

/** Requests a survey. Resolves with the reason why it is not shown. */
const refusal = ({ page }: Shop, slug: string) =>
  page.evaluate(
    (wanted) =>
      new Promise((told) => {
        window.canvass.on('notshown', (notShown) => notShown.slug === wanted && told(notShown.reason));
        window.canvass.show(wanted);
      }),
    slug,
  );

describe('two tabs', () => {
  it('remove a survey that was answered in the other, and store it once', async () => {
    const one = await openShopShowing('plain');
    const other = await openShopShowing('plain', { context: one.context, user: one.user });
    await other.region.waitFor();
    await answer(one);
    await other.region.waitFor({ state: 'detached' });
    expect(await refusal(other, 'plain')).toBe('suppressed');
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 9 }]);
    expect(posts(other)).toBe(0);
  });

  it('remove a survey that has a draft in the other, for good', async () => {
    const one = await openShopShowing('nps-corner');
    const other = await openShopShowing('nps-corner', { context: one.context, user: one.user });
    await other.region.waitFor();
    await one.radio(4).click();
    await one.send().click();
    await other.region.waitFor({ state: 'detached' });
    expect(await refusal(other, 'nps-corner')).toBe('suppressed');
    expect(await other.page.locator('canvass-survey').count()).toBe(0);
    await one.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await one.send().click();
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 4, text: 'Slow' }]);
  });

  it('keep a survey with a draft, whatever the other stores', async () => {
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

  it('send a waiting answer once', async () => {
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
