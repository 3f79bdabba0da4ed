import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../shared/domain/duration.ts';
import { printedItems, printedPages, printedProblems } from '../../sdk/browser/support/printed.ts';
import { APPEARANCES, problemsOf, useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { type AdminCli, createAdminCli } from '../../support/admin-cli.ts';
import { aFullSurvey, fillSurvey } from '../../support/fixtures/a-full-survey.ts';
import { aResponseRow, deliver, type Image } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { seedResults } from '../../support/fixtures/seed-results.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOSTILE = [
  '<script>document.title = "taken"</script><img src="http://evil.example/pixel">',
  '"><style>@import "http://evil.example/"</style>',
  '\u202eeverything reversed',
  'x'.repeat(5_000),
];
const VALUES = Array.from({ length: 20 }, (_, index) => ({ text: `value <b>number</b> ${index}` }));

let service: TestService;
let admin: AdminCli;
let tenant: Tenant;
const browser = useChromium();

const slugAt = (index: number): string => tenant.surveys[index]?.content.slug ?? '';

/** An NPS survey that is busy and has hostile comments, one of each other type, and one without answers. */
beforeAll(async () => {
  service = await createTestService();
  admin = createAdminCli(service);
  tenant = await service.tenant({ displayName: 'Shop <i>', accent: '#00aa77' }, [
    aSurvey({ segments: [{ name: 'plan', values: VALUES }] }, { question: '<i>How</i> likely & why?' }),
    aSurvey({}, { type: 'csat' }),
    aSurvey({}, { type: 'ces' }),
    aSurvey({}, { type: 'pmf' }),
    aSurvey({}, { type: 'thumbs' }),
    aSurvey(),
  ]);
  const projectId = tenant.project.id;
  const surveyIds = tenant.surveys.map(({ id }) => id);
  const dayBack = (days: number) => service.clock.now() - days * DAY;
  const answer = (index: number): Image => ({
    surveyId: surveyIds[index % 5],
    at: new Date(dayBack(index % 80)).toISOString(),
    rating: (index % 5 === 4 ? 0 : 1) + (index % 2),
    traits: JSON.stringify({ plan: VALUES[index % 25]?.text ?? 'team' }),
    identityKind: index % 3 === 0 ? 'identified' : 'anon-device',
  });
  await deliver(
    service,
    Array.from({ length: 160 }, (_, index) => aResponseRow({ projectId, ...answer(index) })),
  );
  await seedAnswers(service.table, {
    projectId,
    surveyIds: surveyIds.slice(0, 1),
    count: 120,
    momentOf: (index) => dayBack(index % 80) + index,
    responseOf: (index) => ({ text: HOSTILE[index] ?? `${index} ${'words '.repeat(200)}` }),
  });
});

async function reportOf(projectId: string, ...args: string[]) {
  const file = join(temporaryFolder(), 'report.html');
  const made = await admin.json('results', 'report', ...args, '--project', projectId, '-o', file);
  return { file, made, bytes: readFileSync(file).length };
}
const report = (...args: string[]) => reportOf(tenant.project.id, ...args, '--contacts');

async function openReport(file: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage(options);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, requests };
}

it('is one file of at most 150 KB that requests nothing, whatever people wrote', async () => {
  const { file, made, bytes } = await report(slugAt(0));
  expect(made).toEqual({ file, bytes, surveys: [slugAt(0)] });
  expect(bytes).toBeLessThanOrEqual(150_000);
  expect(readFileSync(file, 'utf8')).not.toContain('person-');
  const { page, requests } = await openReport(file);
  expect(requests).toEqual([pathToFileURL(file).href]);
  expect(await page.title()).toBe(`Shop <i>: ${slugAt(0)}`);
  await page.getByText(/2026 \(UTC\)\. Created \w+ \d+, 2026, \d+:\d\d.[AP]M UTC\. /).waitFor();
  const name = page.getByRole('heading', { level: 1 });
  expect(await name.textContent()).toBe('Shop <i>: survey results');
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.coloured'), '::before').backgroundColor"),
  ).toBe('rgb(0, 170, 119)');
  expect(await page.locator('script, img, link, iframe').count()).toBe(0);
  expect(await page.getByRole('heading', { name: '<i>How</i> likely & why?' }).count()).toBe(1);
  const words = await page.locator('.words').allTextContents();
  expect(words.length).toBeGreaterThan(20);
  expect(await page.locator('.overview').count()).toBe(0);
  for (const text of HOSTILE) expect(words).toContain(text);
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.words')).unicodeBidi`)).toBe(
    'isolate',
  );
});

it('shows what the route replies, with a table for every chart', async () => {
  const { file } = await report(slugAt(0), '--by', 'week');
  const results = await admin.json('results', 'show', slugAt(0), '--project', tenant.project.id);
  const { page } = await openReport(file);
  expect(await page.locator('.score strong').textContent()).toBe(
    results.score.value.toFixed(1).replace('-', '−'),
  );
  const rows = (caption: string) => page.locator('table', { hasText: caption }).locator('tbody tr');
  expect(await rows('Responses by rating').count()).toBe(11);
  expect(await rows('Score over time').count()).toBe(results.series.length);
  expect(await rows('Score by plan').count()).toBe(21);
  // Only identity kinds that have responses are listed.
  expect(await rows('Score by identity').count()).toBe(2);
  for (const chart of await page.locator('.chart').all())
    expect([await chart.getByRole('img').count(), await chart.locator('table').count()]).toEqual([1, 1]);
});

it('contains no comments with --no-comments', async () => {
  const { file } = await report(slugAt(0), '--no-comments');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('Comments');
  expect(text).not.toContain('everything reversed');
});

it('begins with links to each survey, and divides the space among the surveys', async () => {
  const { file, bytes } = await report(slugAt(0), slugAt(5));
  const { page } = await openReport(file);
  const rows = page.locator('.overview tbody tr');
  expect(await rows.count()).toBe(2);
  await rows.nth(1).getByRole('link').click();
  expect(await page.locator('.survey h2:target').count()).toBe(1);
  const comments = page.getByRole('navigation').getByRole('link', { name: `Comments, ${slugAt(0)}` });
  await comments.click();
  expect(await page.locator('.spoken:target h3').textContent()).toBe('Comments');
  expect(bytes).toBeLessThanOrEqual(150_000);
  const counts = (await page.locator('.said header .about:not(.printed)').allTextContents()).map(
    (said) => said.split(',')[0],
  );
  const shown = await page.locator('.words').count();
  expect(counts).toEqual([`${shown} of 0 comments`, 'No comments in this period.']);
  expect(shown).toBeLessThan(120);
  // The next item would take 1,200 characters.
  expect(bytes).toBeGreaterThan(146_000);
});

it('has short rows on a phone, and folds comments', async () => {
  const { file } = await report(slugAt(0), slugAt(5));
  const { page } = await openReport(file, { viewport: { width: 375, height: 800 } });
  for (const row of await page.locator('.overview tbody tr').all())
    expect((await row.boundingBox())?.height).toBeLessThan(220);
  const more = page.locator('.spoken details').first();
  const hidden = more.locator('li').first();
  expect(await hidden.isVisible()).toBe(false);
  await more.locator('summary').click();
  await hidden.waitFor();
});

describe('people who asked to be contacted', () => {
  const PEOPLE = [
    { rating: 9, text: 'Fine.', contact: 'happy@shop.example' },
    { rating: 2, text: 'Broken twice.', contact: 'un"happy@shop.example' },
    { rating: 4, text: null, contact: null },
  ];

  async function asking() {
    const asked = await service.tenant({}, [
      aSurvey({ segments: [{ name: 'plan', values: [{ text: 'free' }] }] }),
      aSurvey(),
    ]);
    const [one, other] = asked.surveys;
    const place = { projectId: asked.project.id, surveyId: one?.id ?? '' };
    const at = new Date(service.clock.now()).toISOString();
    await deliver(
      service,
      PEOPLE.map(({ rating }) => aResponseRow({ ...place, rating, followUpRequested: true, at })),
    );
    await seedAnswers(service.table, {
      projectId: place.projectId,
      surveyIds: [place.surveyId],
      count: PEOPLE.length,
      momentOf: (index) => service.clock.now() + index,
      responseOf: (index) => {
        const { text, contact, rating = 0 } = PEOPLE[index] ?? {};
        return {
          rating,
          followUpRequested: true,
          traits: { plan: 'free' },
          ...(text != null && { text }),
          ...(contact != null && { contact }),
        };
      },
    });
    const slugs = [one, other].map((survey) => survey?.content.slug ?? '');
    return async (...more: string[]) => (await reportOf(place.projectId, ...slugs, ...more)).file;
  }

  it('are listed with their address, lowest rating first, and counted on the cover', async () => {
    const { page } = await openReport(await (await asking())('--contacts'));
    const people = page.locator('.waiting .comments > li');
    expect(await people.locator('.rated strong').allTextContents()).toEqual(['2', '4', '9']);
    expect(await people.locator('.person').first().textContent()).toBe('un"happy@shop.example');
    expect(await people.getByRole('link').first().getAttribute('href')).toBe(
      'mailto:un%22happy%40shop.example',
    );
    // People without an address are shown by their respondent id.
    expect(await people.nth(1).locator('.person').textContent()).toMatch(/person-.* no address$/);
    expect(await people.nth(0).locator('.fact').allTextContents()).toEqual(['free']);
    await page.getByText('3 people asked to be contacted in this period and are still waiting.').waitFor();
    const first = page.locator('.first .comments > li .rated strong');
    expect(await first.allTextContents()).toEqual(['2 of 10', '4 of 10']);
    const [slug = ''] = await page.locator('.contents li a:first-child').allTextContents();
    expect(await page.locator('.first .rated b').allTextContents()).toEqual([slug, slug]);
  });

  it('are left out by default and with --no-comments', async () => {
    const make = await asking();
    const without = readFileSync(await make(), 'utf8');
    expect(without).toContain('Broken twice.');
    for (const text of [without, readFileSync(await make('--contacts', '--no-comments'), 'utf8')]) {
      expect(text).not.toContain('shop.example');
      expect(text).not.toContain('person-');
    }
  });
});

describe('axe violations and clipped text', () => {
  it.each(APPEARANCES)('are absent: %s', async (_, options) => {
    const { file } = await report(...tenant.surveys.map((_survey, index) => slugAt(index)));
    const { page } = await openReport(file, options);
    // The report's policy blocks scripts, so axe bypasses it.
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.locator('.survey').count()).toBe(tenant.surveys.length);
  });
});

it('prints all surveys on a first A4 page, and starts a page for each survey', async () => {
  const { file } = await report(slugAt(0), slugAt(1), slugAt(4));
  const { page } = await openReport(file);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  expect(await printedPages(page)).toBeLessThanOrEqual(1 + 3 + 1 + 1);
  expect(await printedProblems(page)).toEqual([]);
  const breaks = await page.evaluate(
    "[...document.querySelectorAll('.survey')].map((survey) => getComputedStyle(survey).breakBefore)",
  );
  expect(breaks).toEqual(['page', 'page', 'page']);
});

it.each([
  ['8 reasons, 3 segments of 20 values', {}],
  ['8 reasons, 2 segments of 20 values', { segments: ['plan', 'region'] }],
])('prints %s and long comments on a few A4 pages without cutting anything off', async (_, fullness) => {
  const survey = aFullSurvey(fullness);
  const { project } = await service.tenant({}, [survey]);
  await fillSurvey(service, project.id, survey);
  const { file } = await reportOf(project.id, survey.content.slug, '--contacts');
  const { page } = await openReport(file);
  expect(await printedPages(page)).toBeLessThanOrEqual(5);
  expect(await printedProblems(page)).toEqual([]);
  for (const kind of ['.waiting', '.spoken']) {
    const said = page.locator(`${kind} header .about`).filter({ visible: true });
    expect(await printedItems(page.locator(kind))).toBe(10);
    expect(await said.allTextContents()).toEqual([expect.stringMatching(/^(Printed: )?10 (of|asked) /)]);
  }
});

it('fits 400 days with 20 values, by month and by day', async () => {
  const busy = await service.tenant({}, [aSurvey({ segments: [{ name: 'plan', values: VALUES }] })]);
  const slug = busy.surveys[0]?.content.slug ?? '';
  const days = { from: '2025-10-17', to: '2026-11-20' };
  const place = { projectId: busy.project.id, surveyId: busy.surveys[0]?.id ?? '' };
  await seedResults(service.table, { ...place, ...days, values: 20 });
  const flags = ['--from', days.from, '--to', days.to];
  expect((await reportOf(busy.project.id, slug, ...flags)).bytes).toBeLessThanOrEqual(150_000);
  const byDay = await reportOf(busy.project.id, slug, slug, ...flags, '--by', 'day');
  expect(byDay.made.surveys).toEqual([slug]);
});
