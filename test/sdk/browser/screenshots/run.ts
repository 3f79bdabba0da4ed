/**
 * `npm run screenshots`: pictures of the widget and of results for the documents, into `docs/images`. The page
 * is one of a customer, the service is played, and the font is the one that comes with the browser's package, so that
 * every machine makes the same pictures. Names of pictures keep those alone. With `--matrix <folder>` it makes those of
 * matrix.ts instead.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packagedChromium from '@sparticuz/chromium';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { startInstance } from '../../../../local/instance.ts';
import { resultsPage } from '../../../../pages/results/page.ts';
import { buildSdk } from '../../../../sdk/build-browser.ts';
import { startPageServer } from '../support/page-server.ts';
import { PLAYED_AT, playedResults } from '../support/played-results.ts';
import { shootConsole } from './console-shots.ts';
import { shootDemo } from './demo-shots.ts';
import { writeMatrix } from './matrix.ts';
import { faces, openScene, SERVICE } from './scene.ts';
import { SHOTS } from './shots.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const MOST_BYTES = 60 * 1_024;
/** Of a whole page. */
const MOST_PAGE_BYTES = 140 * 1_024;

const named = process.argv.slice(2);
const [option, folder, ...words] = named;

function keep(name: string, picture: Buffer, mostBytes: number): void {
  if (named.length > 0 && !named.includes(name)) return;
  if (picture.length > mostBytes) throw new Error(`${name}.png has ${picture.length} bytes.`);
  writeFileSync(`${FOLDER}${name}.png`, picture);
  console.log(`${name}.png ${picture.length} bytes`);
}

mkdirSync(FOLDER, { recursive: true });
const pages = await startPageServer(await buildSdk());
const browser = await chromium.launch({
  executablePath: await packagedChromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
});
if (option === '--matrix' && folder) {
  await writeMatrix(browser, pages.url, folder, words);
  await browser.close();
  await pages.stop();
  process.exit();
}
const font = `${faces()} :root { --canvass-font: Shown, sans-serif; } body { font-family: Shown, sans-serif; }`;
for (const { name, act, css = '', browser: settings, ...scene } of SHOTS) {
  const page = await openScene(browser, pages.url, {
    ...scene,
    browser: { deviceScaleFactor: 2, ...settings },
    css: font + css,
  });
  await act?.(page);
  await page.mouse.move(1, 1);
  const picture = await page.screenshot({ animations: 'disabled' });
  keep(name, picture, MOST_BYTES);
  await page.context().close();
}

const data = mkdtempSync(join(tmpdir(), 'canvass-shots-'));
const instance = await startInstance({
  port: 0,
  dataFolder: data,
  inMemory: true,
  dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
  demoAnswers: true,
  log: () => undefined,
});
await shootDemo(browser, instance.url, (name, picture) => keep(name, picture, MOST_PAGE_BYTES));
await shootConsole(browser, instance, (name, picture) => keep(name, picture, MOST_PAGE_BYTES));
await instance.stop();
rmSync(data, { recursive: true, force: true });

const RESULTS: Readonly<Record<string, BrowserContextOptions>> = {
  results: { viewport: { width: 1_100, height: 820 } },
  'results-phone': { viewport: { width: 375, height: 760 }, colorScheme: 'dark' },
};
const { raw, headers } = await resultsPage();
for (const [name, settings] of Object.entries(RESULTS)) {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...settings });
  const page = await context.newPage();
  await page.clock.setFixedTime(PLAYED_AT);
  await page.route(`${SERVICE}/**`, (route) => {
    const url = new URL(route.request().url());
    return url.pathname === '/results'
      ? route.fulfill({ body: raw, headers })
      : route.fulfill({ json: playedResults(url) });
  });
  await page.goto(`${SERVICE}/results#key=svc_rk_shown`);
  await page.addStyleTag({ content: `${faces()} body { font-family: Shown, sans-serif; }` });
  await page.locator('#contact-list li').waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // To the end of the charts, that none of them is cut.
  const cut = await page.locator('.chart').last().boundingBox();
  if (name === 'results')
    await page.setViewportSize({ width: 1_100, height: Math.ceil((cut?.y ?? 0) + (cut?.height ?? 0) + 16) });
  keep(name, await page.screenshot({ animations: 'disabled' }), MOST_PAGE_BYTES);
  await context.close();
}
await browser.close();
await pages.stop();
