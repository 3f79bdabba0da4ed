import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { serveResultsPage } from '../../functions/serve-results-page.ts';
import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { addDays, dayAt } from '../../shared/domain/days.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { holdReply } from '../sdk/browser/support/hold-reply.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { printedItems, printedPages, printedProblems } from '../sdk/browser/support/printed.ts';
import { APPEARANCES, problemsOf, smallFields, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aFullSurvey, fillSurvey } from '../support/fixtures/a-full-survey.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { seedResults } from '../support/fixtures/seed-results.ts';
import { useServedService } from '../support/service/served-service.ts';
import { callEvent, type Tenant } from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">';
/** Reverses the direction of following text, and has the maximum length. */
const LONG = `\u202e${'left and right '.repeat(400)}`.slice(0, 5_000);
const ADDRESS = 'ann@example.com';
const VALUES = Array.from({ length: 20 }, (_, index) => ({ text: `value ${index}` }));
const PLAN = { name: 'plan', values: [{ text: 'free' }, { text: '<b>pro</b>' }] };

let tenant: Tenant;
const browser = useChromium();
const { service, gateway } = await useServedService();
const admin = createAdminCli(service);

beforeAll(async () => {
  tenant = await service.tenant({ displayName: 'Shop <i>', accent: '#00aa77' }, [
    aSurvey({ segments: [PLAN] }, { question: '<i>How</i> likely?' }),
    aSurvey(),
    aSurvey({ segments: [{ name: 'plan', values: VALUES }] }, { question: 'A long year?' }),
  ]);
  const projectId = tenant.project.id;
  const surveyId = tenant.surveys[0]?.id ?? '';
  const timeOf = (index: number) => service.clock.now() - index * DAY;
  const ratingOf = (index: number) => (index * 7) % 11;
  await deliver(
    service,
    Array.from({ length: 60 }, (_, index) =>
      aResponseRow({
        projectId,
        surveyId,
        at: new Date(timeOf(index)).toISOString(),
        rating: ratingOf(index),
        traits: JSON.stringify({ plan: PLAN.values[index % 2]?.text }),
      }),
    ),
  );
  await seedAnswers(service.table, {
    projectId,
    surveyIds: [surveyId],
    count: 60,
    momentOf: timeOf,
    responseOf: (index) => ({
      rating: ratingOf(index),
      text: [HOSTILE, LONG][index] ?? `comment ${index}`,
      ...(index === 0 && { followUpRequested: true, contact: ADDRESS }),
    }),
  });
});

async function readerKey(...flags: string[]): Promise<{ key: string; keyId: string }> {
  const project = ['--project', tenant.project.id];
  const made = await admin.json('key', 'create', '--kind', 'reader', ...project, ...flags);
  // Cached settings do not contain it yet.
  service.clock.advance(31_000);
  return made;
}

interface Opened {
  readonly page: Page;
  readonly requests: string[];
  readonly problems: string[];
}

async function openPage(hash = '', options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.setFixedTime(service.clock.now());
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(`${gateway.url}/results${hash}`);
  return { page, requests, problems };
}

const openWith = async (flags: readonly string[], options?: BrowserContextOptions): Promise<Opened> => {
  const { key } = await readerKey(...flags);
  const opened = await openPage(`#survey=${tenant.surveys[0]?.content.slug}&key=${key}`, options);
  await opened.page.getByRole('heading', { name: '<i>How</i> likely?' }).waitFor();
  await opened.page.locator('#results:not([aria-busy])').waitFor();
  return opened;
};

function spanOfDays(days: number) {
  const to = dayAt(service.clock.now());
  return { from: addDays(to, 1 - days), to };
}

describe('200', () => {
  it('returns the same page to everyone, which cannot be framed and requests only the service', async () => {
    const { status, headers, text } = await service.call(serveResultsPage);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types canvass$/,
    );
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  });

  it('is at most 32 KB on its first load, after gzip', async () => {
    const { text } = await service.call(serveResultsPage);
    expect(gzipSync(text).length).toBeLessThanOrEqual(32 * 1_024);
  });

  it('is the same in the deployed bundle', async () => {
    const outfile = join(temporaryFolder(), 'page.cjs');
    const { inputs } = await bundleFunction('serve-results-page', outfile);
    const { handler } = createRequire(import.meta.url)(outfile);
    const reply = await handler(callEvent(serveResultsPage, {}), { awsRequestId: 'r' });
    const { headers, text } = await service.call(serveResultsPage);
    expect(reply.body).toBe(text);
    expect(reply.headers['content-security-policy']).toBe(headers['content-security-policy']);
    expect(inputs.filter((path) => /esbuild/.test(path))).toEqual([]);
  });
});

const items = (page: Page) => page.locator('#comment-list li');
const ratingsIn = async (page: Page) =>
  [...new Set(await page.locator('#comment-list .rated strong').allTextContents())].sort();
const status = (page: Page) => page.locator('#status');
const chooserOf = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const chosenIn = (page: Page, label: string) =>
  chooserOf(page, label).locator('option:checked').textContent();
const pick = (page: Page, label: string, name: string) =>
  chooserOf(page, label).selectOption({ label: name });
const press = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true }).check();
const save = async (page: Page, name: string) => {
  await page.getByText('Download', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ]);
  const file = join(temporaryFolder(), download.suggestedFilename());
  await download.saveAs(file);
  return { name: download.suggestedFilename(), text: readFileSync(file, 'utf8') };
};

it('opens the numbers of the route from a link, removes the key from the address and contacts nobody else', async () => {
  const { page, requests, problems } = await openWith(['--comments']);
  const { from, to } = spanOfDays(90);
  const query = { surveyId: tenant.surveys[0]?.id ?? '', from, to };
  const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
  expect(await page.locator('.score strong').textContent()).toBe(
    body.score.value.toFixed(1).replace('-', '−'),
  );
  expect(page.url()).not.toContain('key=');
  await items(page).first().waitFor();
  const words = page.locator('#comment-list .words');
  expect([await words.nth(0).textContent(), await words.nth(1).textContent()]).toEqual([HOSTILE, LONG]);
  expect(await page.locator('#comment-list').getByText(ADDRESS).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Shop <i>');
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.coloured'), '::before').backgroundColor"),
  ).toBe('rgb(0, 170, 119)');
  expect(await page.title()).toBe(`${tenant.surveys[0]?.content.slug} · Shop <i>`);
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([new URL(gateway.url).origin]));
  expect(requests.join(' ')).not.toContain('_rk_');
  expect(problems).toEqual([]);
  expect(await page.locator('.state').textContent()).toBe('active');
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await page.reload();
  await page.locator('.score').waitFor();
});

describe('the address', () => {
  it('holds the view for Back and for a colleague with a key, but never the key', async () => {
    const { page } = await openWith(['--comments']);
    await pick(page, 'Period', '7 days');
    await expect.poll(() => page.url()).toContain('days=7');
    await page.locator('#results:not([aria-busy])').waitFor();
    await page.goBack();
    await expect.poll(() => chosenIn(page, 'Period')).toBe('90 days');
    await pick(page, 'Period', '30 days');
    await press(page, 'Break down by', 'identity');
    await page.getByRole('heading', { name: 'By identity' }).waitFor();
    // The focus stays on the choice, although everything was redrawn.
    expect(await page.evaluate("document.activeElement.closest('fieldset')?.textContent")).toContain(
      'Break down by',
    );
    await press(page, 'Trend by', 'Week');
    await pick(page, 'Ratings', 'Detractors');
    const slug = tenant.surveys[0]?.content.slug;
    await expect
      .poll(() => new URL(page.url()).hash)
      .toBe(`#project=${tenant.project.id}&survey=${slug}&by=week&segment=identityKind&ratings=low&days=30`);
    const { hash } = new URL(page.url());
    const colleague = await openPage(`${hash}&key=${(await readerKey('--comments')).key}`);
    await colleague.page.getByRole('heading', { name: 'By identity' }).waitFor();
    expect(new URL(colleague.page.url()).hash).toBe(hash);
    for (const [label, name] of [
      ['Period', '30 days'],
      ['Ratings', 'Detractors'],
    ] as const)
      await expect.poll(() => chosenIn(colleague.page, label)).toBe(name);
    const week = colleague.page.getByRole('radio', { name: 'Week', exact: true });
    await expect.poll(() => week.isChecked()).toBe(true);
  });

  it('leads to another survey with a notice if its survey does not exist', async () => {
    const { key } = await readerKey();
    const { page } = await openPage(`#survey=gone&key=${key}`);
    await page.getByText('There is no survey gone in this project').waitFor();
    expect(await page.locator('.survey').count()).toBe(1);
  });
});

describe('the breakdown', () => {
  it('uses the first segment by default, lowest first, and another on request', async () => {
    const { page } = await openWith([]);
    await page.getByRole('heading', { name: 'By plan' }).waitFor();
    const query = { surveyId: tenant.surveys[0]?.id ?? '', ...spanOfDays(90), segment: 'plan' };
    const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
    const scores = (body as ResultsReply).segments?.flatMap(({ score }) => score?.value ?? []) ?? [];
    const written = scores.toSorted((a, b) => a - b).map((value) => value.toFixed(1).replace('-', '−'));
    const shown = page.locator('.segment:not(.reasons) tbody strong');
    expect(await shown.allTextContents()).toEqual(written);
    expect(await chosenIn(page, 'Segment')).toBe('All people');
    await press(page, 'Break down by', 'identity');
    await page.getByRole('heading', { name: 'By identity' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('identityKind');
    await page.goBack();
    await page.getByRole('heading', { name: 'By plan' }).waitFor();
  });
});

describe('one value of a segment', () => {
  const ofPlan = (value: string) => {
    const query = { surveyId: tenant.surveys[0]?.id ?? '', ...spanOfDays(90), segment: 'plan', value };
    return service.call(getResults, { secretKey: tenant.secretKey, query });
  };
  const score = (page: Page) => page.locator('.score strong').textContent();
  const written = (value: number) => value.toFixed(1).replace('-', '−');

  it('is selected above or in the table: numbers, comments and answers are filtered by it', async () => {
    const { page } = await openWith(['--comments']);
    await page.getByLabel('Segment').selectOption('plan=free');
    await page.getByText('plan: free', { exact: true }).last().waitFor();
    const free = (await ofPlan('free')).body;
    await expect.poll(() => score(page)).toBe(written(free.score.value));
    await page.getByText('No matching comments').waitFor();
    await page.getByRole('button', { name: 'Show all people' }).click();
    await items(page).first().waitFor();
    await page.getByRole('button', { name: '<b>pro</b>' }).click();
    const pro = (await ofPlan('<b>pro</b>')).body;
    await expect.poll(() => score(page)).toBe(written(pro.score.value));
    const { hash } = new URL(page.url());
    expect(new URLSearchParams(hash.slice(1)).get('value')).toBe('<b>pro</b>');
    expect((await save(page, 'Responses (CSV)')).text.match(/\r\n/g)?.length).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { name: 'By plan' }).waitFor();
  });

  it('is compared with another, which the address holds', async () => {
    const { page } = await openWith([]);
    await page.getByLabel('Segment').selectOption('plan=free');
    await page.getByLabel('Comparison').selectOption({ label: 'vs. plan: <b>pro</b>' });
    await page.locator('.difference', { hasText: '<b>pro</b>' }).waitFor();
    const { key } = await readerKey();
    const colleague = await openPage(`${new URL(page.url()).hash}&key=${key}`);
    const said = await page.locator('.difference').textContent();
    await expect.poll(() => colleague.page.locator('.difference').textContent()).toBe(said);
    expect(said).toMatch(
      /^[+−]\d+\.\d vs\. <b>pro<\/b>, (possibly due to chance|very likely a real difference)$/,
    );
    expect(await problemsOf(page)).toEqual([]);
  });

  it.each([
    ['segment=plan&value=gone', 'plan: gone'],
    ['segment=plan&value=free&against=gone', 'plan: gone'],
    ['against=pro', 'pro'],
    ['value=pro', 'pro'],
    ['reason=gone', 'gone'],
  ])('shows a notice for %s in the address that the survey does not have', async (asked, named) => {
    const slug = tenant.surveys[0]?.content.slug;
    const { page } = await openPage(`#survey=${slug}&${asked}&key=${(await readerKey()).key}`);
    await page
      .getByText(`This link contains “${named}”, which this survey does not have. It was ignored.`)
      .waitFor();
    expect(await page.locator('.score').isVisible()).toBe(true);
  });
});

it('offers all people and other days if the view has no responses', async () => {
  const { key } = await readerKey();
  const slug = tenant.surveys[0]?.content.slug;
  const { page } = await openPage(`#survey=${slug}&segment=plan&value=other&key=${key}`);
  await page.getByRole('heading', { name: 'No responses from this segment in this period' }).waitFor();
  expect(await page.locator('.empty').textContent()).toContain('plan: other');
  expect(await problemsOf(page)).toEqual([]);
  await page.locator('.empty').getByRole('button', { name: 'Show all people' }).click();
  await page.locator('.score').waitFor();
  await page.evaluate(`location.hash = '#survey=${slug}&from=2020-01-01&to=2020-01-31'`);
  await page.getByRole('heading', { name: 'No responses in this period' }).waitFor();
  await page.getByRole('button', { name: 'Show the last 400 days' }).click();
  await page.locator('.score').waitFor();
});

describe('a remembered key', () => {
  it('opens a bookmark in another tab until it is forgotten', async () => {
    const { page } = await openWith([]);
    await page.getByLabel('Remember the key in this browser').check();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('.score').waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.reload();
    await other.getByLabel('Reader key').waitFor();
    expect(await other.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  });

  it('stays when a link in another tab has another key or an invalid one', async () => {
    const { page } = await openWith([]);
    const remember = page.getByLabel('Remember the key in this browser');
    await remember.check();
    const remembered = () => page.evaluate('Object.values(localStorage)');
    const before = await remembered();
    const other = await page.context().newPage();
    await other.goto(`${gateway.url}/results#key=${(await readerKey()).key}`);
    await other.locator('.survey').waitFor();
    expect(await other.getByLabel('Remember the key in this browser').isChecked()).toBe(false);
    expect(await remembered()).toEqual(before);
    const third = await page.context().newPage();
    await third.goto(`${gateway.url}/results#key=svc_rk_wrong`);
    await third.getByText('This key does not work').waitFor();
    expect(await remembered()).toEqual(before);
    await third.goto('about:blank');
    await third.goto(`${gateway.url}/results`);
    await third.locator('.survey').waitFor();
    expect(await third.getByLabel('Remember the key in this browser').isChecked()).toBe(true);
  });

  it('is never an editor key, which would let everyone at the browser make changes', async () => {
    const { key } = await admin.json('key', 'create', '--kind', 'editor', '--project', tenant.project.id);
    service.clock.advance(31_000);
    const { page } = await openPage(`#key=${key}`);
    await page.locator('.survey').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(true);
    expect(await page.getByLabel('Remember the key in this browser').isVisible()).toBe(false);
  });
});

it('saves days and answers as CSV, with the current filters', async () => {
  const { page } = await openWith(['--comments']);
  await items(page).first().waitFor();
  const days = await save(page, 'Trend (CSV)');
  expect(days.name).toMatch(/^survey-.*-trend-.*\.csv$/);
  expect(days.text.split('\r\n')[0]).toContain('from,to,responses,dismissals,shows,score');
  const all = await save(page, 'Responses (CSV)');
  expect(all.name).toMatch(/^survey-.*-answers-.*\.csv$/);
  expect(all.text.split('\r\n')[0]).toBe(
    '\ufeffid,at,rating,text,followUpRequested,contact,respondentId,identityKind,source,plan,reasons,labels,channel,answers',
  );
  expect(all.text.match(/\r\n/g)?.length).toBe(61);
  expect(all.text).toContain(ADDRESS);
  await pick(page, 'Ratings', 'Promoters');
  await page.locator('#comment-list .low').first().waitFor({ state: 'detached' });
  const promoters = await save(page, 'Responses (CSV)');
  const ratings = promoters.text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => /Z,(\d+),/.exec(line)?.[1]);
  expect(new Set(ratings)).toEqual(new Set(['9', '10']));
});

it('searches, pages and filters comments, and shows a notice for a survey without answers', async () => {
  const { page } = await openWith(['--comments']);
  await items(page).nth(29).waitFor({ state: 'attached' });
  expect(await items(page).count()).toBe(30);
  const seen = () => page.locator('#comment-list li:visible .words').allTextContents();
  await page.getByLabel('Search loaded comments').fill('COMMENT 29');
  await page.getByText('Found in 1 of 30 loaded comments.').waitFor();
  expect(await seen()).toEqual(['comment 29']);
  expect(await problemsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'More comments' }).click();
  await page.getByText('Found in 1 of 60 loaded comments.').waitFor();
  await page.getByLabel('Search loaded comments').fill('');
  await expect.poll(async () => (await seen()).length).toBe(60);
  await pick(page, 'Ratings', 'Passives');
  await expect.poll(() => ratingsIn(page)).toEqual(['7', '8']);
  await page.getByLabel('Survey', { exact: true }).selectOption(tenant.surveys[1]?.id ?? '');
  await page.getByRole('heading', { name: 'No responses yet' }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
});

it('puts the breakdown above charts and people', async () => {
  const { page } = await openWith(['--comments']);
  await page.getByRole('heading', { name: 'By plan' }).waitFor();
  const names = ['By plan', 'Trend', 'Contact requests', 'Comments'];
  const headings = page.getByRole('heading', { level: 3 });
  await expect
    .poll(async () =>
      (await headings.allTextContents()).filter((said) => names.some((name) => said.startsWith(name))),
    )
    .toEqual(names.map((name) => expect.stringContaining(name)));
  await page.getByRole('button', { name: 'free' }).click();
  await page.getByText('plan: free', { exact: true }).last().waitFor();
  await page.getByRole('heading', { name: 'By plan' }).waitFor({ state: 'detached' });
  await page.getByText('To see breakdowns, show all people.').waitFor();
});

it('shows points of a chart with the arrow keys and with a pointer', async () => {
  const { page } = await openWith([]);
  const trend = page.getByRole('slider', { name: 'Trend, point by point' });
  await trend.focus();
  await page.keyboard.press('End');
  const read = trend.locator('.read');
  const last = await trend.getAttribute('aria-valuetext');
  expect(last).toMatch(/2026.*95% interval .* response/);
  expect(await read.isVisible()).toBe(true);
  await page.keyboard.press('ArrowLeft');
  expect(await trend.getAttribute('aria-valuetext')).not.toBe(last);
  await page.keyboard.press('Escape');
  expect(await read.isVisible()).toBe(false);
  const columns = page.getByRole('slider', { name: 'Distribution, point by point' });
  await columns.locator('.area').hover({ position: { x: 3, y: 40 } });
  expect(await columns.locator('.read').textContent()).toContain('0 · Detractors');
  expect(await columns.getAttribute('aria-valuetext')).toContain('60 responses');
});

it('shows the score next to that of the preceding days unless comparison is off', async () => {
  const { page } = await openWith([]);
  await pick(page, 'Period', '30 days');
  const { from } = spanOfDays(30);
  const before = { from: addDays(from, -30), to: addDays(from, -1) };
  const query = { surveyId: tenant.surveys[0]?.id ?? '', ...before };
  const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
  const then = body.score.value.toFixed(1).replace('-', '−');
  await page.getByText(`Previously: ${then} (${body.responses} responses)`).waitFor();
  expect(await page.locator('.difference').textContent()).toMatch(
    /the previous 30 days, (possibly due to chance|very likely a real difference)$/,
  );
  await page.getByLabel('Comparison').selectOption('No comparison');
  await page.locator('.difference').waitFor({ state: 'detached' });
  expect(page.url()).toContain('compare=none');
});

it('ignores late replies: when more was requested twice, for an earlier filter, and after signing out', async () => {
  const { page } = await openWith(['--comments']);
  await items(page).nth(29).waitFor({ state: 'attached' });
  const more = await holdReply(page, /results\/comments/);
  await page.getByRole('button', { name: 'More comments' }).click();
  await page.getByRole('button', { name: 'More comments' }).click();
  await items(page).nth(59).waitFor();
  await more.release();
  expect(await items(page).count()).toBe(60);
  const filtered = await holdReply(page, /results\/comments/);
  await pick(page, 'Ratings', 'Detractors');
  await pick(page, 'Ratings', 'Promoters');
  await expect.poll(() => ratingsIn(page)).toEqual(['10', '9']);
  await filtered.release();
  expect(await ratingsIn(page)).toEqual(['10', '9']);
  const numbers = await holdReply(page, /v1\/results\?/);
  await press(page, 'Trend by', 'Month');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await numbers.release();
  expect(await page.locator('#results').textContent()).toBe('');
  expect(await page.locator('#comments').isVisible()).toBe(false);
});

describe('errors are explained in plain words', () => {
  it('for invalid days before a request, until they are corrected', async () => {
    const { page, requests } = await openWith(['--comments']);
    await items(page).first().waitFor();
    await pick(page, 'Period', 'Custom dates');
    await page.locator('#results:not([aria-busy])').waitFor();
    const before = requests.length;
    await page.getByLabel('From', { exact: true }).fill('2099-12-30');
    await expect
      .poll(() => status(page).textContent())
      .toBe('The start date is after the end date. Change one of them.');
    expect(await page.locator('#results').textContent()).toBe('');
    expect(await page.locator('#comments').isVisible()).toBe(false);
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await expect.poll(() => status(page).textContent()).toBe('Choose at most 400 days.');
    expect(requests.length).toBe(before);
    await pick(page, 'Period', '90 days');
    await page.locator('.score').waitFor();
    await expect.poll(() => status(page).textContent()).toBe('');
  });

  it('for a service that does not answer, with a retry, and for a lack of permission, without one', async () => {
    const { page } = await openWith(['--comments']);
    await items(page).nth(29).waitFor({ state: 'attached' });
    await page.route(/results\/comments/, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'More comments' }).click();
    await page.getByText('The service did not respond.').waitFor();
    expect(await items(page).count()).toBe(30);
    await page.getByRole('button', { name: 'More comments' }).click();
    await items(page).nth(59).waitFor();
    await page.route(/v1\/results\?/, (route) => route.abort(), { times: 1 });
    await pick(page, 'Period', '30 days');
    await page.getByText('The service did not respond.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.score').waitFor();
    await page.route(/v1\/results\?/, (route) => route.fulfill({ status: 403, body: '{}' }), { times: 1 });
    await pick(page, 'Period', '7 days');
    await page.getByText('You do not have access to this.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(false);
  });
});

it('shows numbers only to a key without comments, and requests people just once', async () => {
  const { page, requests } = await openWith([]);
  await expect.poll(() => status(page).textContent()).toBe('');
  for (const id of ['comments', 'contacts']) expect(await page.locator(`#${id}`).isVisible()).toBe(false);
  expect(await page.locator('.score').isVisible()).toBe(true);
  await pick(page, 'Period', '30 days');
  await press(page, 'Trend by', 'Week');
  await page.locator('#results:not([aria-busy])').waitFor();
  expect(requests.filter((url) => /results\/comments|contacts/.test(url))).toHaveLength(1);
});

describe('reasons', () => {
  const reasons = [{ code: 'slow', label: 'Too <i>slow</i>' }];
  const reasonCodes = ['slow', 'gone'];
  const given = (code: string) => [{ code, place: reasonCodes.indexOf(code) }];

  it('keep their labels and their filter while one value of a segment is selected', async () => {
    const asking = await service.tenant({}, [aSurvey({ segments: [PLAN], reasonCodes }, { reasons })]);
    const row = { projectId: asking.project.id, surveyId: asking.surveys[0]?.id ?? '' };
    const at = service.clock.now() - DAY;
    const plan = { traits: JSON.stringify({ plan: 'free' }), at: new Date(at).toISOString() };
    await deliver(service, [aResponseRow({ ...row, ...plan, rating: 2 })]);
    await seedAnswers(service.table, {
      projectId: row.projectId,
      surveyIds: [row.surveyId],
      count: 2,
      momentOf: (index) => at + index,
      responseOf: (index) => ({
        rating: 2,
        text: `comment ${index}`,
        traits: { plan: 'free' },
        reasons: given(reasonCodes[index] ?? ''),
        followUpRequested: true,
      }),
    });
    const flags = ['--kind', 'reader', '--comments', '--project', row.projectId];
    const { key } = await admin.json('key', 'create', ...flags);
    service.clock.advance(31_000);
    const { page } = await openPage(`#segment=plan&value=free&reason=slow&key=${key}`);
    await items(page).first().waitFor();
    expect(await items(page).count()).toBe(1);
    expect(await page.locator('#comment-list .reasons').textContent()).toBe('Too <i>slow</i>');
    expect(await page.getByLabel('Reason').inputValue()).toBe('slow');
    await expect
      .poll(() => page.locator('#contact-list .reasons').allTextContents())
      .toEqual(['gone', 'Too <i>slow</i>']);
    await page.getByLabel('Reason').selectOption('gone');
    await expect.poll(() => page.locator('#comment-list .words').allTextContents()).toEqual(['comment 1']);
    expect(page.url()).toContain('reason=gone');
    await page.getByRole('button', { name: 'Show all people' }).click();
    await page.getByRole('button', { name: 'Too <i>slow</i>' }).click();
    await expect.poll(() => page.locator('#comment-list .words').allTextContents()).toEqual(['comment 0']);
    expect(await chosenIn(page, 'Reason')).toBe('Too <i>slow</i>');
    expect(await page.evaluate('document.activeElement.id')).toBe('reason');
  });
});

describe('a link of another project', () => {
  it('asks for its key and then opens its view; the remembered key stays until then', async () => {
    const other = await service.tenant({ displayName: 'Café' }, [aSurvey({}, { slug: 'cafe' })]);
    const { page } = await openWith([]);
    await page.getByLabel('Remember the key in this browser').check();
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/results#project=${other.project.id}&survey=cafe&days=7`);
    await page.getByText('This link belongs to another project. Your key opens Shop <i>.').waitFor();
    expect(await page.locator('.survey').count()).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(1);
    const flags = ['--kind', 'reader', '--project', other.project.id];
    const { key } = await admin.json('key', 'create', ...flags);
    service.clock.advance(31_000);
    await page.getByLabel('Reader key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Café' }).waitFor();
    expect(await chosenIn(page, 'Period')).toBe('7 days');
    await expect.poll(() => status(page).textContent()).toBe('');
  });
});

it('explains who creates surveys to a project without any', async () => {
  const empty = await service.tenant({}, []);
  const { key } = await admin.json('key', 'create', '--kind', 'reader', '--project', empty.project.id);
  const { page } = await openPage(`#key=${key}`);
  await page.getByRole('heading', { name: 'No surveys yet' }).waitFor();
  await page.getByText('Create surveys in the console or in a survey file.').waitFor();
});

describe('a pasted key', () => {
  it('can be the whole link', async () => {
    const { page } = await openPage();
    const { key } = await readerKey();
    await page.getByLabel('Reader key').fill(` https://surveys.example/results#days=7&key=${key} `);
    await page.keyboard.press('Enter');
    await page.locator('.survey').waitFor();
  });

  it('replaces the previous one when it follows the # of an open page, and is removed from the address', async () => {
    const { page } = await openWith([]);
    const { key } = await readerKey();
    await page.evaluate(`location.hash = '#days=7&key=${key}'`);
    await expect.poll(() => page.url()).not.toContain('_rk_');
    await expect.poll(() => chosenIn(page, 'Period')).toBe('7 days');
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([key]);
  });
});

describe('an unsuitable key', () => {
  it('is refused before a request and not kept if it is a secret key', async () => {
    const { page, requests } = await openPage(`#key=${tenant.secretKey}`);
    await page.getByText('This is a secret key').waitFor();
    expect(page.url()).not.toContain('_sk_');
    await page.getByLabel('Reader key').fill(tenant.secretKey);
    await page.getByRole('button', { name: 'Show results' }).click();
    await page.getByText('This is a secret key').waitFor();
    expect(requests).toHaveLength(1);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).toBe('{}');
  });

  it('is refused with an explanation if it is wrong, revoked or expired, and another can be entered', async () => {
    const revoked = await readerKey();
    await admin.json('key', 'revoke', revoked.keyId, '--project', tenant.project.id);
    const expired = await readerKey('--expires', '1s');
    service.clock.advance(60_000);
    const { page } = await openPage();
    for (const key of ['svc_rk_wrong', revoked.key, expired.key]) {
      await page.getByLabel('Reader key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByText('This key does not work').waitFor();
    }
    await page.getByLabel('Reader key').fill((await readerKey()).key);
    await page.keyboard.press('Enter');
    await page.locator('.survey').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Reader key').waitFor();
    expect(await page.locator('#results').textContent()).toBe('');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

describe('axe violations and clipped text', () => {
  it.each(APPEARANCES)('are absent: %s', async (_, options) => {
    const { page } = await openWith(['--comments'], options);
    await items(page).first().waitFor();
    await page.getByRole('heading', { name: 'By plan' }).waitFor();
    await page.locator('#results:not([aria-busy])').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });
});

it('fits 400 days and 20 values at 375 px on a short page without axe violations, and on two pages of A4', async () => {
  const [, , { id: surveyId, content } = aSurvey()] = tenant.surveys;
  const { from, to } = spanOfDays(400);
  await seedResults(service.table, { projectId: tenant.project.id, surveyId, values: 20, from, to });
  const { key } = await readerKey('--comments');
  const { page } = await openPage(
    `#survey=${content.slug}&segment=plan&by=day&from=${from}&to=${to}&key=${key}`,
    { viewport: { width: 375, height: 900 } },
  );
  await page.getByRole('heading', { name: 'By plan' }).waitFor();
  // Declared values, others, and none.
  expect(await page.locator('.segment tbody tr').count()).toBeGreaterThanOrEqual(21);
  expect(await page.locator('.area .count').count()).toBe(400);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5_000);
  await page.getByText('Score over time, as a table').click();
  expect(await problemsOf(page)).toEqual([]);
  expect(await smallFields(page)).toEqual([]);
  expect(await printedPages(page)).toBe(2);
});

describe('printing', () => {
  it('leaves out controls', async () => {
    const { page } = await openWith(['--comments'], { viewport: { width: 1280, height: 900 } });
    await items(page).first().waitFor();
    await page.locator('#contact-list li').first().waitFor();
    expect(await printedPages(page)).toBe(2);
    expect(await printedProblems(page)).toEqual([]);
    // Links are printed as text.
    expect(await page.locator('button:not(.link)').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByLabel('Survey', { exact: true }).isVisible()).toBe(false);
  });

  it.each([
    ['8 reasons, 20 values', {}],
    ['neither reasons nor segments', { reasons: 0, segments: [] }],
  ])('fits %s with long comments on a few pages without cutting anything off', async (_, fullness) => {
    const survey = aFullSurvey(fullness);
    const { project } = await service.tenant({}, [survey]);
    await fillSurvey(service, project.id, survey);
    const flags = ['--kind', 'reader', '--project', project.id, '--comments'];
    const { key } = await admin.json('key', 'create', ...flags);
    service.clock.advance(31_000);
    const segment = survey.segments?.[0]?.name;
    const view = segment === undefined ? '' : `segment=${segment}&`;
    const { page } = await openPage(`#${view}key=${key}`, { viewport: { width: 1280, height: 900 } });
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
});
