/** Pictures of the demo's shop and chat, as `npm start` serves them, and of the page behind a link. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startEmbeddedDynamodb } from '../../../../local/embedded-dynamodb.ts';
import { startInstance } from '../../../../local/instance.ts';
import { formPage } from '../../../../pages/link/form-page.ts';
import { faces, SERVICE } from './scene.ts';

/** All of one size, to stand beside each other. */
const SIZE = { viewport: { width: 580, height: 760 }, deviceScaleFactor: 1.5 };
const FONT = `${faces()} :root { --canvass-font: Shown, sans-serif; } :root, h1, .shop { font-family: Shown, sans-serif !important; }`;

type Keep = (name: string, picture: Buffer) => void;

async function say(page: Page, text: string): Promise<void> {
  const replies = page.locator('.agent canvass-survey');
  const before = await replies.count();
  await page.locator('#say input').fill(text);
  await page.locator('#say button').click();
  await replies.nth(before).waitFor();
}

const SHOTS: Readonly<Record<string, readonly [path: string, act: (page: Page) => Promise<unknown>]>> = {
  'nps-corner': [
    'shop.html?ask=recommend',
    (page) => page.locator('canvass-survey input[value="9"]').check(),
  ],
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

export async function shootDemo(browser: Browser, keep: Keep): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-shots-'));
  const dynamodb = await startEmbeddedDynamodb({
    dataFolder: folder,
    endpoint: process.env.DYNAMODB_ENDPOINT,
  });
  const instance = await startInstance({
    port: 0,
    dataFolder: folder,
    inMemory: true,
    dynamodbEndpoint: dynamodb.endpoint,
    log: () => undefined,
  });
  for (const [name, [path, act]] of Object.entries(SHOTS)) {
    const context = await browser.newContext({ ...SIZE, reducedMotion: 'reduce', bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${instance.url}/demo/${path}`);
    await page.addStyleTag({ content: FONT });
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    await act(page);
    await page.mouse.move(1, 1);
    keep(name, await page.screenshot({ animations: 'disabled' }));
    await context.close();
  }
  keep('link', await linkPicture(browser));
  await instance.stop();
  await dynamodb.stop();
  rmSync(folder, { recursive: true, force: true });
}
