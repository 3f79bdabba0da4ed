import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../shared/domain/duration.ts';
import { holdReply } from '../sdk/browser/support/hold-reply.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { printedPages, printedProblems } from '../sdk/browser/support/printed.ts';
import { problemsOf, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { useServedService } from '../support/service/served-service.ts';

const ADDRESS = 'ann@example.com';
const PLAN = { name: 'plan', values: [{ text: 'free' }, { text: '<b>pro</b>' }] };

const browser = useChromium();
const { service, gateway } = await useServedService();
const admin = createAdminCli(service);

const heading = (page: Page) => page.locator('#contacts-whose');
const saidIn = (page: Page) => expect.poll(() => heading(page).textContent());
const people = (page: Page) => page.locator('#contact-list li');
const more = (page: Page) => page.getByRole('button', { name: 'More requests' });
const handle = (page: Page) => page.getByRole('button', { name: 'Mark as handled', exact: true }).first();
const pick = (page: Page, label: string, name: string) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: name });

async function keyOf(projectId: string, kind: 'reader' | 'editor'): Promise<{ key: string; keyId: string }> {
  const made = await admin.json('key', 'create', '--kind', kind, '--comments', '--project', projectId);
  // Cached settings do not contain it yet.
  service.clock.advance(31_000);
  return made;
}

async function openPage(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.setFixedTime(service.clock.now());
  await page.goto(`${gateway.url}/results#${hash}`);
  return page;
}

async function openWith(count: number, before = 0): Promise<Page> {
  const { project, surveys } = await service.tenant({}, [aSurvey()]);
  const place = { projectId: project.id, surveyIds: surveys.map(({ id }) => id) };
  const at = new Date(service.clock.now()).toISOString();
  await deliver(service, [
    aResponseRow({ projectId: project.id, surveyId: place.surveyIds[0] ?? '', rating: 0, at }),
  ]);
  await seedAnswers(service.table, {
    ...place,
    count: count + before,
    momentOf: (index) => service.clock.now() - (index < count ? index * 1_000 : (200 + index) * DAY),
    responseOf: () => ({ rating: 0, followUpRequested: true }),
  });
  const { key } = await keyOf(project.id, 'editor');
  const page = await openPage(`sort=newest&key=${key}`);
  await people(page)
    .nth(Math.min(count, 30) - 1)
    .waitFor({ state: 'attached' });
  await page.locator('#results:not([aria-busy])').waitFor();
  return page;
}

async function tabTo(page: Page, named: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      "(({ id, name, textContent, ariaLabel }) => [id, name, ariaLabel, textContent].join(' '))(document.activeElement)",
    );
  for (let steps = 0; !named.test(await focused()); steps++) {
    expect(steps, `${named} is reached`).toBeLessThan(60);
    await page.keyboard.press('Tab');
  }
}

describe('people who asked to be contacted', () => {
  async function openOfOne(kind: 'reader' | 'editor') {
    const { project, surveys } = await service.tenant({}, [aSurvey()]);
    const place = { projectId: project.id, surveyId: surveys[0]?.id ?? '' };
    const at = service.clock.now() - DAY;
    await deliver(service, [aResponseRow({ ...place, rating: 0, at: new Date(at).toISOString() })]);
    await seedAnswers(service.table, {
      projectId: place.projectId,
      surveyIds: [place.surveyId],
      count: 1,
      momentOf: () => at,
      responseOf: () => ({ rating: 0, followUpRequested: true, contact: ADDRESS }),
    });
    const { key, keyId } = await keyOf(project.id, kind);
    const page = await openPage(`key=${key}`);
    await people(page).first().waitFor();
    return { page, keyId };
  }

  it('are listed for those who may see them; only an editor can mark them as handled', async () => {
    const { page } = await openOfOne('reader');
    expect(await people(page).count()).toBe(1);
    expect(await people(page).getByRole('link', { name: ADDRESS }).getAttribute('href')).toBe(
      `mailto:${encodeURIComponent(ADDRESS)}`,
    );
    expect(await people(page).getByRole('button').count()).toBe(0);
  });

  it('are those of one survey or of all, with the survey that they answered', async () => {
    const two = [aSurvey({}, { slug: 'one' }), aSurvey({}, { slug: 'two', type: 'thumbs' })];
    const asking = await service.tenant({}, two);
    await seedAnswers(service.table, {
      projectId: asking.project.id,
      surveyIds: two.map(({ id }) => id),
      count: 2,
      momentOf: (index) => service.clock.now() - (index + 1) * DAY,
      responseOf: () => ({ rating: 0, followUpRequested: true }),
    });
    const { key } = await keyOf(asking.project.id, 'reader');
    const page = await openPage(`survey=one&contacts=all&key=${key}`);
    const rated = page.locator('#contact-list .rated');
    await rated.nth(1).waitFor();
    const said = async () => (await rated.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(await said()).toEqual([
      expect.stringMatching(/^0 .*one$/),
      expect.stringMatching(/^Thumbs down .*two$/),
    ]);
    await pick(page, 'Requests from', 'This survey');
    await expect.poll(() => page.url()).not.toContain('contacts=all');
  });

  it('are those of the period or of all time, and of the selected value; the heading has their number', async () => {
    const asking = await service.tenant({}, [aSurvey({ segments: [PLAN] }, { slug: 'one' })]);
    const row = { projectId: asking.project.id, surveyId: asking.surveys[0]?.id ?? '' };
    const plans = ['free', '<b>pro</b>', 'free', undefined];
    const agoOf = (index: number) => service.clock.now() - (1 + index * 30) * DAY;
    const traitsOf = (index: number) => ({ ...(plans[index] && { plan: plans[index] }) });
    await deliver(
      service,
      plans.map((_, index) =>
        aResponseRow({
          ...row,
          rating: 0,
          at: new Date(agoOf(index)).toISOString(),
          traits: JSON.stringify(traitsOf(index)),
        }),
      ),
    );
    await seedAnswers(service.table, {
      projectId: row.projectId,
      surveyIds: [row.surveyId],
      count: plans.length,
      momentOf: agoOf,
      responseOf: (index) => ({ rating: 0, traits: traitsOf(index), followUpRequested: true }),
    });
    const { key } = await keyOf(row.projectId, 'reader');
    const page = await openPage(`days=30&key=${key}`);
    await saidIn(page).toBe('1 open · in this period');
    await page.getByRole('link', { name: 'Contact requests' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('state');
    expect(page.url()).not.toContain('contacts');
    await page.getByRole('button', { name: 'Show 3 open requests from before this period' }).click();
    await saidIn(page).toBe('4 open · all time');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('when');
    expect(await page.locator('#earlier').isVisible()).toBe(false);
    expect(page.url()).toContain('when=all');
    await page.getByLabel('Segment').selectOption('plan=free');
    await saidIn(page).toBe('2 open · all time · plan: free');
    expect(await people(page).count()).toBe(2);
    await page.goto(`${gateway.url}/results#days=90&segment=plan&value=null`);
    await saidIn(page).toBe('in this period · plan: not given');
    await page.getByText('No open contact requests in this period.').waitFor();
    await page.getByRole('button', { name: 'Show 1 open request from before this period' }).waitFor();
    await pick(page, 'Order', 'Newest first');
    await pick(page, 'Period of requests', 'All time');
    await saidIn(page).toBe('1 open · all time · plan: not given');
  });

  it('come lowest first or newest first; a long list is the lowest of the newest, which the page states', async () => {
    const survey = aSurvey({}, { slug: 'one' });
    const asking = await service.tenant({}, [survey]);
    const row = { projectId: asking.project.id, surveyId: asking.surveys[0]?.id ?? '' };
    await deliver(service, [
      aResponseRow({ ...row, rating: 3, at: new Date(service.clock.now()).toISOString() }),
    ]);
    const seed = (count: number, daysAgo: number, ratingOf: (index: number) => number) =>
      seedAnswers(service.table, {
        projectId: row.projectId,
        surveyIds: [row.surveyId],
        count,
        momentOf: (index) => service.clock.now() - (daysAgo + index) * DAY,
        responseOf: (index) => ({ rating: ratingOf(index), followUpRequested: true }),
      });
    await seed(3, 1, (index) => [7, 2, 9][index] ?? 0);
    const { key } = await keyOf(row.projectId, 'reader');
    const page = await openPage(`key=${key}`);
    const ratings = () => page.locator('#contact-list .rated strong').allTextContents();
    await expect.poll(ratings).toEqual(['2', '7', '9']);
    await pick(page, 'Order', 'Newest first');
    await expect.poll(ratings).toEqual(['7', '2', '9']);
    expect(page.url()).toContain('sort=newest');
    await seed(101, 10, () => 0);
    await pick(page, 'Period of requests', 'All time');
    await pick(page, 'Order', 'Lowest first');
    await page.getByText('Only the newest requests are sorted by rating').waitFor();
    expect(await heading(page).textContent()).toBe('100+ open · all time');
    expect((await ratings()).at(-1)).toBe('9');
  });

  it('are handled with a note, listed as handled, and reopened', async () => {
    const { page, keyId } = await openOfOne('editor');
    await page.getByLabel('Note for colleagues').fill('Called <b>them</b>.');
    await page.keyboard.press('Enter');
    await people(page).getByText('by you: Called <b>them</b>.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Reopen');
    await pick(page, 'State', 'Handled');
    await people(page).getByText(`by ${keyId}: Called <b>them</b>.`).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Mark as handled', exact: true }).waitFor();
    await pick(page, 'State', 'Open');
    await people(page).first().waitFor();
    await pick(page, 'State', 'Handled');
    await page.getByText('No handled contact requests in this period.').waitFor();
  });
});

const PUT = /v1\/contacts\/[^?]/;
const LIST = /v1\/contacts\?/;

describe('the number in the heading', () => {
  it.each([
    [8, '8 open', '6 open', '6 open'],
    [40, '30+ open', '28+ open', '38 open'],
  ])('shows the rest of %i when more are loaded after some are handled', async (count, all, left, then) => {
    const page = await openWith(count);
    await saidIn(page).toBe(`${all} · in this period`);
    for (const handled of [1, 2]) {
      await handle(page).click();
      await page
        .getByRole('button', { name: 'Reopen' })
        .nth(handled - 1)
        .waitFor();
    }
    await saidIn(page).toBe(`${left} · in this period`);
    await more(page).click();
    await more(page).waitFor({ state: 'hidden' });
    await saidIn(page).toBe(`${then} · in this period`);
  });

  it('counts a handled contact once: after a failure, after a double click, and when the list has changed', async () => {
    const page = await openWith(5);
    await page.route(PUT, (route) => route.abort(), { times: 1 });
    await handle(page).click();
    await page.getByText('The service did not respond.').waitFor();
    await saidIn(page).toBe('5 open · in this period');
    await handle(page).click();
    await saidIn(page).toBe('4 open · in this period');
    const twice = await holdReply(page, PUT);
    await handle(page).dblclick();
    await twice.isAsked;
    await page.keyboard.press('Enter');
    await twice.release();
    await saidIn(page).toBe('3 open · in this period');
    expect(twice.asked()).toBe(1);
    const put = await holdReply(page, PUT);
    await handle(page).click();
    await put.isAsked;
    await pick(page, 'Order', 'Lowest first');
    await saidIn(page).toBe('2 open · in this period');
    await put.release();
    expect(await heading(page).textContent()).toBe('2 open · in this period');
    expect(await people(page).count()).toBe(2);
  });
});

it('mentions people from before the period, newest first too, also after loading more', async () => {
  const page = await openWith(40, 2);
  const before = page.getByRole('button', { name: 'Show 2 open requests from before this period' });
  await before.waitFor();
  await more(page).click();
  await saidIn(page).toBe('40 open · in this period');
  expect(await before.isVisible()).toBe(true);
  await pick(page, 'State', 'Handled');
  await before.waitFor({ state: 'hidden' });
  await pick(page, 'State', 'Open');
  await before.click();
  await saidIn(page).toBe('30+ open · all time');
  expect(await before.isVisible()).toBe(false);
});

it.each([8, 40])(
  'replaces %i people with a list being loaded, even if more of the old one is requested',
  async (count) => {
    const page = await openWith(count);
    const list = await holdReply(page, LIST);
    await pick(page, 'State', 'Handled');
    await list.isAsked;
    await more(page).click();
    await list.release();
    await page.getByText('No handled contact requests in this period.').waitFor();
    expect(await people(page).count()).toBe(0);
  },
);

describe("a product manager's Monday, with the keyboard only", () => {
  const COUNT = 12;
  const PLANS = ['free', 'pro'] as const;
  let projectId: string;

  beforeAll(async () => {
    const { project, surveys } = await service.tenant({}, [
      aSurvey(
        { segments: [{ name: 'plan', values: PLANS.map((text) => ({ text })) }] },
        { slug: 'recommend' },
      ),
      aSurvey({}, { slug: 'helpful', type: 'thumbs' }),
    ]);
    projectId = project.id;
    const surveyId = surveys[0]?.id ?? '';
    const answer = (index: number) => ({
      rating: index % 11,
      traits: { plan: PLANS[index % 2] ?? 'free' },
      followUpRequested: index < 4,
      text: `comment ${index}`,
    });
    const momentOf = (index: number) => service.clock.now() - (index + 1) * DAY;
    await deliver(
      service,
      Array.from({ length: COUNT }, (_, index) =>
        aResponseRow({
          ...{ projectId, surveyId, ...answer(index) },
          traits: JSON.stringify(answer(index).traits),
          at: new Date(momentOf(index)).toISOString(),
        }),
      ),
    );
    const seed = { projectId, surveyIds: [surveyId], count: COUNT };
    await seedAnswers(service.table, { ...seed, momentOf, responseOf: answer });
  });

  it.each<readonly [string, BrowserContextOptions, handled: number]>([
    ['on a desktop', { viewport: { width: 1280, height: 900 } }, 0],
    ['on a phone', { viewport: { width: 375, height: 800 }, hasTouch: true, colorScheme: 'dark' }, 1],
  ])('filters, compares, handles a contact, downloads and prints %s', async (_, options, handled) => {
    const { key } = await keyOf(projectId, 'editor');
    const page = await openPage('survey=recommend', options);
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How likely' }).waitFor();

    await tabTo(page, /^segment/);
    await page.keyboard.press('p');
    await page.locator('.survey > .about', { hasText: 'plan: free' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.survey > .about', { hasText: 'plan: pro' }).waitFor();
    await tabTo(page, /^compare/);
    await page.keyboard.press('v');
    await page.locator('.difference, .figure .about', { hasText: 'free' }).first().waitFor();
    expect(await problemsOf(page)).toEqual([]);

    await tabTo(page, /contacts-of/);
    await page.keyboard.press('ArrowDown');
    const waiting = page.locator('#contact-list li', { hasText: 'recommend' });
    await expect.poll(() => waiting.count()).toBe(4 - handled);
    // Contacts of the selected value do not repeat it; these are from all surveys.
    expect(await page.locator('#comment-list .fact').count()).toBe(0);
    expect(await waiting.locator('.fact', { hasText: 'plan: pro' }).count()).toBeGreaterThan(0);
    await tabTo(page, /Note for colleagues/);
    await page.keyboard.type('Called.');
    await page.keyboard.press('Enter');
    await page.getByText('by you: Called.').waitFor();
    expect(await problemsOf(page)).toEqual([]);

    await page.locator('summary', { hasText: 'Download' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, /^save-answers/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^recommend-answers-.*\.csv$/);
    await page.getByText(`${COUNT / 2} responses saved.`).waitFor();
    expect(await printedPages(page)).toBeLessThanOrEqual(2);
    expect(await printedProblems(page)).toEqual([]);
  });
});
