import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { answer, rowsOf } from '../support/delivery.ts';
import { hearErrors } from '../support/hear-errors.ts';
import { bindingOf, playRatings } from '../support/played-ratings.ts';
import { bench, openShop, useShops } from '../support/shop.ts';

useShops();

/** Fails the first request for a file. Returns the requested addresses. */
async function loseOnce(page: Page, file: string): Promise<string[]> {
  const asked: string[] = [];
  await page.route(new RegExp(`/sdk/${file}-\\w+\\.js`), (route) => {
    const isFirst = asked.push(route.request().url()) === 1;
    return isFirst ? route.fulfill({ status: 404 }) : route.continue();
  });
  return asked;
}

it.each([
  ['the network is back', "dispatchEvent(new Event('online'))"],
  ['the tab is shown', "document.dispatchEvent(new Event('visibilitychange'))"],
  ['something is asked', "canvass.show('badge')"],
])("fetches a survey's chunk again when %s", async (_, happens) => {
  let asked: string[] = [];
  const shop = await openShop({
    prepare: async (page) => {
      asked = await loseOnce(page, 'widget');
      await hearErrors(page, ['show', 'plain']);
    },
  });
  await expect.poll(() => shop.page.evaluate('told.length')).toBe(1);
  expect(await shop.page.locator('canvass-survey').count()).toBe(0);
  await shop.page.evaluate(happens);
  await answer(shop);
  expect(await rowsOf(shop, 1)).toMatchObject([{ surveySlug: 'plain', rating: 9 }]);
  expect(new Set(asked).size).toBe(2);
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/sdk/responses']);
});

it.each(['thumbs', 'kit'])(
  "%s: fetches the thumbs' chunk again with the next message, and draws the earlier ones, even in a bundle",
  async (file) => {
    const { page } = await openShop({ module: 'module' });
    const asked = await loseOnce(page, file);
    const { sent } = await playRatings(page);
    await page.evaluate(`import('/sdk/canvass.mjs').then(({ createCanvass }) => {
    window.canvass = createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service })});
    window.failed = new Promise((told) => canvass.on('error', () => told()));
  })`);
    const bind = (id: string) =>
      page.evaluate((binding) => {
        const place = document.createElement('p');
        place.id = binding.observationId;
        document.body.append(place);
        window.canvass.bind(binding, place);
      }, bindingOf(id));
    await bind('m1');
    await page.evaluate('failed');
    await bind('m2');
    for (const id of ['m1', 'm2'])
      await page.locator(`#${id}`).getByRole('button', { name: 'Helpful', exact: true }).click();
    await expect.poll(() => sent.map(({ body }) => body.showToken)).toEqual(['token-m1', 'token-m2']);
    expect(new Set(asked).size).toBe(2);
  },
);
