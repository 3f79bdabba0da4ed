import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { answer, rowsOf } from '../support/delivery.ts';
import { openShop, openShopShowing, useShops } from '../support/shop.ts';

useShops();

it('works beside an element with the id `canvass`', async () => {
  const { page, region } = await openShop({ headingId: 'canvass', loading: 'defer' });
  await page.waitForFunction(() => 'show' in window.canvass);
  await page.evaluate("canvass.show('plain')");
  await region.waitFor();
});

it('accepts the person in data-options', async () => {
  const user = `user-${randomUUID()}`;
  const shop = await openShopShowing('plain', { anonymous: true, options: { userId: user } });
  await answer(shop);
  expect(await rowsOf({ ...shop, user }, 1)).toMatchObject([{ rating: 9 }]);
});

it('reports that it cannot be a module', async () => {
  const said: string[] = [];
  await openShop({
    loading: 'type="module"',
    prepare: async (opened) => opened.on('console', (line) => said.push(`${line.type()}: ${line.text()}`)),
  });
  await expect.poll(() => said.join()).toContain('warning: Error: canvass.js is no module');
});
