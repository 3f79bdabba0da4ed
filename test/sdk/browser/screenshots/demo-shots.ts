/** Pictures of the demo's shop and chat, as `npm start` serves them, and of the page behind a link. */

import type { Browser, Page } from 'playwright-core';
import { formPage } from '../../../../pages/link/form-page.ts';
import { faces, SERVICE } from './scene.ts';

/** All of one size, to stand beside each other. */
const SIZE = { viewport: { width: 580, height: 760 }, deviceScaleFactor: 1.5 };
const FONT = `${faces()} :root { --canvass-font: Shown, sans-serif; } :root { font-family: Shown, sans-serif; }`;

type Keep = (name: string, picture: Buffer) => void;

async function say(page: Page, text: string): Promise<void> {
  const replies = page.locator('.agent canvass-survey');
  const before = await replies.count();
  await page.locator('#say input').fill(text);
  await page.locator('#say button').click();
  await replies.nth(before).waitFor();
}

const rate = (value: number) => (page: Page) =>
  page.locator(`canvass-survey input[value="${value}"]`).check();

type Shot = readonly [path: string, act: (page: Page) => Promise<unknown>, height?: number];

const SHOTS: Readonly<Record<string, Shot>> = {
  'nps-corner': ['shop.html?ask=recommend', rate(9)],
  'nps-arabic': ['shop.html?ask=recommend&language=ar', rate(7), 440],
  'thumbs-chat': [
    'chat.html',
    async (page) => {
      await say(page, 'Where is my order?');
      await page.locator('canvass-survey .up').click();
      await say(page, 'How often does a fern need water?');
      await page.locator('canvass-survey .down').last().click();
      await page.locator('canvass-survey textarea').fill('How much water?');
    },
  ],
};

async function linkPicture(browser: Browser): Promise<Buffer> {
  const content = {
    slug: 'recommend',
    type: 'nps',
    question: 'How likely are you to recommend us to a colleague?',
    followUpQuestion: 'What is the main reason for your score?',
    presentation: 'corner',
    trigger: 'manual',
  } as const;
  const asker = { name: 'Fern & Clay', accent: '#2f6b4a' };
  const survey = { id: 'sv_1', status: 'active', limits: {}, content } as const;
  const { raw, headers } = formPage(survey, asker, ['en'], '4');
  const context = await browser.newContext({ ...SIZE, bypassCSP: true });
  const page = await context.newPage();
  await page.route(SERVICE, (route) => route.fulfill({ body: raw, headers }));
  await page.goto(SERVICE);
  await page.addStyleTag({ content: `${faces()} body { font-family: Shown, sans-serif; }` });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

/** @param url of the local run */
export async function shootDemo(browser: Browser, url: string, keep: Keep): Promise<void> {
  for (const [name, [path, act, height = SIZE.viewport.height]] of Object.entries(SHOTS)) {
    const context = await browser.newContext({ ...SIZE, reducedMotion: 'reduce', bypassCSP: true });
    const page = await context.newPage();
    await page.setViewportSize({ ...SIZE.viewport, height });
    await page.goto(`${url}/demo/${path}`);
    await page.addStyleTag({ content: FONT });
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    await act(page);
    await page.mouse.move(1, 1);
    keep(name, await page.screenshot({ animations: 'disabled' }));
    await context.close();
  }
  keep('link', await linkPicture(browser));
}
