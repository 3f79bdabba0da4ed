import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
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

/** @param view of the address, before the key */
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
])('prints %s with long comments on a few pages without cutting anything off', async (_, fullness) => {
  const survey = aFullSurvey(fullness);
  const segment = survey.segments?.[0]?.name;
  const page = await openPrinted(survey, segment === undefined ? '' : `segment=${segment}&`);
  for (const list of ['comment', 'contact'])
    await page.locator(`#${list}-list li`).nth(9).waitFor({ state: 'attached' });
  expect(await printedPages(page)).toBeLessThanOrEqual(4);
  expect(await printedProblems(page)).toEqual([]);
  for (const [id, order] of [
    ['comments', 'newest'],
    ['contacts', 'lowest'],
  ]) {
    expect(await printedItems(page.locator(`#${id}`))).toBe(10);
    const said = await page.locator(`#${id}-printed`).textContent();
    expect(said).toMatch(new RegExp(`^\\(printed: the ${order} 10( of |\\))`));
  }
});
