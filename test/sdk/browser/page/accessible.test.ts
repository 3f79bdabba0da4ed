import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { openShopShowing, type Scene, useStage } from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';

const show = useStage();

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute('aria-label') ?? (element?.id || element?.tagName.toLowerCase()) ?? '';
  });

const dark: Scene = { scheme: 'dark' };
const forced: Scene = { forcedColors: 'active' };
const arabic: Scene = { direction: 'rtl', lang: 'ar' };

describe('axe finds nothing at every step', () => {
  it.each([
    ...TYPES.flatMap((type) =>
      PRESENTATIONS.map((presentation) => ['light', type, presentation, {}] as const),
    ),
    ...TYPES.flatMap((type, at) => {
      const in3 = (more: number) => PRESENTATIONS[(at + more) % 3] ?? 'corner';
      return [
        ['dark', type, in3(0), dark] as const,
        ['forced colors', type, in3(1), forced] as const,
        ['right to left', type, in3(2), arabic] as const,
      ];
    }),
  ])('%s: %s as %s', async (_, type, presentation, appearance) => {
    const shop = await show(`${type}-${presentation}`, { anonymous: true, ...appearance });
    await shop.radio(1).click();
    expect(await axeViolations(shop.page)).toEqual([]);
    await shop.send().click();
    await shop.page.getByRole('textbox', { name: /reason|السبب/ }).waitFor();
    expect(await axeViolations(shop.page)).toEqual([]);
    // Later steps are equal for all types.
    if (type !== 'nps') return;
    await shop.page.getByRole('checkbox').click();
    await shop.send().click();
    await shop.region.locator('.address p:not(:empty)').waitFor();
    expect(await axeViolations(shop.page)).toEqual([]);
    await shop.page.locator('canvass-survey input[type=email]').fill('ann@example.com');
    expect(await axeViolations(shop.page)).toEqual([]);
    await shop.send().click();
    await shop.region.getByText(/Thank you!|شكرًا/).waitFor();
    expect(await axeViolations(shop.page)).toEqual([]);
  });
});

describe('structure', () => {
  it('is a labeled region with a group named by the question, whose values have meanings', async () => {
    const { page, region } = await show('csat-corner');
    const group = region.getByRole('group', { name: 'How satisfied are you with your order?' });
    await group.getByRole('radio', { name: '4, Satisfied' }).waitFor();
    expect(await group.getByRole('radio').count()).toBe(5);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('names every value, however few words the page gives', async () => {
    const { region } = await show('pmf-corner', {
      options: { strings: { pmf: ['Low', 'High'] } },
    });
    await region.getByRole('radio', { name: '1', exact: true }).waitFor();
    await region.locator('label', { hasText: '1' }).waitFor();
  });

  it('declares its language if the page has another', async () => {
    const { region } = await show('csat-corner', { lang: 'de-AT' });
    await region.getByRole('group', { name: 'Wie zufrieden sind Sie?' }).waitFor();
    expect(await region.getAttribute('lang')).toBe('de');
  });
});

describe('focus', () => {
  it('stays in the page when a survey appears', async () => {
    const { page, region } = await openShopShowing('plain', {
      prepare: async (opened) => {
        await opened.addInitScript(() =>
          addEventListener('DOMContentLoaded', () => document.getElementById('search')?.focus()),
        );
      },
    });
    await region.waitFor();
    await expect.poll(() => focused(page)).toBe('Search');
  });

  it('moves through the survey with one tab stop for the scale, and then out of it', async () => {
    const { page, region, radio } = await show('csat-inline');
    await region.waitFor();
    await page.focus('#before');
    const stops: string[] = [];
    for (let pressed = 0; pressed < 3; pressed++) {
      await page.keyboard.press('Tab');
      stops.push(await focused(page));
    }
    expect(stops).toEqual(['1, Very dissatisfied', 'Close', 'Search']);
    await radio(3).click();
    await page.focus('#search');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('3, Neutral');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('before');
  });

  it('returns to its origin when the survey is closed from inside', async () => {
    const { page, region, radio } = await show('plain');
    await region.waitFor();
    await page.focus('#search');
    await radio(4).click();
    await page.keyboard.press('Escape');
    await region.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Search');
  });

  it('returns to its origin after an answer by mouse', async () => {
    const { page, region, radio, send } = await show('plain');
    await region.waitFor();
    await page.focus('#search');
    await radio(9).click();
    await send().click();
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => focused(page)).toBe('Search');
  });

  it('moves to the follow-up, then to the close button, for keyboard users', async () => {
    const { page, region } = await show('nps-corner');
    await region.waitFor();
    await page.focus('#search');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('t');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => focused(page)).toBe('Close');
    await page.keyboard.press('Enter');
    await region.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Search');
  });

  it.each([
    { slug: 'nps-corner', width: 320 },
    { slug: 'nps-inline', width: 320 },
    { slug: 'nps-corner', width: 1_280 },
  ])('has a whole ring, clear of the question: $slug on $width px', async ({ slug, width }) => {
    const { page, region, radio } = await show(slug, { width, height: 640 });
    // Waits for the style sheet with the focus rings.
    await page.waitForFunction(
      () => (document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > 1,
    );
    const room = (part: string, next: string) =>
      region.evaluate(
        (panel, [ringed = '', below = '']) => {
          const element = panel.querySelector(ringed);
          if (!element) throw new Error('A part is missing.');
          const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(element);
          const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
          const [box, ring] = [panel.getBoundingClientRect(), element.getBoundingClientRect()];
          const sides = [ring.left - box.left, box.right - ring.right, ring.top - box.top];
          const title = panel.querySelector(below)?.getBoundingClientRect();
          return {
            outlineStyle,
            // The box has a one-pixel border.
            least: Math.min(...sides) - 1 - reach,
            below: title ? title.top - ring.bottom - reach : undefined,
          };
        },
        [part, next],
      );
    await radio(3).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Close');
    const close = await room('.close svg', '.values');
    expect(close.outlineStyle).toBe('solid');
    expect(close.least).toBeGreaterThanOrEqual(0);
    await radio(3).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('Back 3');
    const back = await room('.back', '.more .title');
    expect(back.outlineStyle).toBe('solid');
    expect(back.least).toBeGreaterThanOrEqual(0);
    expect(back.below).toBeGreaterThanOrEqual(4);
  });

  it('is visible', async () => {
    const { page, region, radio, send } = await show('plain');
    await region.waitFor();
    await page.focus('#search');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const outline = () =>
      page.evaluate(() => {
        const focused = document.querySelector('canvass-survey')?.shadowRoot?.activeElement;
        // Only the drawing of × is visible.
        const element = focused?.querySelector(':scope > svg') ?? focused;
        const { outlineStyle, outlineWidth } = element
          ? getComputedStyle(element)
          : { outlineStyle: '', outlineWidth: '' };
        return `${outlineStyle} ${outlineWidth}`;
      });
    expect(await outline()).toBe('solid 2px');
    await page.keyboard.press('Tab');
    expect(await send().evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(await outline()).toBe('solid 2px');
    await page.keyboard.press('Tab');
    expect(await outline()).toBe('solid 2px');
    expect(await radio(0).isChecked()).toBe(true);
  });
});

describe('closing', () => {
  it('dismisses on Escape only from inside', async () => {
    const { page, region, radio, requests } = await show('plain');
    await region.waitFor();
    await page.focus('#search');
    await page.keyboard.press('Escape');
    await page.focus('body');
    expect(await region.isVisible()).toBe(true);
    expect(requests).toEqual(['POST /v1/sdk/bootstrap']);
    await radio(3).focus();
    await page.keyboard.press('Escape');
    await region.waitFor({ state: 'detached' });
    await expect.poll(() => requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/dismissals']);
  });

  it('removes the thanks after a while, unless the focus or the pointer is in them', async () => {
    const shop = await openShopShowing('plain', { prepare: (page) => page.clock.install() });
    const { page, region, radio, send } = shop;
    await radio(9).click();
    await send().click();
    await region.getByText('Thank you!').waitFor();
    await page.getByRole('button', { name: 'Close' }).focus();
    await page.mouse.move(1, 1);
    await page.clock.runFor(60_000);
    expect(await region.isVisible()).toBe(true);
    await page.focus('#search');
    await region.hover();
    await page.clock.runFor(60_000);
    expect(await region.isVisible()).toBe(true);
    await page.mouse.move(1, 1);
    await page.clock.runFor(8_000);
    await region.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Search');
  });
});
