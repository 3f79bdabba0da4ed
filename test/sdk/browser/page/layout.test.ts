import { describe, expect, it } from 'vitest';
import { type Box, boxOf, middleOf, NOWHERE } from '../support/box.ts';
import { openShop, type Scene, type Shop, useStage } from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';

const show = useStage();

const boxes = ({ page }: Shop, parts: string): Promise<Box[]> =>
  page
    .locator('canvass-survey section')
    .locator(parts)
    .evaluateAll((found) =>
      found.map((part) => {
        const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
        return { left, right, top, bottom, width, height };
      }),
    );

async function showScale(slug: string, scene: Scene = {}): Promise<Shop> {
  const shop = await show(slug, { height: 640, ...scene });
  await shop.region.waitFor();
  return shop;
}

async function openFollowUp(shop: Shop, rating = 3): Promise<void> {
  await shop.radio(rating).click();
  await shop.send().click();
  await shop.region.locator('textarea').waitFor();
}

describe('the scale', () => {
  it.each(
    (['nps', 'ces', 'csat'] as const).flatMap((type) =>
      PRESENTATIONS.map((presentation) => ({ type, presentation })),
    ),
  )(
    'is one row with labels at its ends at every width: $type, $presentation',
    async ({ type, presentation }) => {
      const shop = await showScale(`${type}-${presentation}`);
      for (const width of [320, 375, 1_000, 1_280]) {
        await shop.page.setViewportSize({ width, height: 640 });
        const values = await boxes(shop, '.values label');
        const [low = NOWHERE, high = NOWHERE] = await boxes(shop, '.ends span');
        const [first = NOWHERE, last = NOWHERE] = [values[0], values.at(-1)];
        expect(new Set(values.map(({ top }) => Math.round(top))).size, `${width} px`).toBe(1);
        expect(Math.abs(low.left - first.left), `${width} px`).toBeLessThanOrEqual(2);
        expect(Math.abs(high.right - last.right), `${width} px`).toBeLessThanOrEqual(2);
        expect(low.top, `${width} px`).toBeGreaterThanOrEqual(first.bottom);
      }
    },
  );

  it('has NPS in one row in a place of 288 px, and in rows of seven in one of 220', async () => {
    const shop = await showScale('nps-inline');
    const rows = async (room: number) => {
      await shop.page.locator('#place').evaluate((place, px) => (place.style.width = `${px}px`), room);
      const tops = (await boxes(shop, '.values label')).map(({ top }) => top);
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    };
    expect(await rows(288)).toEqual([11]);
    expect(await rows(220)).toEqual([7, 4]);
  });

  it.each(PRESENTATIONS)('keeps word labels clear of its edges, however long: %s', async (presentation) => {
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
    const { region } = await showScale(`pmf-${presentation}`, {
      lang: 'de',
      options: { strings: { pmf: [long, 'Etwas', `Sehr ${long}`] } },
      width: 320,
      height: 900,
    });
    const gaps = await region.locator('.values span').evaluateAll((spans) =>
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
      const shop = await showScale('pmf-corner', { width });
      const asked = await boxes(shop, '.values label');
      await shop.radio(1).click();
      await expect.poll(() => shop.send().isEnabled()).toBe(true);
      expect(await boxes(shop, '.values label')).toEqual(asked);
      const [sent] = await boxes(shop, '.send');
      expect(sent?.top).toBeGreaterThanOrEqual(asked.at(-1)?.bottom ?? 0);
      expect(sent?.right).toBe(asked.at(-1)?.right);
      await openFollowUp(shop, 1);
      expect((await boxes(shop, '.back'))[0]?.height).toBe(44);
      const chosen = shop.page.getByRole('button', { name: 'Back' }).locator('> :last-child');
      expect(await chosen.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
      expect((await boxOf(chosen)).height).toBeLessThan(24);
    },
  );

  it.each(
    (['nps', 'csat', 'ces'] as const).flatMap((type) =>
      (['en', 'de'] as const).map((lang) => ({ type, lang })),
    ),
  )('keeps its end labels, with Send in a row below: $type in $lang', async ({ type, lang }) => {
    for (const width of [320, 1_000]) {
      const shop = await showScale(`${type}-corner`, { lang, width });
      const asked = await boxes(shop, '.row, .ends span, .send');
      const [row = NOWHERE, low = NOWHERE, high = NOWHERE, send = NOWHERE] = asked;
      for (const end of [low, high]) {
        expect(end.top).toBeCloseTo(row.bottom + 6, 0);
        // Two pixels of Send are transparent.
        expect(send.top + 2).toBeCloseTo(end.bottom + 12, 0);
      }
      expect(send.right).toBe(row.right);
      await shop.radio(1).click();
      await shop.send().and(shop.page.locator(':enabled')).waitFor();
      expect(await boxes(shop, '.row, .ends span, .send')).toEqual(asked);
      expect(await shop.region.locator('.ends span:visible').count()).toBe(2);
    }
  });

  it.each([320, 1_280])(
    'has × at the end of its lines, level with each step’s first line: on %i px',
    async (width) => {
      const shop = await showScale('nps-corner', { width });
      const drawn = await boxes(shop, '.close path, .row');
      const [close = NOWHERE, values = NOWHERE] = drawn.toSorted((one, other) => one.top - other.top);
      const line = await shop.region.locator('legend').evaluate((legend) => {
        const range = document.createRange();
        range.selectNodeContents(legend);
        const [first] = range.getClientRects();
        return first ? (first.top + first.bottom) / 2 : 0;
      });
      expect(Math.abs(middleOf(close).y - line)).toBeLessThan(1);
      // Half of the close button's stroke is drawn outside its box.
      expect(Math.abs(close.right + 1 - values.right)).toBeLessThan(1);
      await openFollowUp(shop, 1);
      const [back = NOWHERE] = await boxes(shop, '.back');
      const [closing = NOWHERE] = await boxes(shop, '.close');
      expect(middleOf(closing).y).toBeCloseTo(middleOf(back).y, 0);
    },
  );

  it('has Send on one line, whatever its label', async () => {
    const shop = await showScale('ces-corner', {
      options: { strings: { send: 'Submit my answer now' } },
      width: 375,
    });
    expect((await boxes(shop, '.send'))[0]?.height).toBeLessThan(48);
  });

  it('cuts long words to one line on the back button, before ×, but reads them whole', async () => {
    const long = 'Disappointed, though not as much as you may think';
    const shop = await showScale('pmf-corner', {
      options: { strings: { pmf: ['Not', long, 'Very'] } },
      width: 320,
    });
    await openFollowUp(shop, 1);
    const chosen = await boxOf(
      shop.page.getByRole('button', { name: `Back ${long}` }).locator('> :last-child'),
    );
    expect(chosen.height).toBeLessThan(24);
    expect(chosen.right).toBeLessThanOrEqual((await boxOf(shop.region.locator('.close svg'))).left);
  });

  it("grows with the person's font size", async () => {
    const shop = await openShop();
    const session = await shop.context.newCDPSession(shop.page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } });
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(await shop.region.evaluate((panel) => getComputedStyle(panel).fontSize)).toBe('24px');
  });

  it.each(
    (['bottom-right', 'top-left'] as const).flatMap((corner) => TYPES.map((type) => ({ corner, type }))),
  )('moves no answer when one is chosen: $type, $corner', async ({ corner, type }) => {
    for (const width of [320, 375, 1_280]) {
      const shop = await showScale(`${type}-corner`, { width, survey: { corner } });
      const before = await boxes(shop, '.values label');
      await shop.radio(1).click();
      await shop.send().and(shop.page.locator(':enabled')).waitFor();
      expect(await boxes(shop, '.values label'), `${width} px`).toEqual(before);
      expect((await boxOf(shop.region)).bottom, `${width} px`).toBeLessThanOrEqual(640 - 12);
    }
  });

  it.each(PRESENTATIONS)(
    'has Send from the start, which a choice enables, and thanks no taller than needed: %s',
    async (presentation) => {
      const shop = await showScale(`nps-${presentation}`);
      await shop.send().and(shop.page.locator(':disabled')).waitFor();
      await shop.radio(3).click();
      await shop.send().and(shop.page.locator(':enabled')).waitFor();
      await openFollowUp(shop);
      const { height } = await boxOf(shop.region);
      await shop.send().click();
      await shop.region.getByText('Thank you!').waitFor();
      expect((await boxOf(shop.region)).height).toBeLessThan(Math.min(height, 130));
    },
  );
});

describe('a target', () => {
  const leastOf = async (shop: Shop, controls: string) => {
    const sizes = await shop.region.locator(controls).evaluateAll((found) =>
      found.map((control) => {
        const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
        return [width, height] as const;
      }),
    );
    return {
      width: Math.min(...sizes.map(([width]) => width)),
      height: Math.min(...sizes.map(([, height]) => height)),
    };
  };
  const expectTargets = async (shop: Shop) => {
    const values = await leastOf(shop, 'input[type=radio]');
    const others = await leastOf(shop, 'input:not([type=radio]), button:enabled');
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

  it.each(TYPES.flatMap((type) => places.map((place) => ({ type, ...place }))))(
    'of $type is large enough: $presentation on $width px, in a place of $room',
    async ({ type, presentation, width, room }) => {
      const shop = await showScale(`${type}-${presentation}`, { width });
      if (room)
        await shop.page.locator('#place').evaluate((place, px) => (place.style.width = `${px}px`), room);
      await expectTargets(shop);
      await openFollowUp(shop, type === 'nps' || type === 'pmf' ? 0 : 1);
      await expectTargets(shop);
    },
  );

  it("keeps the contact checkbox's size beside long words", async () => {
    const contact = 'You may write to me about this if there is anything that you would like to know';
    const shop = await showScale('nps-inline', { width: 320, options: { strings: { contact } } });
    await openFollowUp(shop);
    expect(await boxOf(shop.page.getByRole('checkbox'))).toMatchObject({ width: 24, height: 24 });
  });
});

describe('on a low screen', () => {
  it('shows the top of each step', async () => {
    const shop = await showScale('nps-corner', { width: 320, height: 256 });
    await openFollowUp(shop);
    expect(await shop.region.evaluate((panel) => panel.scrollTop)).toBe(0);
  });

  it('keeps Send visible below scrolled content, without covering a focused field', async () => {
    const shop = await showScale('nps-corner', { anonymous: true, width: 320, height: 320 });
    await openFollowUp(shop);
    await shop.page.getByRole('checkbox').check();
    const address = shop.page.getByRole('textbox', { name: 'Your email address' });
    await address.waitFor();
    const above = async () => (await boxOf(shop.send())).top - (await boxOf(address)).bottom;
    expect(await above()).toBeGreaterThanOrEqual(0);
    expect(await shop.region.evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBeGreaterThan(0);
    const room = (part: string) =>
      shop.region.evaluate((panel, selector) => {
        panel.scrollTop = 0;
        const { bottom = 0 } = panel.querySelector(selector)?.getBoundingClientRect() ?? {};
        return panel.getBoundingClientRect().bottom - bottom;
      }, part);
    expect(await room('.address')).toBeLessThan(0);
    expect(await room('.send')).toBeGreaterThanOrEqual(6);
    await address.focus();
    expect(await above()).toBeGreaterThanOrEqual(0);
    await shop.send().click();
    const line = await boxOf(shop.region.locator('.address p:not(:empty)'));
    expect((await boxOf(shop.send())).top).toBeGreaterThanOrEqual(line.bottom);
    expect(await above()).toBeGreaterThan(line.height);
  });

  /** 320 px is 1,280 px at 400 % zoom; 640 × 400 is 1,280 × 800 at 200 %. */
  it.each(PRESENTATIONS.flatMap((presentation) => [320, 640].map((width) => ({ presentation, width }))))(
    'reflows $presentation on $width px without cut text or sideways scrolling',
    async ({ presentation, width }) => {
      const shop = await showScale(`nps-${presentation}`, { width, height: 400 });
      const found = await shop.region.evaluate((panel) => {
        const { left, right, top, bottom } = panel.getBoundingClientRect();
        const fixed = getComputedStyle(panel).position === 'fixed';
        return {
          inside: left >= 0 && right <= innerWidth && (!fixed || (top >= 0 && bottom <= innerHeight)),
          sideways:
            panel.scrollWidth > panel.clientWidth || document.documentElement.scrollWidth > innerWidth,
        };
      });
      expect(found).toEqual({ inside: true, sideways: false });
      await shop.radio(10).click();
      await shop.send().scrollIntoViewIfNeeded();
      await openFollowUp(shop, 10);
    },
  );
});

describe('a box', () => {
  it('uses the corner of its survey, with its badge below the content, aligned with it', async () => {
    const { region } = await showScale('badge');
    const badge = await boxOf(region.getByText('Powered by Canvass'));
    const scale = await boxOf(region.getByRole('group'));
    expect(badge.left).toBe(scale.left);
    expect(badge.top).toBeGreaterThanOrEqual(scale.bottom + 8);
    const margin = 12;
    const box = await boxOf(region);
    expect(box.left).toBeCloseTo(margin, 0);
    expect(box.top).toBeCloseTo(margin, 0);
  });

  it('has a badge only if its survey enables it', async () => {
    const { region } = await showScale('plain');
    expect(await region.getByText('Powered by').count()).toBe(0);
  });

  it('is as wide as its place if inline', async () => {
    const { region, page, radio } = await showScale('nps-inline');
    const place = await boxOf(page.locator('#place'));
    expect((await boxOf(region)).width).toBe(place.width);
    expect((await boxOf(radio(10))).right - (await boxOf(radio(0))).left).toBeGreaterThan(place.width - 60);
  });

  it('has its end labels at its ends, even on two lines', async () => {
    const nps = ['Not if my life depended on it, ever', 'As sure as the sun rises tomorrow'];
    const { region } = await showScale('plain', { options: { strings: { nps } } });
    const lines = await region.getByText('As sure as').evaluate((words) => {
      const range = document.createRange();
      range.selectNodeContents(words);
      return [...range.getClientRects()].map(({ right }) => Math.round(right));
    });
    const end = Math.round((await boxOf(region.getByRole('group'))).right);
    expect(lines).toEqual([end, end]);
  });

  it.each(['corner', 'banner'])('is hidden in print if it floats: %s', async (presentation) => {
    const { region, page } = await showScale(`nps-${presentation}`);
    await page.emulateMedia({ media: 'print' });
    await region.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: null });
  });

  it.each(['nps-corner', 'thumbs-corner'])(
    'has Send at the end of the field, on the left in Arabic, in a size that no phone zooms: %s',
    async (slug) => {
      for (const direction of ['ltr', 'rtl'] as const) {
        const shop = await show(slug, { direction, lang: direction === 'rtl' ? 'ar' : 'en' });
        const part = (name: string) => shop.page.locator(`canvass-survey ${name}`);
        if (slug === 'nps-corner') await openFollowUp(shop);
        else await part('.down').click();
        await part('textarea').waitFor();
        const end = ({ left, right }: Box) => Math.round(direction === 'rtl' ? left : right);
        expect(end(await boxOf(part('.send')))).toBe(end(await boxOf(part('textarea'))));
        expect(await part('textarea').evaluate((field) => getComputedStyle(field).fontSize)).toBe('16px');
      }
    },
  );

  it.each(['plain', 'badge', 'nps-banner'])(
    'stays clear of other content in its corner by --canvass-offset: %s',
    async (slug) => {
      const { page, region } = await showScale(slug);
      const before = await boxOf(region);
      await page.evaluate(() => document.documentElement.style.setProperty('--canvass-offset', '80px'));
      expect((await boxOf(region)).top - before.top).toBe(slug === 'badge' ? 80 : -80);
    },
  );
});

async function answer(shop: Shop, slug: string): Promise<number> {
  const part = (name: string) => shop.page.locator(`canvass-survey ${name}`);
  const { width } = await boxOf(part('section'));
  if (slug.startsWith('thumbs')) await part('.up').click();
  else {
    await openFollowUp(shop, 10);
    await shop.send().click();
  }
  await part('.thanks').getByText('Thank you!').waitFor();
  return Math.round(width);
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
  it.each(
    ['thumbs', 'nps'].flatMap((type) => PRESENTATIONS.map((presentation) => `${type}-${presentation}`)),
  )('are in one low row: %s', async (slug) => {
    const wide = await show(slug);
    const place = await answer(wide, slug);
    await expect.poll(() => thanksOf(wide)).toMatchObject({ isLow: true, isInOneRow: true });
    const thanks = await thanksOf(wide);
    if (slug.endsWith('inline')) expect(thanks).toMatchObject({ width: place, isInTheMiddle: true });
    else expect(thanks.width).toBeLessThanOrEqual(240);

    // On a phone, thanks are as wide as the question.
    const phone = await show(slug, { width: 375, height: 560 });
    const width = await answer(phone, slug);
    await expect
      .poll(() => thanksOf(phone))
      .toEqual({ width, isLow: true, isInOneRow: true, isInTheMiddle: true });
  });
});
