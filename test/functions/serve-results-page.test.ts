import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { serveResultsPage } from '../../functions/serve-results-page.ts';
import type { Gateway } from '../../local/gateway.ts';
import { addDays, dayAt } from '../../shared/domain/days.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { APPEARANCES, problemsOf, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { type AdminCli, createAdminCli } from '../support/admin-cli.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { seedResults } from '../support/fixtures/seed-results.ts';
import { serveService } from '../support/service/served-service.ts';
import {
  callEvent,
  createTestService,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">';
/** What would turn the direction of what follows it, and as long as a text may be. */
const LONG = `\u202e${'left and right '.repeat(400)}`.slice(0, 5_000);
const ADDRESS = 'ann@example.com';
const VALUES = Array.from({ length: 20 }, (_, index) => ({ text: `value ${index}` }));
const PLAN = { name: 'plan', values: [{ text: 'free' }, { text: '<b>pro</b>' }] };

let service: TestService;
let admin: AdminCli;
let tenant: Tenant;
let gateway: Gateway;
const browser = useChromium();

beforeAll(async () => {
  service = await createTestService();
  admin = createAdminCli(service);
  tenant = await service.tenant({}, [
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
  gateway = await serveService(service);
});

afterAll(() => gateway.stop());

async function readerKey(...flags: string[]): Promise<{ key: string; keyId: string }> {
  const project = ['--project', tenant.project.id];
  const made = await admin.json('key', 'create', '--kind', 'reader', ...project, ...flags);
  // Settings that are in memory do not know it yet.
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
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(`${gateway.url}/results${hash}`);
  return { page, requests, problems };
}

const openWith = async (flags: readonly string[], options?: BrowserContextOptions): Promise<Opened> => {
  const opened = await openPage(`#key=${(await readerKey(...flags)).key}`, options);
  await opened.page.getByLabel('Survey').selectOption(tenant.surveys[0]?.id ?? '');
  await opened.page.getByRole('heading', { name: '<i>How</i> likely?' }).waitFor();
  return opened;
};

describe('200', () => {
  it('the same page for everybody, which lets nothing in and asks nobody but the service', async () => {
    const { status, headers, text } = await service.call(serveResultsPage);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'; /,
    );
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
  });

  it('the deployed bundle serves the same', async () => {
    const outfile = join(temporaryFolder(), 'page.cjs');
    const { inputs } = await bundleFunction('serve-results-page', outfile);
    const { handler } = createRequire(import.meta.url)(outfile);
    const reply = await handler(callEvent(serveResultsPage, {}), { awsRequestId: 'r' });
    const { headers, text } = await service.call(serveResultsPage);
    expect(reply.body).toBe(text);
    expect(reply.headers['content-security-policy']).toBe(headers['content-security-policy']);
    expect(inputs.filter((path) => /esbuild|report\/page/.test(path))).toEqual([]);
  });
});

it('a link opens the numbers of the route; the key leaves the address and asks nobody else', async () => {
  const { page, requests, problems } = await openWith(['--comments']);
  const query = { surveyId: tenant.surveys[0]?.id ?? '' };
  const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
  expect(await page.locator('.score strong').textContent()).toBe(body.score.value.toFixed(1));
  expect(page.url()).toBe(`${gateway.url}/results`);
  await page.locator('#comment-list li').first().waitFor();
  const words = page.locator('.words');
  expect([await words.nth(0).textContent(), await words.nth(1).textContent()]).toEqual([HOSTILE, LONG]);
  expect(await page.getByText(ADDRESS).count()).toBe(1);
  expect(await page.title()).toBe('Survey results');
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([new URL(gateway.url).origin]));
  expect(requests.join(' ')).not.toContain('_rk_');
  expect(problems).toEqual([]);
  await page.reload();
  await page.locator('.score').waitFor();
});

it('an editor key is taken from the address of a service on this machine, and pasted elsewhere', async () => {
  const project = ['--project', tenant.project.id];
  const { key } = await admin.json('key', 'create', '--kind', 'editor', ...project);
  service.clock.advance(31_000);
  const local = await openPage(`#key=${key}`);
  await local.page.locator('.score').waitFor();

  const { page } = await openPage();
  await page.route('http://surveys.example/**', async (route) => {
    const url = route.request().url().replace('http://surveys.example', gateway.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`http://surveys.example/results#key=${key}`);
  await page.getByLabel('Reader key').fill(key);
  expect(page.url()).toBe('http://surveys.example/results');
  await page.keyboard.press('Enter');
  await page.locator('.score').waitFor();
});

it('span, segment and survey are chosen, comments filtered and paged, numbers downloaded', async () => {
  const { page } = await openWith(['--comments']);
  await page.getByLabel('Segment').selectOption('plan');
  await page.getByRole('heading', { name: 'By plan' }).waitFor();
  expect(await page.getByRole('rowheader', { name: '<b>pro</b>' }).count()).toBe(1);
  await page.locator('#comment-list li').nth(49).waitFor();
  await page.getByRole('button', { name: 'More comments' }).click();
  await page.locator('#comment-list li').nth(59).waitFor();
  await page.getByLabel('Lowest rating').fill('10');
  await page.getByLabel('Lowest rating').blur();
  await expect.poll(() => page.locator('#comment-list li').count()).toBeLessThan(10);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^survey-.*\.csv$/);
  await page.getByLabel('Survey').selectOption(tenant.surveys[1]?.id ?? '');
  await page.getByText('No answers in these days.').waitFor();
});

/** Keeps the first reply to a question back until it is let go. */
async function holdFirst(page: Page, pattern: RegExp): Promise<() => Promise<void>> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  await page.route(pattern, async (route) => {
    const isFirst = asked++ === 0;
    const response = await route.fetch();
    if (isFirst) await held;
    await route.fulfill({ response });
  });
  return async () => {
    const late = page.waitForEvent('requestfinished', (request) => pattern.test(request.url()));
    release();
    await (await (await late).response())?.finished();
    // Once around, for what waits for the reply.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  };
}

describe('a late reply is not shown', () => {
  it('to an earlier filter', async () => {
    const { page } = await openWith(['--comments']);
    await page.locator('#comment-list li').nth(49).waitFor();
    const letGo = await holdFirst(page, /results\/comments/);
    await page.getByLabel('Lowest rating').fill('1');
    await page.getByLabel('Lowest rating').blur();
    await page.getByLabel('Lowest rating').fill('10');
    await page.getByLabel('Lowest rating').blur();
    await expect.poll(() => page.locator('#comment-list li').count()).toBeLessThan(10);
    await letGo();
    expect(new Set(await page.locator('.rated strong').allTextContents())).toEqual(new Set(['10']));
  });

  it('twice, where more is asked for twice', async () => {
    const { page } = await openWith(['--comments']);
    await page.locator('#comment-list li').nth(49).waitFor();
    const letGo = await holdFirst(page, /results\/comments/);
    await page.getByRole('button', { name: 'More comments' }).click();
    await page.getByRole('button', { name: 'More comments' }).click();
    await page.locator('#comment-list li').nth(59).waitFor();
    await letGo();
    expect(await page.locator('#comment-list li').count()).toBe(60);
  });

  it('once the key is forgotten', async () => {
    const { page } = await openWith(['--comments']);
    await page.locator('#comment-list li').first().waitFor();
    const letGo = await holdFirst(page, /v1\/results\?/);
    await page.locator('#by').selectOption('month');
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await letGo();
    expect(await page.locator('#results').textContent()).toBe('');
    expect(await page.locator('#comments').isVisible()).toBe(false);
  });
});

it('what was wrong is no longer said once it is put right', async () => {
  const { page } = await openWith(['--comments']);
  await page.locator('#comment-list li').first().waitFor();
  await page.getByLabel('Lowest rating').fill('11');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.locator('#status').textContent()).not.toBe('');
  await page.getByLabel('Lowest rating').fill('9');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.locator('#status').textContent()).toBe('');
});

describe('a refusal leaves nothing of what was asked before', () => {
  it('of a survey: its numbers, its comments and its download', async () => {
    const { page, problems } = await openWith(['--comments']);
    await page.locator('#comment-list li').first().waitFor();
    await page.getByLabel('From', { exact: true }).fill('2099-12-30');
    await page.getByLabel('From', { exact: true }).blur();
    await page.getByLabel('Survey').selectOption(tenant.surveys[1]?.id ?? '');
    await expect.poll(() => page.locator('#status').textContent()).toContain('must not be after');
    expect(await page.locator('#results').textContent()).toBe('');
    expect(await page.locator('#comments').isVisible()).toBe(false);
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByLabel('From', { exact: true }).blur();
    await page.getByText('No answers in these days.').waitFor();
    await page.locator('#comments').waitFor();
    expect([downloads, problems]).toEqual([[], []]);
  });

  it('of a filter: the comments, and that there are more', async () => {
    const { page } = await openWith(['--comments']);
    await page.locator('#comment-list li').nth(49).waitFor();
    await page.getByLabel('Lowest rating').fill('11');
    await page.getByLabel('Lowest rating').blur();
    await expect.poll(() => page.locator('#status').textContent()).toContain('ratingMin');
    expect(await page.locator('#comment-list li').count()).toBe(0);
    expect(await page.locator('#more').isVisible()).toBe(false);
    expect(await page.locator('.score').isVisible()).toBe(true);
    await page.getByLabel('Lowest rating').fill('');
    await page.getByLabel('Lowest rating').blur();
    await page.locator('#comment-list li').nth(49).waitFor();
  });

  it('of more comments: those that are there stay, and may be asked again', async () => {
    const { page } = await openWith(['--comments']);
    await page.locator('#comment-list li').nth(49).waitFor();
    await page.route(/results\/comments/, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'More comments' }).click();
    await page.getByText('The service did not answer.').waitFor();
    expect(await page.locator('#comment-list li').count()).toBe(50);
    await page.getByRole('button', { name: 'More comments' }).click();
    await page.locator('#comment-list li').nth(59).waitFor();
  });
});

it('everything is done with a keyboard alone', async () => {
  const { key } = await readerKey('--comments');
  const { page } = await openPage();
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent');
  const outline = () => page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
  /** Tabs on until the element has the focus; a date field takes several. */
  async function tabTo(id: string): Promise<void> {
    for (let steps = 0; (await focused()) !== id; steps++) {
      expect(steps, `${id} is reached`).toBeLessThan(20);
      await page.keyboard.press('Tab');
    }
    expect(await outline()).not.toBe('none');
  }

  expect(await focused()).toBe('key');
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.locator('.score, .said').first().waitFor();
  await expect.poll(() => page.locator('#status').textContent()).toBe('');
  await tabTo('survey');
  await page.keyboard.type(`${tenant.surveys[0]?.content.slug}`);
  await page.getByRole('heading', { name: '<i>How</i> likely?' }).waitFor();
  for (const id of ['from', 'to', 'by']) await tabTo(id);
  await page.keyboard.type('month');
  await tabTo('segment');
  await page.keyboard.type('plan');
  await page.getByRole('heading', { name: 'By plan' }).waitFor();
  await tabTo('download');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const passed: unknown[] = [];
  while ((await focused()) !== 'lowest') {
    await page.keyboard.press('Tab');
    passed.push(await focused());
    expect(passed.length).toBeLessThan(40);
  }
  await page.keyboard.type('5');
  await tabTo('highest');
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('#comment-list li').count()).toBeLessThan(40);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await page.locator('#more').waitFor();
  await tabTo('more');
});

it('a key without comments shows numbers alone', async () => {
  const { page } = await openWith([]);
  await expect.poll(() => page.locator('#status').textContent()).toBe('');
  expect(await page.locator('#comments').isVisible()).toBe(false);
  expect(await page.locator('.score').isVisible()).toBe(true);
});

describe('a key that is not for this', () => {
  it('a secret key is refused before anybody is asked, and not kept', async () => {
    const { page, requests } = await openPage(`#key=${tenant.secretKey}`);
    await page.getByText('This is a secret key.').waitFor();
    expect(page.url()).not.toContain('_sk_');
    await page.getByLabel('Reader key').fill(tenant.secretKey);
    await page.getByRole('button', { name: 'Show results' }).click();
    await page.getByText('This is a secret key.').waitFor();
    expect(requests).toHaveLength(1);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).toBe('{}');
  });

  it('wrong, revoked, expired: the page says so, and takes another', async () => {
    const revoked = await readerKey();
    await admin.json('key', 'revoke', revoked.keyId, '--project', tenant.project.id);
    const expired = await readerKey('--expires', '1s');
    service.clock.advance(60_000);
    const { page } = await openPage();
    for (const key of ['svc_rk_wrong', revoked.key, expired.key]) {
      await page.getByLabel('Reader key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByText('The key opens nothing here').waitFor();
    }
    await page.getByLabel('Reader key').fill((await readerKey()).key);
    await page.keyboard.press('Enter');
    await page.locator('.score').waitFor();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByLabel('Reader key').waitFor();
    expect(await page.locator('#results').textContent()).toBe('');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

describe('axe finds nothing, and nothing is cut', () => {
  it.each(APPEARANCES)('%s', async (_, options) => {
    const { page } = await openWith(['--comments'], options);
    await page.locator('#comment-list li').first().waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });
});

it('400 days and 20 values of a segment at 375 px: all are there, nothing is cut, axe finds nothing', async () => {
  const survey = tenant.surveys[2];
  const today = dayAt(service.clock.now());
  const span = { from: addDays(today, -399), to: today };
  await seedResults(service.table, {
    projectId: tenant.project.id,
    surveyId: survey?.id ?? '',
    values: 20,
    ...span,
  });
  const { page } = await openWith([], { viewport: { width: 375, height: 900 } });
  await page.getByLabel('Survey').selectOption(survey?.id ?? '');
  await page.getByRole('heading', { name: 'A long year?' }).waitFor();
  await page.getByLabel('From', { exact: true }).fill(span.from);
  await page.getByLabel('From', { exact: true }).blur();
  await page.getByLabel('Segment').selectOption('plan');
  await page.getByRole('heading', { name: 'By plan' }).waitFor();
  // Those declared, others, and none.
  await expect
    .poll(() => page.getByRole('rowheader', { name: /^(value \d+|other|none)$/ }).count())
    .toBeGreaterThanOrEqual(21);
  await page.getByText(span.from).first().waitFor();
  expect(await problemsOf(page)).toEqual([]);
});

it('prints without controls; the rest as the report does', async () => {
  const { page } = await openWith(['--comments']);
  await page.locator('#comment-list li').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByLabel('Survey').isVisible()).toBe(false);
});
