import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openShop, openShopShowing, type Shop, useShops } from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';

useShops();

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxes = (shop: Shop, parts: string): Promise<Box[]> =>
  shop.region.locator(parts).evaluateAll((found) =>
    found.map((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );

describe('the scale', () => {
  const places = PRESENTATIONS.flatMap((presentation) =>
    [320, 375, 1_000, 1_280].map((width) => ({ presentation, width })),
  );

  it.each((['nps', 'ces', 'csat'] as const).flatMap((type) => places.map((place) => ({ type, ...place }))))(
    'is one row with labels at its ends: $type, $presentation on $width px',
    async ({ type, presentation, width }) => {
      const shop = await openShopShowing(`${type}-${presentation}`, {
        browser: { viewport: { width, height: 640 } },
      });
      await shop.region.waitFor();
      const values = await boxes(shop, '.values label');
      const [low, high] = await boxes(shop, '.ends span');
      const [first, last] = [values[0], values.at(-1)];
      expect(new Set(values.map(({ top }) => Math.round(top))).size).toBe(1);
      expect(Math.abs((low?.left ?? 0) - (first?.left ?? 0))).toBeLessThanOrEqual(2);
      expect(Math.abs((high?.right ?? 0) - (last?.right ?? 0))).toBeLessThanOrEqual(2);
      expect(low?.top).toBeGreaterThanOrEqual(first?.bottom ?? 0);
    },
  );

  it.each(PRESENTATIONS)('keeps word labels clear of its edges, however long: %s', async (presentation) => {
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
    const shop = await openShopShowing(`pmf-${presentation}`, {
      lang: 'de',
      options: { strings: { pmf: [long, 'Etwas', `Sehr ${long}`] } },
      browser: { viewport: { width: 320, height: 900 } },
    });
    await shop.region.waitFor();
    const gaps = await shop.region.locator('.values span').evaluateAll((spans) =>
      spans.map((span) => {
        const range = document.createRange();
        range.selectNodeContents(span);
        const text = range.getBoundingClientRect();
        const { left, right } = span.parentElement?.getBoundingClientRect() ?? text;
        return Math.min(text.left - left, right - text.right);
      }),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8);
  });

  it.each([320, 1_000])(
    'has Send in a row below words, moves no word, and shows the chosen one whole on the back button: on %i px',
    async (width) => {
      const shop = await openShopShowing('pmf-corner', { browser: { viewport: { width, height: 640 } } });
      await shop.region.waitFor();
      const asked = await boxes(shop, '.values label');
      await shop.radio(1).click();
      await expect.poll(() => shop.send().isEnabled()).toBe(true);
      expect(await boxes(shop, '.values label')).toEqual(asked);
      const [sent] = await boxes(shop, '.send');
      expect(sent?.top).toBeGreaterThanOrEqual(asked.at(-1)?.bottom ?? 0);
      expect(sent?.right).toBe(asked.at(-1)?.right);
      await shop.send().click();
      await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
      const [back] = await boxes(shop, '.back');
      expect((back?.bottom ?? 0) - (back?.top ?? 0)).toBe(44);
      const chosen = shop.page.getByRole('button', { name: 'Back' }).locator('> :last-child');
      expect(await chosen.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
      expect((await chosen.boundingBox())?.height).toBeLessThan(24);
    },
  );

  it.each(
    (['nps', 'csat', 'ces'] as const).flatMap((type) =>
      (['en', 'de'] as const).flatMap((lang) => [320, 1_000].map((width) => ({ type, lang, width }))),
    ),
  )(
    'keeps its end labels, with Send in a row below: $type in $lang on $width px',
    async ({ type, lang, width }) => {
      const shop = await openShopShowing(`${type}-corner`, {
        lang,
        browser: { viewport: { width, height: 640 } },
      });
      await shop.region.waitFor();
      const asked = await boxes(shop, '.row, .ends span, .send');
      const [row, low, high, send] = asked;
      for (const end of [low, high]) {
        expect(end?.top).toBeCloseTo((row?.bottom ?? 0) + 6, 0);
        // Two of its pixels are not drawn.
        expect((send?.top ?? 0) + 2).toBeCloseTo((end?.bottom ?? 0) + 12, 0);
      }
      expect(send?.right).toBe(row?.right);
      await shop.radio(1).click();
      await shop.send().and(shop.page.locator(':enabled')).waitFor();
      expect(await boxes(shop, '.row, .ends span, .send')).toEqual(asked);
      expect(await shop.region.locator('.ends span:visible').count()).toBe(2);
    },
  );

  it('has × at the end of its lines, level with the first line of each step', async () => {
    for (const width of [320, 1_280]) {
      const shop = await openShopShowing('nps-corner', { browser: { viewport: { width, height: 640 } } });
      await shop.region.waitFor();
      const middle = (box: Box | undefined) => ((box?.top ?? 0) + (box?.bottom ?? 0)) / 2;
      const [drawn, row] = await boxes(shop, '.close path, .row');
      const [close, values] = [drawn, row].toSorted((one, other) => (one?.top ?? 0) - (other?.top ?? 0));
      const line = await shop.region.locator('legend').evaluate((legend) => {
        const range = document.createRange();
        range.selectNodeContents(legend);
        const [first] = range.getClientRects();
        return first ? (first.top + first.bottom) / 2 : 0;
      });
      expect(Math.abs(middle(close) - line)).toBeLessThan(1);
      // Half of its line is drawn outside.
      expect(Math.abs((close?.right ?? 0) + 1 - (values?.right ?? 0))).toBeLessThan(1);
      await shop.radio(1).click();
      await shop.send().click();
      await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
      const [back] = await boxes(shop, '.back');
      const [closing] = await boxes(shop, '.close');
      expect(middle(closing)).toBeCloseTo(middle(back), 0);
    }
  });

  it('has Send on one line, whatever its label', async () => {
    const shop = await openShopShowing('ces-corner', {
      options: { strings: { send: 'Submit my answer now' } },
      browser: { viewport: { width: 375, height: 640 } },
    });
    await shop.region.waitFor();
    const [sent] = await boxes(shop, '.send');
    expect((sent?.bottom ?? 0) - (sent?.top ?? 0)).toBeLessThan(48);
  });

  it('cuts long words to one line on the back button, before ×, but reads them whole', async () => {
    const long = 'Disappointed, though not as much as you may think';
    const shop = await openShopShowing('pmf-corner', {
      options: { strings: { pmf: ['Not', long, 'Very'] } },
      browser: { viewport: { width: 320, height: 640 } },
    });
    await shop.radio(1).click();
    await shop.send().click();
    const chosen = shop.page.getByRole('button', { name: `Back ${long}` }).locator('> :last-child');
    await chosen.waitFor();
    const { x = 0, width = 0, height } = (await chosen.boundingBox()) ?? {};
    expect(height).toBeLessThan(24);
    expect(x + width).toBeLessThanOrEqual((await shop.region.locator('.close svg').boundingBox())?.x ?? 0);
  });

  it("grows with the person's font size", async () => {
    const shop = await openShop();
    const session = await shop.context.newCDPSession(shop.page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } });
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(await shop.region.evaluate((panel) => getComputedStyle(panel).fontSize)).toBe('24px');
  });
});

describe('from step to step', () => {
  it.each(
    (['bottom-right', 'top-left'] as const).flatMap((corner) =>
      TYPES.flatMap((type) => [320, 375, 1_280].map((width) => ({ corner, type, width }))),
    ),
  )('moves no answer when one is chosen: $type, $corner on $width px', async ({ corner, type, width }) => {
    const { region, radio, send } = await openShopShowing(`${type}-corner`, {
      browser: { viewport: { width, height: 640 } },
      prepare: (page) =>
        page.route('**/v1/sdk/bootstrap', async (route) => {
          const response = await route.fetch();
          const { surveys, ...reply } = await response.json();
          await route.fulfill({
            response,
            json: { ...reply, surveys: surveys.map((each: object) => ({ ...each, corner })) },
          });
        }),
    });
    await region.waitFor();
    const answers = () =>
      region
        .locator('.values label')
        .evaluateAll((labels) => labels.map((label) => JSON.stringify(label.getBoundingClientRect())));
    const before = await answers();
    await radio(1).click();
    await send().waitFor();
    expect(await answers()).toEqual(before);
    const { y = 0, height = 0 } = (await region.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(640 - 12);
  });

  it.each(PRESENTATIONS)(
    'has Send from the start, enabled by a choice, and thanks no higher than needed: %s',
    async (presentation) => {
      const shop = await openShopShowing(`nps-${presentation}`);
      const height = async () => (await shop.region.boundingBox())?.height ?? 0;
      await shop.send().and(shop.page.locator(':disabled')).waitFor();
      await shop.radio(3).click();
      await shop.send().and(shop.page.locator(':enabled')).waitFor();
      await shop.send().click();
      await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
      const before = await height();
      await shop.send().click();
      await shop.region.getByText('Thank you!').waitFor();
      expect(await height()).toBeLessThan(Math.min(before, 130));
    },
  );

  it('shows the choice in the second step, goes back with the written text, and announces each question', async () => {
    const { page, region, radio, send, sent } = await openShopShowing('nps-corner');
    const back = page.getByRole('button', { name: 'Back' });
    const words = page.getByRole('textbox', { name: 'What is the main reason?' });
    const status = region.getByRole('status');
    await status.filter({ hasText: 'How likely are you' }).waitFor();
    await radio(3).click();
    await send().click();
    await page.getByRole('button', { name: 'Back 3' }).waitFor();
    await status.filter({ hasText: 'What is the main reason?' }).waitFor();
    await words.fill('Slow.');
    await page.getByRole('checkbox').click();
    await back.click();
    expect(await radio(3).isChecked()).toBe(true);
    await status.filter({ hasText: 'How likely are you' }).waitFor();
    await radio(9).click();
    await send().click();
    await page.getByRole('button', { name: 'Back 9' }).waitFor();
    expect(await words.inputValue()).toBe('Slow.');
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await send().click();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 9, text: 'Slow.' });
    expect(sent.at(-1)?.body).not.toHaveProperty('followUpRequested');
  });

  it('leads keyboard users back to the chosen value', async () => {
    const { page, radio } = await openShopShowing('nps-corner');
    await radio(3).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => radio(3).evaluate((input) => input.matches(':focus'))).toBe(true);
  });

  it('skips a follow-up that cannot be loaded, and sends the rating', async () => {
    const { radio, send, region, sent } = await openShopShowing('nps-corner', {
      prepare: (page) => page.route('**/follow-up-*.js', (route) => route.fulfill({ status: 404 })),
    });
    await radio(3).click();
    await send().click();
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 3 });
  });

  it("shows the survey's thanks with a sign, and keeps a link until they are closed", async () => {
    const shop = await openShopShowing('worded', { prepare: (page) => page.clock.install() });
    await shop.radio(9).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.region.getByText('Many thanks.').waitFor();
    expect(await shop.region.locator('> svg').count()).toBe(1);
    const link = shop.page.getByRole('link', { name: 'Write a review' });
    expect(await link.getAttribute('href')).toBe('https://example.com/review');
    await shop.page.mouse.move(1, 1);
    await shop.page.clock.runFor(600_000);
    expect(await shop.region.isVisible()).toBe(true);
    const middle = async (part: Locator) => {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
      return x + width / 2;
    };
    expect(await middle(link)).toBeCloseTo(await middle(shop.region), 0);
    await shop.page.getByRole('button', { name: 'Not now' }).click();
    await shop.page.clock.runFor(1_000);
    await shop.region.waitFor({ state: 'detached' });
  });

  it('omits a link that leads to no page', async () => {
    const shop = await openShop({
      prepare: (page) =>
        page.route('**/v1/sdk/bootstrap', async (route) => {
          const reply = await route.fetch();
          const text = (await reply.text()).replace('https://example.com/review', 'javascript:alert(1)');
          await route.fulfill({ response: reply, body: text });
        }),
      calls: [['show', 'worded']],
    });
    await shop.radio(9).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.region.getByText('Many thanks.').waitFor();
    expect(await shop.region.locator('a').count()).toBe(0);
  });
});
