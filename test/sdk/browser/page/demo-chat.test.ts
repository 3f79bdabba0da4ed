import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { useDemoPages } from '../support/demo-page.ts';
import { bench } from '../support/shop.ts';
import { problemsOf } from '../support/use-chromium.ts';

const openPage = useDemoPages();
let page: Page;
beforeEach(async () => {
  ({ page } = await openPage());
});

/** Rates messages as separate people, so that the shop's tests do not see these answers. */
async function enter(person: string): Promise<void> {
  await page.goto(`${bench.service}/demo/chat?person=${person}`);
  // Writing is enabled once the conversation or the first reply has loaded.
  await chat().locator('#say button:enabled').waitFor();
}

const chat = () => page.frameLocator('iframe');

async function say(text: string): Promise<void> {
  const replies = chat().locator('article.agent');
  const before = await replies.count();
  await chat().getByRole('textbox', { name: 'Your question' }).fill(text);
  await chat().getByRole('button', { name: 'Send' }).click();
  await replies.nth(before).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
}

const thumb = (reply: number, name: string) =>
  chat().locator('article.agent').nth(reply).getByRole('button', { name, exact: true });

const stored = () =>
  page
    .locator('#stored summary')
    .allTextContents()
    .then((lines) => lines.map((line) => line.replaceAll('\u00a0', ' ').replace(/^\S+ \S+ |, “.*/g, '')));

it('has a reply to rate from the start', async () => {
  await enter('noor');
  await thumb(0, 'Helpful').click();
  await expect.poll(stored).toEqual(['answered Reply: thumb up']);
});

it('keeps a thumb after a reload, changes it and withdraws it', async () => {
  await enter('chloe');
  await say('How much water?');
  await say('Where is my order?');
  await thumb(0, 'Helpful').click();
  await expect.poll(stored).toEqual(['answered Reply: thumb up']);
  await thumb(1, 'Not helpful').click();
  await expect.poll(stored).toHaveLength(2);
  await chat().getByRole('textbox', { name: 'What was missing?' }).fill('The carrier');
  await chat().locator('canvass-survey').getByRole('button', { name: 'Send' }).click();
  await chat().getByText('Thank you!').waitFor();

  await enter('chloe');
  await expect.poll(() => thumb(0, 'Helpful').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => thumb(1, 'Not helpful').getAttribute('aria-pressed')).toBe('true');

  await thumb(0, 'Not helpful').click();
  await expect.poll(stored).toEqual(['answered Reply: thumb down', 'answered Reply: thumb down']);
  await thumb(0, 'Not helpful').click();
  await expect.poll(stored).toContain('took back Reply');

  await enter('chloe');
  await expect.poll(() => thumb(1, 'Not helpful').getAttribute('aria-pressed')).toBe('true');
  expect(await thumb(0, 'Helpful').getAttribute('aria-pressed')).toBe('false');
  expect(await thumb(0, 'Not helpful').getAttribute('aria-pressed')).toBe('false');
  await thumb(0, 'Helpful').click();
  await expect.poll(stored).toContain('answered Reply: thumb up');
});

it.each([
  [390, 844],
  [375, 720],
  [320, 640],
])('keeps Send of a comment uncovered on %i × %i, however long the comment', async (width, height) => {
  await page.setViewportSize({ width, height });
  await enter(`visitor-${randomUUID()}`);
  await say('Where is my order?');
  await thumb(1, 'Not helpful').click();
  const comment = chat().getByRole('textbox', { name: 'What was missing?' });
  await comment.waitFor();
  const composer = chat().locator('#say button');
  await expect
    .poll(() => composer.evaluate((send) => getComputedStyle(send).backgroundColor))
    .toBe(
      await chat()
        .locator('article.agent')
        .last()
        .evaluate((reply) => getComputedStyle(reply).backgroundColor),
    );
  const room = async () => {
    const send = chat().locator('canvass-survey').getByRole('button', { name: 'Send' });
    const parts = [send, chat().locator('#say'), page.locator('iframe')];
    const [own, composer, frame] = await Promise.all(parts.map((part) => part.boundingBox()));
    if (!own || !composer || !frame) return Number.NaN;
    return Math.min(composer.y, frame.y + frame.height) - own.y - own.height;
  };
  await expect.poll(room).toBeGreaterThan(0);
  await comment.pressSequentially('When it comes, to the hour. '.repeat(4));
  await expect.poll(room).toBeGreaterThan(0);
});

it("passes axe in the chat's thumbs and the surrounding panel", async () => {
  await enter('ann');
  await say('How much light?');
  expect(await problemsOf(page)).toEqual([]);
  await page.goto(`${bench.service}/demo/chat.html?person=ann`);
  await page.locator('canvass-survey .up').first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await problemsOf(page)).toEqual([]);
});

it('shows another person only their own conversation', async () => {
  await enter('ben');
  await say('How much light?');
  await page.getByRole('button', { name: 'New visitor' }).click();
  const somebody = await page.getByRole('combobox', { name: 'Visitor' }).inputValue();
  await expect.poll(() => page.frames().at(-1)?.url()).toContain(`person=${somebody}`);
  await chat().locator('#say button:enabled').waitFor();
  expect(await chat().locator('article.person').allTextContents()).toEqual(['How much water?']);
});

it('returns a conversation to its own page only, and never the secret key', async () => {
  const messages = `${bench.service}/demo/messages?respondentId=${randomUUID()}`;
  for (const method of ['GET', 'POST']) expect((await fetch(messages, { method })).status).toBe(403);
  await enter('ann');
  expect(await page.content()).not.toContain('svc_sk_');
});
