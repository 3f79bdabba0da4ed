import type { Page } from 'playwright-core';
import type { Survey } from '../../../../sdk/browser/client/survey.ts';
import type { HostPage } from '../support/host-page.ts';

export interface Scene {
  readonly survey: Partial<Survey>;
  readonly page?: Partial<HostPage>;
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

const STYLE = `
  :root { background: light-dark(#f3f4f6, #131417); }
  body { font: 16px/1.5 var(--canvass-font, system-ui, sans-serif); }
  h1 { font-size: 1.5rem; }
  #before { padding: 0.5rem 1rem; font: inherit; background: light-dark(#fff, #26282d); border: 1px solid #8886; border-radius: 8px; }
  #search { display: none; }
`;

/** @param page whose context bypasses content security policies, for the scene's styles */
export async function openScene(page: Page, pages: string, scene: Scene): Promise<Page> {
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
