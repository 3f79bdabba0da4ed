import { describe, expect, it } from 'vitest';
import { contrast, faintParts } from '../support/contrast.ts';
import { type Shop, useStage } from '../support/shop.ts';
import { TYPES } from '../support/surveys.ts';

const show = useStage();

const expectSeen = async ({ region }: Shop) =>
  expect(
    await faintParts(region.locator('legend, label, button:enabled, a, .title, textarea, input[type=email]')),
  ).toEqual([]);

async function throughEveryStep(shop: Shop, check: (shop: Shop) => Promise<void>): Promise<void> {
  await shop.region.waitFor();
  await check(shop);
  await shop.radio(1).click();
  await check(shop);
  await shop.send().click();
  await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
  await check(shop);
  await shop.send().click();
  await shop.region.getByText('Thank you!').waitFor();
  await check(shop);
}

describe.each(['light', 'dark'] as const)('in forced colors, %s', (colorScheme) => {
  it.each(TYPES)('shows every control at every step: %s', async (type) => {
    const shop = await show(`${type}-corner`, { anonymous: true, forcedColors: 'active', colorScheme });
    await throughEveryStep(shop, async () => {
      await expectSeen(shop);
      // Controls have an edge; values in a row share the row's.
      const frames = await shop.region
        .locator('.send, .row, .pmf label:not(:has(:checked))')
        .evaluateAll((parts) =>
          parts.map((part) => {
            const { borderTopWidth, borderTopColor, borderLeftColor, outlineStyle } = getComputedStyle(part);
            const ground = getComputedStyle(part.closest('section') ?? part).backgroundColor;
            const isFramed = borderTopColor !== ground && borderTopColor === borderLeftColor;
            return { isFramed, isWide: Number.parseFloat(borderTopWidth) > 0, outlineStyle };
          }),
        );
      for (const frame of frames)
        expect(frame).toEqual({ isFramed: true, isWide: true, outlineStyle: 'none' });
    });
  });

  it.each(['nps-corner', 'thumbs-corner'])('draws one focus ring around ×: %s', async (slug) => {
    const { page } = await show(slug, { forcedColors: 'active', colorScheme });
    const close = page.locator('canvass-survey .close');
    await close.waitFor();
    await page.keyboard.press('Tab');
    await close.focus();
    const rings = () =>
      close.evaluate((button) =>
        [button, button.firstElementChild].map((part) => part && getComputedStyle(part).outlineStyle),
      );
    await expect.poll(rings).toEqual(['none', 'solid']);
  });

  it.each(TYPES)('highlights the chosen value without a second frame: %s', async (type) => {
    const shop = await show(`${type}-corner`, { forcedColors: 'active', colorScheme });
    await shop.radio(1).click();
    const look = (value: number) =>
      shop
        .radio(value)
        .locator('..')
        .evaluate((label) => {
          const system = document.createElement('i');
          system.style.color = 'Highlight';
          document.body.append(system);
          const highlight = getComputedStyle(system).color;
          system.remove();
          const { backgroundColor, outlineStyle } = getComputedStyle(label);
          return { isHighlighted: backgroundColor === highlight, outlineStyle };
        });
    await expect.poll(() => look(1)).toEqual({ isHighlighted: true, outlineStyle: 'none' });
    expect(await look(2)).toEqual({ isHighlighted: false, outlineStyle: 'none' });
  });
});

describe('text on the accent', () => {
  it.each(['#ffd400', '#34c', '#000', '#fff', '#777', '#ff4f00', '#0a0'])(
    'stays readable on Send, which shows hovering: %s',
    async (accent) => {
      const shop = await show('nps-corner', { style: `--canvass-accent: ${accent}` });
      await shop.radio(9).click();
      const ground = () => shop.send().evaluate((button) => getComputedStyle(button).backgroundColor);
      const away = await ground();
      await shop.send().hover();
      await expect.poll(ground).not.toBe(away);
      expect(await contrast(shop.send())).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('distinguishes a pressed value from a hovered one', async () => {
    const shop = await show('nps-corner');
    const value = shop.radio(6).locator('..');
    const ground = () => value.evaluate((label) => getComputedStyle(label).boxShadow);
    await value.hover();
    await expect.poll(ground).not.toBe('none');
    const pointedAt = await ground();
    await shop.page.mouse.down();
    await expect.poll(ground).not.toBe(pointedAt);
    await shop.page.mouse.up();
    await expect.poll(() => shop.radio(6).isChecked()).toBe(true);
  });

  it.each(['#ffd400', '#98ffc8', '#3344cc', '#000', '#fff', '#777', '#ff4f00', '#0a0'])(
    'is readable: %s',
    async (accent) => {
      const shop = await show('csat-corner', { style: `--canvass-accent: ${accent}` });
      await throughEveryStep(shop, () => expectSeen(shop));
    },
  );

  it('is readable while the pointer is on the chosen value', async () => {
    const shop = await show('nps-corner', { style: '--canvass-accent: #777' });
    await shop.radio(9).click();
    const value = shop.radio(9);
    // Send appeared and moved the value away from the pointer.
    await value.hover();
    expect(await value.evaluate((input) => input.matches(':hover'))).toBe(true);
    // The radio covers the value's sign.
    expect(await value.evaluate((input) => getComputedStyle(input).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    expect(await contrast(value.locator('..'))).toBeGreaterThanOrEqual(4.5);
  });

  it('gives the contact checkbox its color', async () => {
    const shop = await show('nps-corner', { style: '--canvass-accent: rgb(200, 0, 80)' });
    await shop.radio(1).click();
    await shop.send().click();
    const box = shop.page.getByRole('checkbox');
    const ground = () => box.evaluate((input) => getComputedStyle(input).backgroundColor);
    expect(await ground()).toBe('rgba(0, 0, 0, 0)');
    await box.check();
    expect(await ground()).toBe('rgb(200, 0, 80)');
    const mark = await box.evaluate((input) => getComputedStyle(input, '::before').backgroundColor);
    expect(mark).toBe(await shop.send().evaluate((button) => getComputedStyle(button).color));
  });

  it("follows the page's own color", async () => {
    const { page, radio, send } = await show('plain');
    await radio(9).click();
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--canvass-accent', '#800');
      document.documentElement.style.setProperty('--canvass-on-accent', 'rgb(255, 240, 200)');
    });
    expect(await send().evaluate((button) => getComputedStyle(button).color)).toBe('rgb(255, 240, 200)');
  });

  it.each(['#111', '#fff', '#1e3a2f', '#f6efe2', '#777'])('follows the surface: %s', async (surface) => {
    const shop = await show('nps-corner', { style: `--canvass-surface: ${surface}` });
    await throughEveryStep(shop, () => expectSeen(shop));
  });

  it.each(['#fff', '#222', '#1e3a2f', '#f6efe2', '#777', '#787878', '#36c', '#c33', '#1b4'])(
    'keeps an address error readable, in the color of the field’s edge: on %s',
    async (surface) => {
      const shop = await show('nps-corner', { anonymous: true, style: `--canvass-surface: ${surface}` });
      await shop.radio(1).click();
      await shop.send().click();
      await shop.page.getByRole('checkbox').check();
      await shop.send().click();
      const line = shop.region.locator('.address').getByText('Please complete this field');
      await line.waitFor();
      expect(await contrast(line)).toBeGreaterThanOrEqual(4.5);
      const colour = await line.evaluate((words) => getComputedStyle(words).color);
      const edge = () =>
        shop.region.locator('.address input').evaluate((field) => getComputedStyle(field).borderTopColor);
      expect(await edge()).toBe(colour);
      await shop.region.locator('.address input').fill('ann@example.com');
      expect(await edge()).not.toBe(colour);
    },
  );

  it.each(['light', 'dark'] as const)('is readable by default, %s', async (scheme) => {
    const shop = await show('nps-corner', { scheme });
    await throughEveryStep(shop, () => expectSeen(shop));
  });
});
