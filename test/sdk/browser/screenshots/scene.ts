/** A customer's page that shows one survey: the service is played, and the font comes with the browser's package. */

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Survey } from '../../../../sdk/browser/wire.ts';
import type { HostPage } from '../support/host-page.ts';

export interface Scene {
  readonly survey: Partial<Survey>;
  readonly page?: Partial<HostPage>;
  readonly browser?: BrowserContextOptions;
  /** Of the page, as a customer has it. */
  readonly css?: string;
}

export const SERVICE = 'http://service.test';
const CORS = { 'access-control-allow-origin': '*' };

const surveyOf = (fields: Partial<Survey>): Survey => ({
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
export function faces(): string {
  const face = (file: string, weight: string) => {
    const font = readFileSync(join(tmpdir(), 'fonts/fonts/Open_Sans', file)).toString('base64');
    return `@font-face { font-family: Shown; font-weight: ${weight}; src: url(data:font/ttf;base64,${font}); }`;
  };
  return face('OpenSans-Regular.ttf', '100 500') + face('OpenSans-Bold.ttf', '501 900');
}

const STYLE = `
  :root { background: light-dark(#f3f4f6, #131417); }
  body { font: 16px/1.5 var(--canvass-font, system-ui, sans-serif); }
  h1 { font-size: 1.5rem; }
  #before { padding: 0.5rem 1rem; font: inherit; background: light-dark(#fff, #26282d); border: 1px solid #8886; border-radius: 8px; }
  #search { display: none; }
`;

/** @param pages address of the customers' pages */
export async function openScene(browser: Browser, pages: string, scene: Scene): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 580, height: 400 },
    reducedMotion: 'reduce',
    // For the picture's own style, which a customer's policy would keep out.
    bypassCSP: true,
    ...scene.browser,
  });
  const page = await context.newPage();
  await page.route(`${SERVICE}/**`, (route) => {
    const isBootstrap = route.request().url().endsWith('/bootstrap');
    const offer = { surveys: [surveyOf(scene.survey)], suppression: [], showTokens: { sv_1: 'token' } };
    return route.fulfill({
      status: isBootstrap ? 200 : 201,
      headers: CORS,
      json: isBootstrap ? offer : { ok: true },
    });
  });
  const host: HostPage = {
    key: 'svc_pk_shown',
    service: SERVICE,
    user: 'ann',
    place: 'shown',
    calls: [['show', 'shown']],
    ...scene.page,
  };
  await page.goto(`${pages}/?page=${encodeURIComponent(JSON.stringify(host))}`);
  if (host.place) await page.locator('canvass-survey section').waitFor();
  else await page.waitForFunction('window.canvass?.bind');
  await page.addStyleTag({ content: STYLE + (scene.css ?? '') });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  return page;
}
