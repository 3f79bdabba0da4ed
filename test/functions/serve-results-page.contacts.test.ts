/** The list of people who want to be contacted, while somebody works through it and changes what it shows. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../local/gateway.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { type AdminCli, createAdminCli } from '../support/admin-cli.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestService, type TestService } from '../support/service/test-service.ts';

let service: TestService;
let admin: AdminCli;
let gateway: Gateway;
const browser = useChromium();

beforeAll(async () => {
  service = await createTestService();
  admin = createAdminCli(service);
  gateway = await serveService(service);
});
afterAll(() => gateway.stop());

const heading = (page: Page) => page.locator('#contacts-whose');
const saidIn = (page: Page) => expect.poll(() => heading(page).textContent());
const people = (page: Page) => page.locator('#contact-list li');
const more = (page: Page) => page.getByRole('button', { name: 'More people' });
const handle = (page: Page) => page.getByRole('button', { name: 'Mark as handled', exact: true }).first();
const pick = (page: Page, label: string, name: string) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: name });

/** The page of an editor with so many people who wait, the newest first, and some from before its days. */
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
  const terms = ['--kind', 'editor', '--comments', '--project', project.id];
  const { key } = await admin.json('key', 'create', ...terms);
  service.clock.advance(31_000);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.setFixedTime(service.clock.now());
  await page.goto(`${gateway.url}/results#sort=newest&key=${key}`);
  await people(page)
    .nth(Math.min(count, 30) - 1)
    .waitFor({ state: 'attached' });
  await page.locator('#results:not([aria-busy])').waitFor();
  return page;
}

/** Holds the first reply, and counts questions. */
async function hold(page: Page, pattern: RegExp) {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  let begin = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await page.route(pattern, async (route) => {
    asked += 1;
    const isFirst = asked === 1;
    const response = await route.fetch();
    begin();
    if (isFirst) await held;
    await route.fulfill({ response });
  });
  return {
    isAsked,
    asked: () => asked,
    async release() {
      const late = page.waitForEvent('requestfinished', (request) => pattern.test(request.url()));
      release();
      await (await (await late).response())?.finished();
      // Once around, for what waits for the reply.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    },
  };
}

const PUT = /v1\/contacts\/[^?]/;
const LIST = /v1\/contacts\?/;

describe('the heading counts who is left', () => {
  it.each([
    [8, '8 open', '6 open', '6 open'],
    [40, '30+ open', '28+ open', '38 open'],
  ])('of %i, when more are shown after some were handled', async (count, all, left, then) => {
    const page = await openWith(count);
    await saidIn(page).toBe(`${all} · in these days`);
    for (const handled of [1, 2]) {
      await handle(page).click();
      await page
        .getByRole('button', { name: 'Open again' })
        .nth(handled - 1)
        .waitFor();
    }
    await saidIn(page).toBe(`${left} · in these days`);
    await more(page).click();
    await more(page).waitFor({ state: 'hidden' });
    await saidIn(page).toBe(`${then} · in these days`);
  });

  it('once, where somebody presses twice before the reply', async () => {
    const page = await openWith(3);
    const put = await hold(page, PUT);
    await handle(page).dblclick();
    await put.isAsked;
    await page.keyboard.press('Enter');
    await put.release();
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await saidIn(page).toBe('2 open · in these days');
    expect(put.asked()).toBe(1);
  });

  it('as the list has them that is shown, where that changed before the reply', async () => {
    const page = await openWith(3);
    const put = await hold(page, PUT);
    await handle(page).click();
    await put.isAsked;
    await pick(page, 'Order', 'Lowest first');
    await saidIn(page).toBe('2 open · in these days');
    await put.release();
    expect(await heading(page).textContent()).toBe('2 open · in these days');
    expect(await people(page).count()).toBe(2);
  });

  it('and may be tried again, where the service does not answer', async () => {
    const page = await openWith(3);
    await page.route(PUT, (route) => route.abort(), { times: 1 });
    await handle(page).click();
    await page.getByText('The service did not answer.').waitFor();
    await handle(page).click();
    await saidIn(page).toBe('2 open · in these days');
  });
});

it('newest first too, people from before these days are said, and still where more are shown', async () => {
  const page = await openWith(40, 2);
  const before = page.getByRole('button', { name: '2 open from before' });
  await before.waitFor();
  await more(page).click();
  await saidIn(page).toBe('40 open · in these days');
  expect(await before.isVisible()).toBe(true);
  await pick(page, 'State', 'Handled');
  await before.waitFor({ state: 'hidden' });
  await pick(page, 'State', 'Open');
  await before.click();
  await saidIn(page).toBe('30+ open · all time');
  expect(await before.isVisible()).toBe(false);
});

it.each([8, 40])(
  'of %i, a list that is on its way comes, also where more is asked for of the one before',
  async (count) => {
    const page = await openWith(count);
    const list = await hold(page, LIST);
    await pick(page, 'State', 'Handled');
    await list.isAsked;
    await more(page).click();
    await list.release();
    await page.getByText('Nobody has been seen to yet in these days.').waitFor();
    expect(await people(page).count()).toBe(0);
  },
);
