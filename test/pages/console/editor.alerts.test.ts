/** What goes wrong is seen, wherever in the form somebody was when they pressed Publish. */

import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

const PUBLISH = { name: 'Publish changes', exact: true } as const;

/** Something is typed, and the page is scrolled to its end. */
async function openBelow(options: BrowserContextOptions, hash = '#/survey/nps/edit') {
  const { project } = await service.tenant({}, [aSurvey({ status: 'active' }, { slug: 'nps' })]);
  const at = { service, url: gateway.url, projectId: project.id };
  const opened = await openEditor(browser, at, hash, options);
  await questionOf(opened.page).fill('Typed?');
  await scrollDown(opened.page);
  return opened;
}

async function scrollDown(page: Page): Promise<void> {
  await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
  await expect.poll(() => page.evaluate('scrollY > 500')).toBe(true);
}

/** Lets the service answer questions about surveys that are put as it would where something is wrong. */
const answer = (page: Page, status: number, error: object) =>
  page.route('**/v1/surveys/definitions', (route: Route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status, json: { error } }) : route.continue(),
  );

/**
 * What has the focus and is seen: in the window, neither under what stays at the top nor under what stays below.
 * @returns its text, of a field its id
 */
const seenWithFocus = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const node = document.activeElement;
    const { left, top, bottom } = node.getBoundingClientRect();
    const isSeen = [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint(left + 10, y)));
    return isSeen ? node.textContent || node.id : '';
  })()`);

it.each([
  ['1,280 px', { width: 1_280, height: 720 }],
  ['390 px', { width: 390, height: 800 }],
])('%s: what the service refuses comes into view and has the focus, each time', async (_, viewport) => {
  const { page } = await openBelow({ viewport });
  await answer(page, 503, { code: 'unavailable', message: 'Busy.' });
  for (let times = 0; times < 2; times++) {
    await scrollDown(page);
    await page.getByRole('button', PUBLISH).click();
    await expect.poll(() => seenWithFocus(page)).toContain('Your changes are kept in this tab.');
  }
  await page.unroute('**/v1/surveys/definitions');
  const issues = [{ path: 'surveys[0].question', message: 'is not allowed' }];
  await answer(page, 400, { code: 'invalid_request', message: 'No.', issues });
  await scrollDown(page);
  await page.getByRole('button', PUBLISH).click();
  await expect.poll(() => seenWithFocus(page)).toContain('Is not allowed');
});

it('a name that somebody else took meanwhile is gone to', async () => {
  const { page, change, stored } = await openBelow({}, '#/new');
  const [nps] = (await stored()).surveys;
  if (nps === undefined) throw new Error('no survey');
  await change({ ...nps, slug: 'nps-2' });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect.poll(() => seenWithFocus(page)).toBe('field-slug');
  await page.getByText('Another survey has this name.').first().waitFor();
});

it('while the service is asked what it would do, the button that was pressed says so', async () => {
  const { page } = await openBelow({});
  let goOn = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    goOn = () => void resolve();
  });
  await page.route('**/v1/surveys/definitions', async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.getByRole('button', PUBLISH).click();
  const checking = page.getByRole('button', { name: 'Checking', exact: true });
  await checking.waitFor();
  expect(await checking.getAttribute('aria-busy')).toBe('true');
  await page.locator('.form[aria-busy=true]').waitFor({ state: 'attached' });
  goOn();
  await page.getByRole('dialog').getByRole('button', PUBLISH).waitFor();
  expect(await page.locator('.form').getAttribute('aria-busy')).toBe('false');
  expect(await page.locator('.bar').getByText('Publish changes').getAttribute('aria-busy')).toBe('false');
});
