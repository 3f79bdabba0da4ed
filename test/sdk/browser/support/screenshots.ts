/**
 * `npm run screenshots`: eight pictures of the widget and two of results for the documents, into `docs/images`. The page
 * is one of a customer, the service is played, and the font is the one that comes with the browser's package, so that
 * every machine makes the same pictures.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packagedChromium from '@sparticuz/chromium';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { resultsPage } from '../../../../pages/results/page.ts';
import type { Survey } from '../../../../sdk/browser/wire.ts';
import { buildSdk } from '../../../../sdk/build-browser.ts';
import type { HostPage } from './host-page.ts';
import { startPageServer } from './page-server.ts';
import { PLAYED_AT, playedResults } from './played-results.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const MOST_BYTES = 60 * 1_024;
/** Of a whole page. */
const MOST_PAGE_BYTES = 120 * 1_024;
const CORS = { 'access-control-allow-origin': '*' };

interface Shot {
  readonly name: string;
  readonly survey: Partial<Survey>;
  readonly page?: Partial<HostPage>;
  readonly browser?: BrowserContextOptions;
  /** What the person does before the picture. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const radio = (page: Page, value: number) =>
  page.locator(`canvass-survey input[type=radio][value="${value}"]`).check();
const send = (page: Page) => page.locator('canvass-survey .send').click();

const PHONE = { viewport: { width: 375, height: 560 } };
const NPS = { question: 'How likely are you to recommend us to a friend or colleague?' };

const SHOTS: readonly Shot[] = [
  { name: 'nps-corner', survey: NPS, act: (page) => radio(page, 9) },
  {
    name: 'nps-phone',
    survey: NPS,
    browser: PHONE,
    page: { scheme: 'dark' },
    act: (page) => radio(page, 8),
  },
  {
    name: 'csat-inline',
    survey: {
      type: 'csat',
      scale: { min: 1, max: 5 },
      presentation: 'inline',
      question: 'How satisfied are you with your order?',
    },
    act: (page) => radio(page, 4),
  },
  {
    name: 'ces-banner',
    survey: {
      type: 'ces',
      scale: { min: 1, max: 7 },
      presentation: 'banner',
      question: 'It was easy to return my order.',
      showBadge: true,
    },
  },
  {
    name: 'pmf-corner-dark',
    survey: {
      type: 'pmf',
      scale: { min: 0, max: 2 },
      question: 'How would you feel if you could no longer use this shop?',
    },
    page: { scheme: 'dark' },
    act: (page) => radio(page, 2),
  },
  {
    name: 'follow-up',
    survey: { ...NPS, followUpQuestion: 'What is the main reason for your score?' },
    page: { user: '' },
    async act(page) {
      await radio(page, 4);
      await send(page);
      await page.locator('canvass-survey textarea').fill('The parcel came late.');
      await page.getByRole('checkbox').check();
      await page.locator('canvass-survey input[type=email]').fill('ann@example.com');
    },
  },
  {
    name: 'thanks',
    survey: {
      ...NPS,
      thanks: {
        text: 'Thank you! Would you tell others, too?',
        link: { label: 'Write a review', url: 'https://example.com' },
      },
    },
    async act(page) {
      await radio(page, 10);
      await send(page);
    },
  },
  {
    name: 'nps-arabic',
    survey: { question: 'ما مدى احتمال أن توصي بنا لصديق أو زميل؟' },
    page: { lang: 'ar', direction: 'rtl' },
    act: (page) => radio(page, 7),
  },
];

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
for (const { name, survey: fields, page: described, browser: settings, act } of SHOTS) {
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
  await page.locator('canvass-survey section').waitFor();
  await page.addStyleTag({ content: style() });
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
