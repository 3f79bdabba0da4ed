/**
 * `npm run screenshots`: pictures of the widget and of results for the documents, into `docs/images`. The page
 * is one of a customer, the service is played, and the font is the one that comes with the browser's package, so that
 * every machine makes the same pictures.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packagedChromium from '@sparticuz/chromium';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { resultsPage } from '../../../../pages/results/page.ts';
import type { Survey } from '../../../../sdk/browser/wire.ts';
import { buildSdk } from '../../../../sdk/build-browser.ts';
import type { HostPage } from '../support/host-page.ts';
import { startPageServer } from '../support/page-server.ts';
import { PLAYED_AT, playedResults } from '../support/played-results.ts';
import { SHOTS } from './shots.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const MOST_BYTES = 60 * 1_024;
/** Of a whole page. */
const MOST_PAGE_BYTES = 120 * 1_024;
const CORS = { 'access-control-allow-origin': '*' };

const survey = (fields: Partial<Survey>): Survey => ({
  id: 'sv_1',
  slug: 'shown',
  type: 'nps',
  question: '',
  presentation: 'corner',
  trigger: 'manual',
  scale: { min: 0, max: 10 },
  ...fields,
});

/** The browser's package unpacks its font when it unpacks the browser. */
function faces(): string {
  const face = (file: string, weight: string) => {
    const font = readFileSync(join(tmpdir(), 'fonts/fonts/Open_Sans', file)).toString('base64');
    return `@font-face { font-family: Shown; font-weight: ${weight}; src: url(data:font/ttf;base64,${font}); }`;
  };
  return face('OpenSans-Regular.ttf', '100 500') + face('OpenSans-Bold.ttf', '501 900');
}

function style(): string {
  return `
    ${faces()}
    :root { --canvass-font: Shown, sans-serif; background: light-dark(#f3f4f6, #131417); }
    body { font: 16px/1.5 Shown, sans-serif; }
    h1 { font-size: 1.5rem; }
    #before { padding: 0.5rem 1rem; font: inherit; background: light-dark(#fff, #26282d); border: 1px solid #8886; border-radius: 8px; }
    #search { display: none; }
  `;
}

function keep(name: string, picture: Buffer, mostBytes: number): void {
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
const service = 'http://service.test';
for (const { name, survey: fields, page: described, browser: settings, css = '', act } of SHOTS) {
  const context = await browser.newContext({
    viewport: { width: 580, height: 400 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    // For the picture's own style, which a customer's policy would keep out.
    bypassCSP: true,
    ...settings,
  });
  const page = await context.newPage();
  await page.route(`${service}/**`, (route) => {
    const isBootstrap = route.request().url().endsWith('/bootstrap');
    const offer = { surveys: [survey(fields)], suppression: [], showTokens: { sv_1: 'token' } };
    return route.fulfill({
      status: isBootstrap ? 200 : 201,
      headers: CORS,
      json: isBootstrap ? offer : { ok: true },
    });
  });
  const host: HostPage = {
    key: 'svc_pk_shown',
    service,
    user: 'ann',
    place: 'shown',
    calls: [['show', 'shown']],
    ...described,
  };
  await page.goto(`${pages.url}/?page=${encodeURIComponent(JSON.stringify(host))}`);
  if (host.place) await page.locator('canvass-survey section').waitFor();
  else await page.waitForFunction('window.canvass?.bind');
  await page.addStyleTag({ content: style() + css });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await act?.(page);
  await page.mouse.move(1, 1);
  const picture = await page.screenshot({ animations: 'disabled' });
  keep(name, picture, MOST_BYTES);
  await context.close();
}

const RESULTS: Readonly<Record<string, BrowserContextOptions>> = {
  results: { viewport: { width: 1_100, height: 820 } },
  'results-phone': { viewport: { width: 375, height: 760 }, colorScheme: 'dark' },
};
const { raw, headers } = await resultsPage();
for (const [name, settings] of Object.entries(RESULTS)) {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...settings });
  const page = await context.newPage();
  await page.clock.setFixedTime(PLAYED_AT);
  await page.route(`${service}/**`, (route) => {
    const url = new URL(route.request().url());
    return url.pathname === '/results'
      ? route.fulfill({ body: raw, headers })
      : route.fulfill({ json: playedResults(url) });
  });
  await page.goto(`${service}/results#key=svc_rk_shown`);
  await page.addStyleTag({ content: `${faces()} body { font-family: Shown, sans-serif; }` });
  await page.locator('#contact-list li').waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  keep(name, await page.screenshot({ animations: 'disabled' }), MOST_PAGE_BYTES);
  await context.close();
}
await browser.close();
await pages.stop();
