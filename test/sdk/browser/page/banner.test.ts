import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
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

const sizeOf = async (part: Locator) => {
  const { width = 0, height = 0 } = (await part.boundingBox()) ?? {};
  return { width, height };
};
const gapAfter = (part: Locator): Promise<number> =>
  part.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });

async function expectAligned({ region, send }: Shop): Promise<void> {
  const edges = async (part: Locator) => {
    const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
    return { start: Math.round(x), end: Math.round(x + width) };
  };
  const [text, sent] = [await edges(region.locator('textarea')), await edges(send())];
  expect(sent.end).toBe(text.end);
  for (const part of await region.locator('.why, .contact, .address').all())
    if (await part.isVisible()) expect((await edges(part)).start).toBe(text.start);
}

describe.each([700, 800, 1_000, 1_280])('a banner on %i px', (width) => {
  it.each([{ type: 'nps', lang: 'en' } as const, ...TYPES.map((type) => ({ type, lang: 'de' }) as const)])(
    'is low at each step: $type in $lang',
    async ({ type, lang }) => {
      const shop = await openBanner(type, lang, width);
      const { region, radio, send, page } = shop;
      await region.waitFor();
      const asked = await sizeOf(region);
      // If the texts do not fit beside Send, they push it to a lower line.
      const most = type === 'pmf' && width <= 760 ? 190 : 160;
      expect(asked.height).toBeLessThanOrEqual(width > 1_200 ? 100 : most);
      const question = await sizeOf(region.locator('legend'));
      expect(question.height).toBeLessThanOrEqual(3 * 26);

      const chosen = radio(type === 'pmf' ? 0 : 1).locator('..');
      const before = await chosen.boundingBox();
      await chosen.click();
      await send().waitFor();
      // The second click of a double click must not hit another value.
      expect(await chosen.boundingBox()).toEqual(before);
      expect((await sizeOf(region)).height).toBe(asked.height);

      await send().click();
      await region.locator('.more').waitFor();
      expect(await region.locator('.ends span:visible').count()).toBe(0);
      if (type !== 'pmf') {
        await page.getByRole('checkbox').check();
        await region.locator('.address input').fill('ann@example.com');
      }
      const { x = -1, width: wide = 0, height } = (await region.boundingBox()) ?? {};
      expect(height).toBeLessThanOrEqual(340);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
      await expectAligned(shop);
      await send().click();
      await region.getByText(/Thank you|Vielen Dank/).waitFor();
      const thanks = await sizeOf(region);
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
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
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
    expect([below.x, below.width]).toEqual([above.x, above.width]);
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
    const box = await boxOf(region);
    expect(below.y + below.height).toBeLessThanOrEqual(box.y + box.height - 16);
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

/** Waits until the animation's code has loaded. */
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
  const value = await sizeOf(region.locator('.values label').first());
  expect(value.width).toBeGreaterThanOrEqual(44);
  expect(value.width).toBeLessThanOrEqual(80);
});

it('is no wider than its content, with Send in the middle', async () => {
  const { region, radio, send } = await openBanner('csat', 'en', 1_280);
  await region.waitFor();
  expect(await gapAfter(region.locator('legend'))).toBeLessThanOrEqual(4);
  const values = await region.locator('.values').boundingBox();
  const legend = await region.locator('legend').boundingBox();
  const hole = (values?.x ?? 0) - (legend?.x ?? 0) - (legend?.width ?? 0);
  expect(hole).toBeLessThanOrEqual(160);
  await radio(4).click();
  await send().waitFor();
  const { x = 0, width = 0 } = (await region.boundingBox()) ?? {};
  expect(x + width / 2).toBeCloseTo(640, 0);
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
    const before = await end.boundingBox();
    const asked = await region.boundingBox();
    expect((asked?.x ?? 0) + (asked?.width ?? 0) / 2).toBeCloseTo(width / 2, 0);
    await radio(9).click();
    await expect.poll(() => send().isEnabled()).toBe(true);
    expect(await end.boundingBox()).toEqual(before);
    expect(await region.boundingBox()).toEqual(asked);
    const sent = await send().boundingBox();
    expect(sent?.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
    expect((sent?.x ?? 0) + (sent?.width ?? 0)).toBeLessThan((asked?.x ?? 0) + (asked?.width ?? 0));
  },
);

it.each([700, 1_280])('has thumbs at the end of their row: on %i px', async (width) => {
  const question = 'Hat Ihnen diese Seite bei Ihrer Frage weitergeholfen?';
  const { page } = await show('thumbs-banner', { lang: 'de', width, height: 470, survey: { question } });
  const part = (name: string) => page.locator(`canvass-survey ${name}`);
  await part('.down').waitFor();
  const asked = await part('.down').boundingBox();
  await part('.down').click();
  await part('textarea').waitFor();
  const [thumb, words] = [await part('.down').boundingBox(), await part('.question').boundingBox()];
  expect(thumb?.x).toBe(asked?.x);
  expect(thumb?.y).toBeLessThan((words?.y ?? 0) + (words?.height ?? 0));
});

it.each([1_000, 1_280])('has its badge below, without being wider: on %i px', async (width) => {
  const shop = await show('nps-banner', { width, height: 470, survey: { showBadge: true } });
  const { region } = shop;
  const badge = await region.getByText('Powered by Canvass').boundingBox();
  const form = await region.locator('form').boundingBox();
  expect(badge?.x).toBe(form?.x);
  expect(badge?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0));
  expect(badge?.width).toBe(form?.width);
  const words = region.getByText('Powered by Canvass');
  // At least as much space as between the end labels and the scale.
  expect(await words.evaluate((element) => Number.parseFloat(getComputedStyle(element).paddingTop))).toBe(10);
  await expectSamePlaces(shop);
  expect(Math.abs(((await words.boundingBox())?.y ?? 0) - (badge?.y ?? 0))).toBeLessThan(1);
});
