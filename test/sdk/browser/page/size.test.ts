import { describe, expect, it } from 'vitest';
import { openShopShowing, type Shop, useShops } from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';

useShops();

describe('size', () => {
  const boxes = (shop: Shop, controls: string) =>
    shop.region.locator(controls).evaluateAll((found) =>
      found.map((control) => {
        const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
        return { width, height };
      }),
    );
  const least = (sizes: { width: number; height: number }[]) => ({
    width: Math.min(...sizes.map(({ width }) => width)),
    height: Math.min(...sizes.map(({ height }) => height)),
  });
  const expectTargets = async (shop: Shop) => {
    const values = least(await boxes(shop, 'input[type=radio]'));
    const others = least(await boxes(shop, 'input:not([type=radio]), button:enabled'));
    expect(values.width).toBeGreaterThanOrEqual(24);
    for (const length of [values.height, others.width, others.height])
      expect(length).toBeGreaterThanOrEqual(44);
  };

  const places = [
    { presentation: 'corner', width: 320 },
    { presentation: 'corner', width: 1_000 },
    { presentation: 'inline', width: 320 },
    { presentation: 'inline', width: 1_000, room: 220 },
  ];

  it('has NPS in one row in a place of 288 px, and in rows of seven in one of 220', async () => {
    const shop = await openShopShowing('nps-inline');
    const rows = async (room: number) => {
      await shop.page.locator('#place').evaluate((place, px) => (place.style.width = `${px}px`), room);
      const tops = (found: Element[]) => found.map((label) => label.getBoundingClientRect().top);
      const all = await shop.region.locator('.values label').evaluateAll(tops);
      return [...new Set(all)].map((top) => all.filter((other) => other === top).length);
    };
    await shop.region.waitFor();
    expect(await rows(288)).toEqual([11]);
    expect(await rows(220)).toEqual([7, 4]);
  });

  it.each(TYPES.flatMap((type) => places.map((place) => ({ type, ...place }))))(
    'every target of $type is large enough: $presentation on $width px, in a place of $room',
    async ({ type, presentation, width, room }) => {
      const shop = await openShopShowing(`${type}-${presentation}`, {
        browser: { viewport: { width, height: 640 } },
      });
      await shop.region.waitFor();
      if (room)
        await shop.page.locator('#place').evaluate((place, px) => (place.style.width = `${px}px`), room);
      await expectTargets(shop);
      await shop.radio(type === 'nps' || type === 'pmf' ? 0 : 1).click();
      await shop.send().click();
      await shop.page.getByRole('checkbox').waitFor();
      await expectTargets(shop);
    },
  );

  it("keeps the contact checkbox's size beside long words", async () => {
    const shop = await openShopShowing('nps-inline', {
      browser: { viewport: { width: 320, height: 640 } },
      options: {
        strings: {
          contact: 'You may write to me about this if there is anything that you would like to know',
        },
      },
    });
    await shop.radio(3).click();
    await shop.send().click();
    const box = await shop.page.getByRole('checkbox').boundingBox();
    expect(box).toMatchObject({ width: 24, height: 24 });
  });

  it('shows the top of each step on a low screen', async () => {
    const shop = await openShopShowing('nps-corner', { browser: { viewport: { width: 320, height: 256 } } });
    await shop.radio(3).click();
    await shop.send().click();
    await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    expect(await shop.region.evaluate((panel) => panel.scrollTop)).toBe(0);
  });

  it('keeps Send visible below scrolled content on a low screen, without covering a focused field', async () => {
    const shop = await openShopShowing('nps-corner', {
      anonymous: true,
      browser: { viewport: { width: 320, height: 320 } },
    });
    await shop.radio(3).click();
    await shop.send().click();
    await shop.page.getByRole('checkbox').check();
    const address = shop.page.getByRole('textbox', { name: 'Your e-mail address' });
    await address.waitFor();
    const above = async () => {
      const { y = 0, height = 0 } = (await address.boundingBox()) ?? {};
      return ((await shop.send().boundingBox())?.y ?? 0) - y - height;
    };
    expect(await above()).toBeGreaterThanOrEqual(0);
    const edges = (part: string) =>
      shop.region.evaluate((panel, selector) => {
        panel.scrollTop = 0;
        const box = panel.querySelector(selector)?.getBoundingClientRect();
        return { top: box?.top ?? 0, room: panel.getBoundingClientRect().bottom - (box?.bottom ?? 0) };
      }, part);
    expect(await shop.region.evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBeGreaterThan(0);
    expect((await edges('.address')).room).toBeLessThan(0);
    expect((await edges('.send')).room).toBeGreaterThanOrEqual(6);
    await address.focus();
    expect(await above()).toBeGreaterThanOrEqual(0);
    await shop.send().click();
    const line = (await shop.region.locator('.address p:not(:empty)').boundingBox()) ?? { y: 0, height: 0 };
    expect(((await shop.send().boundingBox())?.y ?? 0) - line.y - line.height).toBeGreaterThanOrEqual(0);
    expect(await above()).toBeGreaterThan(line.height);
  });

  /** 320 px is 1,280 px at 400 % zoom; 640 × 400 is 1,280 × 800 at 200 %. */
  it.each(PRESENTATIONS.flatMap((presentation) => [320, 640].map((width) => ({ presentation, width }))))(
    'reflows $presentation on $width px without cut text or sideways scrolling',
    async ({ presentation, width }) => {
      const shop = await openShopShowing(`nps-${presentation}`, {
        browser: { viewport: { width, height: 400 } },
      });
      await shop.region.waitFor();
      const { inside, sideways } = await shop.region.evaluate((panel) => {
        const { left, right, top, bottom } = panel.getBoundingClientRect();
        const fixed = getComputedStyle(panel).position === 'fixed';
        return {
          inside: left >= 0 && right <= innerWidth && (!fixed || (top >= 0 && bottom <= innerHeight)),
          sideways:
            panel.scrollWidth > panel.clientWidth || document.documentElement.scrollWidth > innerWidth,
        };
      });
      expect({ inside, sideways }).toEqual({ inside: true, sideways: false });
      await shop.radio(10).click();
      await shop.send().scrollIntoViewIfNeeded();
      await shop.send().click();
      await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    },
  );
});
