/** Where things stand in the box, and where it stands in the page. */

import { describe, expect, it } from 'vitest';
import { openShopShowing, useShops } from '../support/shop.ts';

useShops();

describe('a box', () => {
  it('has its badge below the rest, in line with it', async () => {
    const { region } = await openShopShowing('badge');
    const badge = await region.getByText('Powered by Canvass').boundingBox();
    const scale = await region.getByRole('group').boundingBox();
    expect(badge?.x).toBe(scale?.x);
    expect(badge?.y).toBeGreaterThanOrEqual((scale?.y ?? 0) + (scale?.height ?? 0) + 8);
  });

  it('that is inline is as wide as its place', async () => {
    const { region, page, radio } = await openShopShowing('nps-inline');
    await region.waitFor();
    const place = await page.locator('#place').boundingBox();
    expect((await region.boundingBox())?.width).toBe(place?.width);
    const [low, high] = [await radio(0).boundingBox(), await radio(10).boundingBox()];
    expect((high?.x ?? 0) + (high?.width ?? 0) - (low?.x ?? 0)).toBeGreaterThan((place?.width ?? 0) - 60);
  });

  it.each(['plain', 'nps-banner', 'thumbs-corner'])(
    'stands in the window of a page that is transformed: %s',
    async (slug) => {
      const { page, region } = await openShopShowing(slug, {
        prepare: (opened) =>
          opened.addInitScript(() => {
            addEventListener('DOMContentLoaded', () => {
              document.documentElement.style.transform = 'translateX(0)';
              document.body.style.height = '9000px';
            });
          }),
      });
      const box = slug === 'thumbs-corner' ? page.locator('canvass-survey section') : region;
      await box.waitFor();
      const { y = -1, height = 0 } = (await box.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    },
  );

  it('has the words for the ends of its scale at its ends, also where they take two lines', async () => {
    const { region } = await openShopShowing('plain', {
      options: {
        strings: { nps: ['Not if my life depended on it, ever', 'As sure as the sun rises tomorrow'] },
      },
    });
    const lines = await region.getByText('As sure as').evaluate((words) => {
      const range = document.createRange();
      range.selectNodeContents(words);
      return [...range.getClientRects()].map(({ right }) => Math.round(right));
    });
    const scale = await region.getByRole('group').boundingBox();
    const end = Math.round((scale?.x ?? 0) + (scale?.width ?? 0));
    expect(lines).toEqual([end, end]);
  });

  it.each(['corner', 'banner'])('is not printed over the page: %s', async (presentation) => {
    const { region, page } = await openShopShowing(`nps-${presentation}`);
    await region.waitFor();
    await page.emulateMedia({ media: 'print' });
    await region.waitFor({ state: 'hidden' });
  });

  it.each(['nps-corner', 'thumbs-corner'])(
    'has Send at the end of the field, on the left in Arabic: %s',
    async (slug) => {
      for (const direction of ['ltr', 'rtl'] as const) {
        const { page, radio, send } = await openShopShowing(slug, {
          direction,
          lang: direction === 'rtl' ? 'ar' : 'en',
        });
        const part = (name: string) => page.locator(`canvass-survey ${name}`);
        if (slug === 'nps-corner') {
          await radio(3).click();
          await send().click();
        } else await part('.down').click();
        await part('textarea').waitFor();
        const [field, button] = [await part('textarea').boundingBox(), await part('.send').boundingBox()];
        const end = (box: typeof field) =>
          Math.round(direction === 'rtl' ? (box?.x ?? 0) : (box?.x ?? 0) + (box?.width ?? 0));
        expect(end(button)).toBe(end(field));
      }
    },
  );

  it('has a field for words in which no phone zooms', async () => {
    const { page, radio, send } = await openShopShowing('nps-corner');
    await radio(3).click();
    await send().click();
    const field = page.getByRole('textbox', { name: 'What is the main reason?' });
    expect(await field.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
  });

  it('has no badge unless its survey wants one', async () => {
    const { region } = await openShopShowing('plain');
    await region.waitFor();
    expect(await region.getByText('Powered by').count()).toBe(0);
  });

  it('stands in the corner that its survey names', async () => {
    const { region } = await openShopShowing('badge');
    await region.waitFor();
    const margin = 12;
    const box = await region.boundingBox();
    expect(box?.x).toBeCloseTo(margin, 0);
    expect(box?.y).toBeCloseTo(margin, 0);
  });
});
