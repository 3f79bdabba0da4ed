import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { boxOf, middleOf, NOWHERE } from '../support/box.ts';
import { rowsOf } from '../support/delivery.ts';
import { bindingOf, bindThumbs, playRatings } from '../support/played-ratings.ts';
import { openShop, openShopShowing, type Scene, type ShopOptions, useStage } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

const show = useStage();

const appearances: Readonly<Record<string, ShopOptions>> = {
  light: {},
  dark: { scheme: 'dark' },
  'theme dark on a light page': { options: { theme: 'dark' } },
  'forced colours': { browser: { forcedColors: 'active' } },
  'forced colours, dark': { browser: { forcedColors: 'active', colorScheme: 'dark' } },
  'right to left': { direction: 'rtl', lang: 'ar' },
  'on a phone': { browser: { viewport: { width: 320, height: 560 } } },
};

async function openMessage(options: ShopOptions = {}) {
  const shop = await openShop({ ...options, prepare: (page) => playRatings(page.context()) });
  const { page } = shop;
  await page.waitForFunction(() => window.canvass?.bind);
  await bindThumbs(page, bindingOf('m1'));
  const up = page.locator('canvass-survey .up');
  const down = page.locator('canvass-survey .down');
  await up.waitFor();
  return { page, up, down, text: page.locator('canvass-survey textarea') };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.ariaLabel ?? element?.tagName.toLowerCase() ?? '';
  });

it.each(['reduce', 'no-preference'] as const)(
  'opens the question of a thumb down gradually, so that the conversation does not jump: motion %s',
  async (reducedMotion) => {
    const { page, down } = await openMessage({ browser: { reducedMotion } });
    await down.waitFor();
    const moving = await page.locator('canvass-survey section').evaluate(async (panel) => {
      panel.querySelector<HTMLElement>('.down')?.click();
      while (!panel.querySelector('.more')) await new Promise(requestAnimationFrame);
      const transitions = (panel.querySelector('.more')?.getAnimations() ?? []) as CSSTransition[];
      return transitions.map(({ transitionProperty }) => transitionProperty);
    });
    if (reducedMotion === 'reduce') expect(moving).toEqual([]);
    else expect(moving).toContain('height');
  },
);

describe.each(Object.entries(appearances))('under a message, %s', (_, appearance) => {
  it('pass axe, are 44 pixels wide and high, and differ in more than color when pressed', async () => {
    const { page, up, down, text } = await openMessage(appearance);
    expect(await axeViolations(page)).toEqual([]);
    for (const button of [up, down]) {
      const { width, height } = await boxOf(button);
      expect(width).toBeGreaterThanOrEqual(44);
      expect(height).toBeGreaterThanOrEqual(44);
    }
    await up.click();
    const look = (button: typeof up) =>
      button.evaluate((element) => {
        const svg = element.querySelector('svg');
        return [getComputedStyle(element).backgroundColor, svg && getComputedStyle(svg).fill];
      });
    expect(await up.evaluate((button) => button.matches(':hover'))).toBe(true);
    const hovered = await look(up);
    await page.mouse.move(1, 1);
    const [pressed, other] = [await look(up), await look(down)];
    expect(hovered).toEqual(pressed);
    expect(pressed[0]).not.toBe(other[0]);
    expect(pressed[1]).not.toBe(other[1]);
    expect(await axeViolations(page)).toEqual([]);
    await down.click();
    await text.waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('thumbs under a message', () => {
  it('are a group named by the question, with two toggle buttons', async () => {
    const { page, up } = await openMessage();
    const group = page.getByRole('group', { name: 'Was this helpful?' });
    expect(await group.getByRole('button').count()).toBe(2);
    await group.getByRole('button', { name: 'Helpful', exact: true, pressed: false }).waitFor();
    await up.click();
    await group.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor();
    await group.getByRole('button', { name: 'Not helpful', pressed: false }).waitFor();
  });

  it("have the page's language", async () => {
    const { page } = await openMessage({ lang: 'ar', direction: 'rtl' });
    await page.getByRole('group', { name: 'هل كان هذا مفيدًا؟' }).waitFor();
    await page.getByRole('button', { name: 'غير مفيد' }).click();
    await page.getByRole('textbox', { name: 'ما الذي كان ينقص؟' }).waitFor();
    expect(
      await page.locator('canvass-survey section').evaluate((panel) => getComputedStyle(panel).direction),
    ).toBe('rtl');
  });

  it('work by keyboard and keep the focus', async () => {
    const { page, text } = await openMessage();
    await page.focus('#search');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Helpful');
    const ring = await page.locator('canvass-survey .up').evaluate((button) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(button);
      return Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    });
    // The ring must cover neither the other thumb nor the content above.
    expect(ring).toBeLessThanOrEqual(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => focused(page)).toBe('Not helpful');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('What was missing?');
    await text.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('The price');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await text.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Not helpful');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Thank you!');
  });

  it('scroll the question into view down to Send, at the lower edge of the window', async () => {
    const { page, down, text } = await openMessage({ browser: { viewport: { width: 375, height: 480 } } });
    await page.evaluate(() => {
      document.body.style.paddingBottom = '900px';
      document.querySelector('canvass-survey')?.scrollIntoView({ block: 'end' });
    });
    await down.click();
    await text.waitFor();
    const send = page.locator('canvass-survey .send');
    const below = () => send.evaluate((button) => innerHeight - button.getBoundingClientRect().bottom);
    await expect.poll(below).toBeGreaterThanOrEqual(12);
    expect((await boxOf(text)).width).toBe((await boxOf(page.locator('canvass-survey'))).width);
  });

  it('close the question on Escape and keep the rating', async () => {
    const { page, down, text } = await openMessage();
    await down.click();
    await text.focus();
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
    expect(await down.getAttribute('aria-pressed')).toBe('true');
  });

  it("are isolated from the page's styles, and the page from their keys", async () => {
    const { page, up, down, text } = await openMessage({ hostile: true });
    expect((await boxOf(up)).width).toBeLessThan(80);
    await down.dispatchEvent('click');
    await text.waitFor({ state: 'attached' });
    await page.evaluate(() => {
      const keys: string[] = [];
      Object.assign(window, { keys });
      document.addEventListener('keydown', ({ key }) => keys.push(key));
    });
    await text.evaluate((area) => {
      area.focus();
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, composed: true }));
    });
    expect(await page.evaluate('keys')).toEqual([]);
  });
});

const inLanguage = (lang: string): Scene => ({ lang, direction: lang === 'ar' ? 'rtl' : 'ltr' });

describe.each(PRESENTATIONS)('a thumbs survey as %s', (presentation) => {
  const slug = `thumbs-${presentation}`;

  it('is answered by one early click on thumb up, and keeps the thanks', async () => {
    const shop = await openShopShowing(slug, { prepare: (page) => page.clock.install() });
    await shop.page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await shop.page.clock.runFor(1_000);
    expect(await shop.page.getByText('Thank you!').isVisible()).toBe(true);
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 1, surveySlug: slug }]);
  });

  it.each(['en', 'ar'])('has small thanks with only their sign: %s', async (lang) => {
    const direction = lang === 'ar' ? 'rtl' : 'ltr';
    const { page } = await show(slug, { lang, direction });
    await page.locator('canvass-survey .up').click();
    const box = page.locator('canvass-survey section');
    await box.locator('.said').waitFor();
    expect(await box.locator('.question, .up, .down').count()).toBe(0);
    const parts = [box, box.locator('> svg'), box.locator('.said'), box.locator('.close')];
    const [whole = NOWHERE, sign = NOWHERE, said = NOWHERE, close = NOWHERE] = await Promise.all(
      parts.map(boxOf),
    );
    expect(whole.height).toBeLessThanOrEqual(64);
    for (const part of [sign, said, close])
      expect(Math.abs(middleOf(part).y - middleOf(whole).y)).toBeLessThanOrEqual(1);
    const margin =
      direction === 'rtl'
        ? whole.right - Math.max(sign.right, said.right)
        : Math.min(sign.left, said.left) - whole.left;
    // Otherwise the thumbs are centered.
    if (presentation !== 'inline') expect(margin).toBeLessThanOrEqual(21);
  });

  it('shows thanks in a box of their size if thumb up interrupts growing', async () => {
    const { page } = await show(slug, { reducedMotion: 'no-preference' });
    const box = page.locator('canvass-survey section');
    await box.locator('.up').waitFor();
    const [last, arrived] = await box.evaluate(async (panel) => {
      panel.querySelector<HTMLElement>('.down')?.click();
      do await new Promise(requestAnimationFrame);
      while (!panel.querySelector('.more'));
      panel.querySelector<HTMLElement>('.up')?.click();
      await new Promise(requestAnimationFrame);
      const [{ effect } = {}] = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
      await Promise.all(panel.getAnimations().map(({ finished }) => finished));
      return [
        (effect as KeyframeEffect | undefined)?.getKeyframes().at(-1)?.height,
        getComputedStyle(panel).height,
      ];
    });
    expect(last).toBe(arrived);
  });

  it.each(['en', 'ar'])(
    'has equal margins around the question, and does not move thumbs and ×: %s',
    async (lang) => {
      const { page } = await show(slug, inLanguage(lang));
      const part = async (name: string) => {
        const { left, right } = await boxOf(page.locator(`canvass-survey ${name}`));
        return { left, right };
      };
      const steady = ['section', '.question', '.up', '.down', '.close'];
      await page.locator('canvass-survey .close').waitFor();
      const before = await Promise.all(steady.map(part));
      await page.locator('canvass-survey .down').click();
      await page.locator('canvass-survey .send').waitFor();
      expect(await Promise.all(steady.map(part))).toEqual(before);
      const [box, field] = await Promise.all([part('section'), part('textarea')]);
      expect(field.left - box.left).toBeCloseTo(box.right - field.right, 1);
    },
  );

  it('asks for words after thumb down, keeps them on another click, and passes axe', async () => {
    for (const appearance of [{}, { direction: 'rtl', lang: 'ar' }] as const) {
      const shop = await show(slug, appearance);
      const { page } = shop;
      await page.locator('canvass-survey .down').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.locator('canvass-survey .down').click();
      await page.locator('canvass-survey textarea').fill('The price');
      expect(await axeViolations(page)).toEqual([]);
      await page.locator('canvass-survey.canvass-more').waitFor({ state: 'attached' });
      await page.locator('canvass-survey .down').click();
      await page.locator('canvass-survey .send').click();
      expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 0, text: 'The price' }]);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  it('does not send the question on a double click on thumb down', async () => {
    const shop = await show(slug);
    const { page } = shop;
    await page.locator('canvass-survey .down').click();
    // Send moved under the pointer.
    const { x, y } = middleOf(await boxOf(page.locator('canvass-survey .send')));
    await page.mouse.move(x, y);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.locator('canvass-survey textarea').fill('The price');
    await page.locator('canvass-survey .send').click();
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 0, text: 'The price' }]);
  });

  it.each(['en', 'ar'])(
    'has the thumbs beside the question if they fit, or below, and × at its first line: %s',
    async (lang) => {
      const { page } = await show(slug, inLanguage(lang));
      const part = (name: string) => boxOf(page.locator(`canvass-survey ${name}`));
      await page.locator('canvass-survey .close').waitFor();
      for (const width of [320, 375, 1_280]) {
        await page.setViewportSize({ width, height: 560 });
        const [question, up] = [await part('.question'), await part('.up')];
        const [down, close] = [await part('.down'), await part('.close')];
        expect(down.top, `${width} px`).toBe(up.top);
        expect(Math.abs(close.top - question.top), `${width} px`).toBeLessThanOrEqual(1);
        expect(close.left >= question.right || close.right <= question.left, `${width} px`).toBe(true);
        const isBeside = up.left >= question.right - 12 || up.right <= question.left + 12;
        if (isBeside) expect(Math.abs(up.top - question.top), `${width} px`).toBeLessThanOrEqual(1);
        else expect(up.top, `${width} px`).toBeGreaterThanOrEqual(question.bottom);
        const lines = Math.round((question.bottom - question.top - 22) / 21.6);
        expect(lines, `${width} px`).toBeLessThanOrEqual(isBeside ? 1 : 2);
      }
    },
  );

  it('is dismissed by ×, or delivered after a choice', async () => {
    const dismissed = await show(slug);
    await dismissed.page.getByRole('button', { name: 'Close' }).click();
    expect((await rowsOf(dismissed, 1))[0]).not.toHaveProperty('rating');
    const chosen = await show(slug);
    await chosen.page.getByRole('button', { name: 'Not helpful' }).click();
    await chosen.page.getByRole('button', { name: 'Close' }).click();
    expect(await rowsOf(chosen, 1)).toMatchObject([{ rating: 0 }]);
    await expect.poll(() => chosen.page.locator('canvass-survey').count()).toBe(0);
  });
});
