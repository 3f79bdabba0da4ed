import { describe, expect, it } from 'vitest';
import { openShopShowing, type Shop, useShops } from '../support/shop.ts';

useShops();

describe('a box', () => {
  it('has its badge below the content, aligned with it', async () => {
    const { region } = await openShopShowing('badge');
    const badge = await region.getByText('Powered by Canvass').boundingBox();
    const scale = await region.getByRole('group').boundingBox();
    expect(badge?.x).toBe(scale?.x);
    expect(badge?.y).toBeGreaterThanOrEqual((scale?.y ?? 0) + (scale?.height ?? 0) + 8);
  });

  it('is as wide as its place if inline', async () => {
    const { region, page, radio } = await openShopShowing('nps-inline');
    await region.waitFor();
    const place = await page.locator('#place').boundingBox();
    expect((await region.boundingBox())?.width).toBe(place?.width);
    const [low, high] = [await radio(0).boundingBox(), await radio(10).boundingBox()];
    expect((high?.x ?? 0) + (high?.width ?? 0) - (low?.x ?? 0)).toBeGreaterThan((place?.width ?? 0) - 60);
  });

  it.each(['plain', 'nps-banner', 'thumbs-corner'])(
    'stays inside the window of a transformed page: %s',
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

  it('has its end labels at its ends, even on two lines', async () => {
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

  it.each(['corner', 'banner'])('is hidden in print if it floats: %s', async (presentation) => {
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

  it('has a text field that no phone zooms', async () => {
    const { page, radio, send } = await openShopShowing('nps-corner');
    await radio(3).click();
    await send().click();
    const field = page.getByRole('textbox', { name: 'What is the main reason?' });
    expect(await field.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
  });

  it('has a badge only if its survey enables it', async () => {
    const { region } = await openShopShowing('plain');
    await region.waitFor();
    expect(await region.getByText('Powered by').count()).toBe(0);
  });

  it('uses the corner of its survey', async () => {
    const { region } = await openShopShowing('badge');
    await region.waitFor();
    const margin = 12;
    const box = await region.boundingBox();
    expect(box?.x).toBeCloseTo(margin, 0);
    expect(box?.y).toBeCloseTo(margin, 0);
  });
});

async function answer(shop: Shop, slug: string): Promise<number> {
  const { page, radio, send } = shop;
  const part = (name: string) => page.locator(`canvass-survey ${name}`);
  const { width = 0 } = (await part('section').boundingBox()) ?? {};
  if (slug.startsWith('thumbs')) await part('.up').click();
  else {
    await radio(10).click();
    await send().click();
    await part('.more').waitFor();
    await send().click();
  }
  await part('.thanks').getByText('Thank you!').waitFor();
  return width;
}

const thanksOf = ({ page }: Shop) =>
  page.locator('canvass-survey section').evaluate((panel) => {
    const [sign, words] = ['svg', '[role=status]'].map((part) => panel.querySelector(part));
    if (!sign || !words) throw new Error('A part is missing.');
    const range = document.createRange();
    range.selectNodeContents(words);
    const [box, mark, said] = [panel, sign, range].map((part) => part.getBoundingClientRect());
    if (!box || !mark || !said) throw new Error('A part is missing.');
    const middle = ({ y, height }: DOMRect) => y + height / 2;
    return {
      width: Math.round(box.width),
      isLow: box.height <= 70,
      isInOneRow: Math.abs(middle(mark) - middle(said)) < 3,
      isInTheMiddle: Math.abs((mark.left + said.right) / 2 - (box.left + box.right) / 2) < 2,
    };
  });

describe('thanks', () => {
  it.each(['nps-inline', 'thumbs-inline'])(
    'are centered in one low row of a wide place: %s',
    async (slug) => {
      const shop = await openShopShowing(slug);
      const width = Math.round(await answer(shop, slug));
      await expect
        .poll(() => thanksOf(shop))
        .toEqual({ width, isLow: true, isInOneRow: true, isInTheMiddle: true });
    },
  );

  it.each(['thumbs-corner', 'thumbs-banner', 'nps-corner', 'nps-banner'])(
    'are no wider than their content on a desktop, in one low row: %s',
    async (slug) => {
      const shop = await openShopShowing(slug);
      await answer(shop, slug);
      await expect.poll(() => thanksOf(shop)).toMatchObject({ isLow: true, isInOneRow: true });
      expect((await thanksOf(shop)).width).toBeLessThanOrEqual(240);
    },
  );

  it.each(['thumbs-corner', 'thumbs-banner', 'thumbs-inline', 'nps-corner', 'nps-banner', 'nps-inline'])(
    'are as wide as the question on a phone, centered: %s',
    async (slug) => {
      const shop = await openShopShowing(slug, { browser: { viewport: { width: 375, height: 560 } } });
      const width = Math.round(await answer(shop, slug));
      await expect
        .poll(() => thanksOf(shop))
        .toEqual({ width, isLow: true, isInOneRow: true, isInTheMiddle: true });
    },
  );
});
