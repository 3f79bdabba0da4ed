import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { boxOf } from '../support/box.ts';
import { useDemoPages } from '../support/demo-page.ts';
import { bench } from '../support/shop.ts';
import { smallFields } from '../support/use-chromium.ts';

const openPage = useDemoPages();
let page: Page;
beforeEach(async () => {
  ({ page } = await openPage());
  await page.goto(bench.service);
});

const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
const ask = async (survey: string) => {
  await choice('Survey').selectOption(survey);
  await page.getByRole('button', { name: 'New visitor' }).click();
};
const shop = () => page.frameLocator('iframe');
const region = () => shop().getByRole('region', { name: 'Feedback' });

async function roomBelow(inner: Locator, outer: Locator): Promise<number> {
  return (await boxOf(outer)).bottom - (await boxOf(inner)).bottom;
}

it.each([
  [1_280, 800],
  [1_024, 768],
  [900, 700],
  [768, 1_024],
  [375, 720],
  [320, 640],
])('shows the whole page beside the panel on %i × %i, uncovered by surveys', async (width, height) => {
  await page.setViewportSize({ width, height });
  for (const survey of ['recommend', 'returns']) {
    await ask(survey);
    await region().waitFor();
    const [frame, box] = [await boxOf(page.locator('iframe')), await boxOf(region())];
    expect(box.top).toBeGreaterThanOrEqual(frame.top);
    expect(box.bottom).toBeLessThanOrEqual(frame.bottom);
    expect(frame.bottom).toBeLessThanOrEqual(height);
    for (const part of ['header', 'section', 'aside']) {
      const panel = await boxOf(page.locator(part).first());
      const isBeside = panel.right <= frame.left || panel.left >= frame.right;
      expect(isBeside || panel.bottom <= frame.top || panel.top >= frame.bottom, part).toBe(true);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }
});

it.each(['/', '/demo/chat'])('puts the settings of %s behind a button if there is no room', async (path) => {
  await page.goto(`${bench.service}${path}`);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await choice('Language').isVisible()).toBe(false);
  const opener = page.getByRole('button', { name: 'Settings' });
  await opener.click();
  await choice('Language').waitFor();
  const [button, settings] = [await boxOf(opener), await boxOf(page.locator('#settings'))];
  expect(settings.top - button.bottom).toBeGreaterThanOrEqual(8);
  // Every preview is phone-sized here.
  expect(await choice('Device').isVisible()).toBe(false);
  for (const name of ['Visitor', 'Plan', 'Language', 'Appearance']) {
    const { left, right } = await boxOf(choice(name));
    expect(left, name).toBeGreaterThanOrEqual(0);
    expect(right, name).toBeLessThanOrEqual(320);
  }
  await choice('Language').selectOption('ar');
  await shop().locator('html[lang="ar"]').waitFor();
  await shop()
    .getByText(/^(وصل الطلب 1042|Plant care)$/)
    .waitFor();
});

it('shows its purpose and stored answers without scrolling on the smallest phone', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await ask('recommend');
  await shop().getByRole('radio', { name: '9' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('textbox').fill('It came a day early.');
  await region().getByRole('button', { name: 'Send' }).click();
  const line = page.locator('#stored summary');
  await line.getByText('It came a day early.').waitFor();
  expect((await boxOf(line)).bottom).toBeLessThanOrEqual(640);
  expect(await page.getByText('asks people how it is going').isVisible()).toBe(true);
  expect(await page.evaluate('scrollY')).toBe(0);
});

it.each([
  [375, 720],
  [320, 640],
])('shows a whole follow-up, including Send, on %i × %i', async (width, height) => {
  await page.setViewportSize({ width, height });
  await ask('recommend');
  await shop().getByRole('radio', { name: '4' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('textbox').waitFor();
  const [send, frame] = [region().getByRole('button', { name: 'Send' }), page.locator('iframe')];
  await expect.poll(() => roomBelow(send, region())).toBeGreaterThanOrEqual(0);
  await expect.poll(() => roomBelow(region(), frame)).toBeGreaterThanOrEqual(0);
  await send.click();
  await page.locator('#stored').getByText('answered Recommend: 4 of 10').waitFor();
  await page.getByText('asks people how it is going').waitFor();
});

it.each([
  [375, 667, 'recommend'],
  [375, 667, 'miss-us'],
  [360, 640, 'miss-us'],
  [320, 568, 'miss-us'],
] as const)(
  'shows a whole survey, including Send, on %i × %i, even after an answer was stored: %s',
  async (width, height, survey) => {
    await page.setViewportSize({ width, height });
    await page.goto(`${bench.service}/demo/chat?person=visitor-${width}-${survey}`);
    await shop().getByRole('button', { name: 'Helpful', exact: true }).click();
    const stored = page.locator('#stored').getByText('answered Reply: thumb up');
    await stored.waitFor();
    await page.getByRole('link', { name: 'Shop' }).click();
    await stored.waitFor();
    await choice('Survey').selectOption(survey);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const send = region().getByRole('button', { name: 'Send' });
    await send.waitFor();
    await expect.poll(() => roomBelow(send, page.locator('iframe'))).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  },
);

/** Whether the selected option fits with its arrow. */
const WORDS_FIT = `(select) => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const words = Object.assign(document.createElement('span'), { textContent: select.selectedOptions[0].text });
  Object.assign(words.style, { font, position: 'absolute', whiteSpace: 'pre' });
  document.body.append(words);
  const { width } = words.getBoundingClientRect();
  words.remove();
  return width <= select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}`;

it.each([320, 360, 375])('has large enough targets and uncut text on a phone %i wide', async (width) => {
  await page.setViewportSize({ width, height: 667 });
  await page.goto(`${bench.service}/?survey=checkout&person=visitor-${width}`);
  await choice('Survey').locator('option', { hasText: 'Recommend' }).waitFor({ state: 'attached' });
  for (const slug of ['recommend', 'checkout', 'helpful']) {
    await choice('Survey').selectOption(slug);
    expect(
      await choice('Survey').evaluate(`(${WORDS_FIT})(document.querySelector('[name="survey"]'))`),
      slug,
    ).toBe(true);
  }
  expect(await smallFields(page)).toEqual([]);
  for (const name of ['Ask', 'New visitor', 'Settings', 'Shop', 'Chat', 'Surveys and results']) {
    const part = page.locator('a, button').getByText(name, { exact: true });
    const { right, bottom, height } = await boxOf(part);
    expect(height, name).toBeGreaterThanOrEqual(44);
    expect(right, name).toBeLessThanOrEqual(width);
    expect(bottom, name).toBeLessThanOrEqual(667);
  }
  expect((await boxOf(page.getByText('Answer it'))).height).toBeLessThan(30);
});

it("gives stored answers the survey's room on a phone", async () => {
  await page.setViewportSize({ width: 375, height: 667 });
  await ask('returns');
  const panel = page.getByRole('complementary');
  await region().waitFor();
  const { height: before } = await boxOf(panel);
  expect(before).toBeLessThanOrEqual(112);
  await shop().getByRole('radio', { name: '7' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await page.locator('#stored').getByText('answered Returns: 7 of 7').waitFor();
  await page.locator('#events').getByText('Response Recorded · Returns: 7 of 7').waitFor();
  await expect.poll(async () => (await boxOf(panel)).height).toBeGreaterThan(before);
});

it('fills a desktop window, except for a margin', async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  const { width } = await boxOf(page.locator('iframe'));
  await expect.poll(async () => (await boxOf(shop().locator('article'))).width).toBeGreaterThan(width * 0.9);
});

it('lists events once there are some', async () => {
  await page.goto(`${bench.service}/?survey=checkout&person=visitor-without-events`);
  await page.getByText('Nothing from Visitor without events yet.').and(page.locator('#stored p')).waitFor();
  expect(await page.getByRole('heading', { name: 'Events sent' }).isVisible()).toBe(false);
  await ask('checkout');
  await page.getByRole('heading', { name: 'Events sent' }).waitFor();
});

it.each(['checkout', 'miss-us', 'returns'])(
  'shows a whole survey by %s on the smallest phone, with the heading of stored answers below',
  async (survey) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await ask(survey);
    const frame = page.locator('iframe');
    const send = region().getByRole('button', { name: 'Send' });
    await expect.poll(() => roomBelow(send, frame)).toBeGreaterThanOrEqual(0);
    await expect.poll(() => roomBelow(send, region())).toBeGreaterThanOrEqual(0);
    expect((await page.getByRole('complementary').boundingBox())?.height).toBe(36);
  },
);

it.each(['New visitor', 'Chat', 'Ask'])('%s shows hovering', async (name) => {
  const part = page.locator('a, button').getByText(name, { exact: true });
  const shade = () => part.evaluate((shown) => getComputedStyle(shown).boxShadow);
  expect(await shade()).toBe('none');
  await part.hover();
  await expect.poll(shade).not.toBe('none');
});

async function heard(): Promise<void> {
  const last = page.evaluate(
    "new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && resolve()))",
  );
  await page.mainFrame().childFrames()[0]?.evaluate("parent.postMessage('last', location.origin)");
  await last;
}

it.each([
  [375, 667, 'recommend'],
  [375, 667, 'checkout'],
  [320, 568, 'checkout'],
])(
  'keeps the survey in place while a person chooses, and adds room for a follow-up, on %i × %i: %s',
  async (width, height, survey) => {
    await page.setViewportSize({ width, height });
    await ask(survey);
    await region().waitFor();
    const frame = page.locator('iframe');
    const before = await boxOf(frame);
    await region().locator('label').nth(1).click();
    await heard();
    expect(await boxOf(frame)).toEqual(before);
    await region().getByRole('button', { name: 'Send' }).click();
    await expect.poll(async () => (await boxOf(frame)).height).toBeGreaterThan(before.height);
  },
);
