import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { boxOf, middleOf } from '../support/box.ts';
import { type Shop, useStage } from '../support/shop.ts';
import { TYPES } from '../support/surveys.ts';

const show = useStage();

const LONG = 'Wie wahrscheinlich ist es, dass Sie uns Freunden oder Kollegen weiterempfehlen?';

const openBanner = (type: string, lang: 'en' | 'de', width: number): Promise<Shop> =>
  show(`${type}-banner`, {
    anonymous: true,
    lang,
    width,
    height: 470,
    ...(lang === 'de' && { survey: { locales: { de: { question: LONG, followUpQuestion: 'Warum?' } } } }),
  });

const gapAfter = (part: Locator): Promise<number> =>
  part.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });

async function expectAligned({ region, send }: Shop): Promise<void> {
  const [text, sent] = [await boxOf(region.locator('textarea')), await boxOf(send())];
  expect(Math.round(sent.right)).toBe(Math.round(text.right));
  for (const part of await region.locator('.why, .contact, .address').all())
    if (await part.isVisible()) expect(Math.round((await boxOf(part)).left)).toBe(Math.round(text.left));
}

describe.each([700, 800, 1_000, 1_280])('a banner on %i px', (width) => {
  it.each([{ type: 'nps', lang: 'en' } as const, ...TYPES.map((type) => ({ type, lang: 'de' }) as const)])(
    'is low at each step: $type in $lang',
    async ({ type, lang }) => {
      const shop = await openBanner(type, lang, width);
      const { region, radio, send, page } = shop;
      await region.waitFor();
      const asked = await boxOf(region);
      // If the texts do not fit beside Send, they push it to a lower line.
      const most = type === 'pmf' && width <= 760 ? 190 : 160;
      expect(asked.height).toBeLessThanOrEqual(width > 1_200 ? 100 : most);
      expect((await boxOf(region.locator('legend'))).height).toBeLessThanOrEqual(3 * 26);

      const chosen = radio(type === 'pmf' ? 0 : 1).locator('..');
      const before = await chosen.boundingBox();
      await chosen.click();
      await send().waitFor();
      // The second click of a double click must not hit another value.
      expect(await chosen.boundingBox()).toEqual(before);
      expect((await boxOf(region)).height).toBe(asked.height);

      await send().click();
      await region.locator('.more').waitFor();
      expect(await region.locator('.ends span:visible').count()).toBe(0);
      if (type !== 'pmf') {
        await page.getByRole('checkbox').check();
        await region.locator('.address input').fill('ann@example.com');
      }
      const { left, right, height } = await boxOf(region);
      expect(height).toBeLessThanOrEqual(340);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      await expectAligned(shop);
      await send().click();
      await region.getByText(/Thank you|Vielen Dank/).waitFor();
      const thanks = await boxOf(region);
      expect(thanks.width).toBeLessThanOrEqual(320);
      expect(thanks.height).toBeLessThanOrEqual(70);
    },
  );
});

it.each([641, 700, 1_280])(
  'shows an address error below the field and does not move Send: on %i px',
  async (width) => {
    const shop = await openBanner('nps', 'de', width);
    const { region, radio, send } = shop;
    await radio(1).click();
    await send().click();
    await region.getByRole('checkbox').check();
    const field = region.locator('.address input');
    await field.waitFor();
    const [before, wide] = [await boxOf(send()), (await boxOf(field)).width];
    await send().click();
    const line = region.locator('.address').getByText('Bitte vollständig ausfüllen');
    await line.waitFor();
    expect(await boxOf(send())).toEqual(before);
    const [above, below] = [await boxOf(field), await boxOf(line)];
    expect(above.width).toBe(wide);
    expect([below.left, below.width]).toEqual([above.left, above.width]);
    expect(below.top).toBeGreaterThanOrEqual(above.bottom);
    expect(below.bottom).toBeLessThanOrEqual((await boxOf(region)).bottom - 16);
    await expectAligned(shop);
  },
);

it.each([641, 720, 760, 800])('has each answer in words on one line: on %i px', async (width) => {
  const { region } = await openBanner('pmf', 'en', width);
  await region.waitFor();
  const heights = await region
    .locator('.values span')
    .evaluateAll((words) => words.map((each) => Math.round(each.getBoundingClientRect().height)));
  expect(heights).toHaveLength(3);
  expect(Math.max(...heights)).toBeLessThan(2 * 20);
});

const placesOf = ({ region }: Shop) =>
  region.evaluate(async (panel) => {
    await Promise.all(panel.getAnimations({ subtree: true }).map(({ finished }) => finished));
    const [box, sent] = [panel, panel.querySelector('form > .send')].map((part) =>
      part?.getBoundingClientRect(),
    );
    return { width: box?.width, x: sent?.x, y: sent?.y };
  });

async function expectSamePlaces(shop: Shop): Promise<void> {
  await shop.radio(1).click();
  const asked = await placesOf(shop);
  expect(asked.width).toBeGreaterThanOrEqual(34 * 16);
  await shop.send().click();
  await shop.region.locator('.more').waitFor();
  const next = await placesOf(shop);
  for (const place of ['width', 'x', 'y'] as const)
    expect(Math.abs((next[place] ?? 0) - (asked[place] ?? 0)), place).toBeLessThan(1);
}

describe.each([900, 1_280])("a banner's next step on %i px", (width) => {
  it.each(TYPES)("keeps width and Send's position: %s", async (type) => {
    await expectSamePlaces(await openBanner(type, 'en', width));
  });
});

it("keeps width and Send's position in the next step on a zoomed page", async () => {
  const shop = await openBanner('nps', 'en', 1_280);
  await shop.page.evaluate(() => document.documentElement.style.setProperty('zoom', '1.25'));
  await expectSamePlaces(shop);
});

it.each(['csat', 'ces'])('has values no wider than two fingers: %s', async (type) => {
  const { region } = await openBanner(type, 'en', 900);
  const value = await boxOf(region.locator('.values label').first());
  expect(value.width).toBeGreaterThanOrEqual(44);
  expect(value.width).toBeLessThanOrEqual(80);
});

it('is no wider than its content, with Send in the middle', async () => {
  const { region, radio, send } = await openBanner('csat', 'en', 1_280);
  await region.waitFor();
  expect(await gapAfter(region.locator('legend'))).toBeLessThanOrEqual(4);
  const hole = (await boxOf(region.locator('.values'))).left - (await boxOf(region.locator('legend'))).right;
  expect(hole).toBeLessThanOrEqual(160);
  await radio(4).click();
  await send().waitFor();
  expect(middleOf(await boxOf(region)).x).toBeCloseTo(640, 0);
});

it.each([
  { width: 1_000, lang: 'en' } as const,
  { width: 1_280, lang: 'en' } as const,
  { width: 1_440, lang: 'de' } as const,
])('has its question on one line, uncrowded: $lang on $width px', async ({ width, lang }) => {
  const { region } = await openBanner('nps', lang, width);
  const legend = region.locator('legend');
  const lines = await legend.evaluate((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
  // Measures immediately, because the box may still be moving.
  const [sent, close, scale, ends] = await region.evaluate((panel) =>
    ['.send', '.close svg', '.values', 'form .ends'].map((part) =>
      panel.querySelector(part)?.getBoundingClientRect().toJSON(),
    ),
  );
  expect(ends.top).toBeGreaterThanOrEqual(scale.bottom);
  expect(ends.left).toBe(scale.left);
  if (close.bottom > sent.top) expect(close.left - sent.right).toBeGreaterThanOrEqual(16);
  // A position between two pixels would blur text.
  if (width > 1_200) expect((await region.boundingBox())?.height).toBe(88);
});

it.each([1_000, 1_280])(
  'has Send beside the words of the upper end, and keeps its width: on %i px',
  async (width) => {
    const { region, radio, send } = await openBanner('nps', 'en', width);
    const end = region.getByText('Extremely likely');
    const [before, asked] = [await boxOf(end), await boxOf(region)];
    expect(middleOf(asked).x).toBeCloseTo(width / 2, 0);
    await radio(9).click();
    await expect.poll(() => send().isEnabled()).toBe(true);
    expect([await boxOf(end), await boxOf(region)]).toEqual([before, asked]);
    const sent = await boxOf(send());
    expect(sent.left).toBeGreaterThanOrEqual(before.right);
    expect(sent.right).toBeLessThan(asked.right);
  },
);

it.each([700, 1_280])('has thumbs at the end of their row: on %i px', async (width) => {
  const question = 'Hat Ihnen diese Seite bei Ihrer Frage weitergeholfen?';
  const { page } = await show('thumbs-banner', { lang: 'de', width, height: 470, survey: { question } });
  const part = (name: string) => page.locator(`canvass-survey ${name}`);
  await part('.down').waitFor();
  const asked = await boxOf(part('.down'));
  await part('.down').click();
  await part('textarea').waitFor();
  const thumb = await boxOf(part('.down'));
  expect(thumb.left).toBe(asked.left);
  expect(thumb.top).toBeLessThan((await boxOf(part('.question'))).bottom);
});

it.each([1_000, 1_280])('has its badge below, without being wider: on %i px', async (width) => {
  const shop = await show('nps-banner', { width, height: 470, survey: { showBadge: true } });
  const { region } = shop;
  const words = region.getByText('Powered by Canvass');
  const [badge, form] = [await boxOf(words), await boxOf(region.locator('form'))];
  expect([badge.left, badge.width]).toEqual([form.left, form.width]);
  expect(badge.top).toBeGreaterThanOrEqual(form.bottom);
  // At least as much space as between the end labels and the scale.
  expect(await words.evaluate((element) => Number.parseFloat(getComputedStyle(element).paddingTop))).toBe(10);
  await expectSamePlaces(shop);
  expect(Math.abs((await boxOf(words)).top - badge.top)).toBeLessThan(1);
});
