/** The page of results on A4: at most two pages a survey, whatever there is to say, and nothing is cut off. */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PRINTED_PAGE } from '../../pages/results/printed-room.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { printedItems, printedPages, printedProblems } from '../sdk/browser/support/printed.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aFullSurvey, fillSurvey } from '../support/fixtures/a-full-survey.ts';
import { useServedService } from '../support/service/served-service.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();
const admin = createAdminCli(service);

/** @param view what the address asks for, before the key */
async function openPrinted(survey: Survey, view = ''): Promise<Page> {
  const { project } = await service.tenant({}, [survey]);
  await fillSurvey(service, project.id, survey);
  const flags = ['--kind', 'reader', '--project', project.id, '--comments'];
  const { key } = await admin.json('key', 'create', ...flags);
  service.clock.advance(31_000);
  const page: Page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.setFixedTime(service.clock.now());
  await page.goto(`${gateway.url}/results#${view}key=${key}`);
  return page;
}

it.each([
  ['8 reasons, 20 values', {}],
  ['3 reasons, 5 values', { reasons: 3, values: 5 }],
  ['neither reasons nor segments', { reasons: 0, segments: [] }],
])('%s, with long comments of people to be contacted: two pages', async (_, fullness) => {
  const survey = aFullSurvey(fullness);
  const segment = survey.segments?.[0]?.name;
  const page = await openPrinted(survey, segment === undefined ? '' : `segment=${segment}&`);
  for (const list of ['comment', 'contact'])
    await page.locator(`#${list}-list li`).nth(9).waitFor({ state: 'attached' });
  expect(await printedPages(page)).toBe(2);
  expect(await printedProblems(page)).toEqual([]);
  for (const [id, order] of [
    ['comments', 'newest'],
    ['contacts', 'lowest'],
  ]) {
    const printed = await printedItems(page.locator(`#${id}`));
    expect(printed).toBeGreaterThan(1);
    const said = await page.locator(`#${id}-printed`).textContent();
    expect(said).toMatch(
      printed === 30 ? /^$/ : new RegExp(`^\\(printed: the ${order} ${printed}( of |\\))`),
    );
  }
});

it('people begin the second page, where numbers have room on the first', async () => {
  const survey = aFullSurvey({ reasons: 3, values: 5, segments: ['plan'] });
  const page = await openPrinted(survey);
  await page.locator('#contact-list li').nth(9).waitFor({ state: 'attached' });
  expect(await printedPages(page)).toBe(2);
  await page.emulateMedia({ media: 'print' });
  const people = page.locator('#people');
  expect(await page.evaluate("getComputedStyle(document.querySelector('#people')).breakBefore")).toBe('page');
  expect((await people.boundingBox())?.height).toBeLessThanOrEqual(PRINTED_PAGE);
});
