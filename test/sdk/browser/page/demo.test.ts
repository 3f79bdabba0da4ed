/** The shop that `npm start` serves, used as a person would. */

import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { LOCAL_TABLE_NAME } from '../../../../local/running-instance.ts';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../../shared/data/projects/survey-store.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { useDemoPages } from '../support/demo-page.ts';
import { bench } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

const openPage = useDemoPages();
let page: Page;
let faults: string[];
beforeEach(async () => {
  ({ page, faults } = await openPage());
  await page.goto(bench.service);
});

const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
const ask = async (survey: string, presentation: string) => {
  await choice('Survey').selectOption(survey);
  await choice('Presentation').selectOption(presentation);
  await page.getByRole('button', { name: 'Somebody new' }).click();
  await page.getByRole('button', { name: 'Ask' }).click();
};
const region = () => page.getByRole('region', { name: 'Feedback' });

it.each(['recommend', 'checkout', 'returns', 'miss-us'])('shows %s in every presentation', async (survey) => {
  for (const presentation of PRESENTATIONS) {
    await ask(survey, presentation);
    await region().waitFor();
    expect(await region().getAttribute('class')).toContain(presentation);
  }
});

it('shows what may be asked, and the answer as it is stored', async () => {
  await ask('checkout', '');
  await page.getByRole('radio', { name: '2, ' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('textbox').fill('Too many steps');
  await region().getByRole('button', { name: 'Send' }).click();
  await page.getByText('checkout: 2, “Too many steps”').click();
  await page.locator('#stored').getByText('"text": "Too many steps"').waitFor();
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText(/may be asked nothing now, having seen checkout/).waitFor();
  await choice('Who is here').selectOption('ben');
  await page.getByText(/^ben may be asked: .*checkout/).waitFor();
});

it('lists what was told of the answer, with all that an event says', async () => {
  await ask('checkout', '');
  await page.getByRole('radio', { name: '2, ' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  const person = await choice('Who is here').inputValue();
  const event = page.locator('#events details').filter({ hasText: person });
  await event.getByText('checkout: Response Recorded 2').click();
  await event.getByText('"low": true').waitFor();
});

it('tells of the person who is here now, also when replies about another one are late', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.getByText(/^ann may be asked: /).waitFor();
  await choice('Who is here').selectOption('ben');
  await page.getByText(/^ben may be asked: /).waitFor();
  await page.route('**/demo/stored?respondentId=ann', async (route) => {
    await held;
    await route.continue();
  });
  const asksForAnn = (request: Request) => request.postData()?.includes('"ann"') ?? false;
  await page.route('**/v1/sdk/bootstrap', async (route) => {
    if (!asksForAnn(route.request())) return route.continue();
    await held;
    await route.fulfill({ json: { surveys: [], suppression: [] } });
  });
  const late = [
    page.waitForResponse('**/demo/stored?respondentId=ann'),
    page.waitForResponse((response) => asksForAnn(response.request())),
  ];
  await choice('Who is here').selectOption('ann');
  const told = page.waitForResponse(
    (response) => response.url().endsWith('/bootstrap') && !asksForAnn(response.request()),
  );
  await choice('Who is here').selectOption('ben');
  await (await told).finished();
  release();
  for (const response of late) await (await response).finished();
  await page.getByText('Nothing of ben yet.').waitFor();
  await page.evaluate("fetch('/demo/stored?respondentId=ben').then((reply) => reply.json())");
  expect(await page.locator('#stored').textContent()).toBe('Nothing of ben yet.');
  expect(await page.locator('#offer').textContent()).toMatch(/^ben may be asked: /);
});

it('an answer that found no service is sent again', async () => {
  await ask('checkout', '');
  await page.getByRole('radio', { name: '5, ' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await page.route('**/v1/sdk/responses', (route) => route.abort('internetdisconnected'), { times: 1 });
  await region().getByRole('button', { name: 'Send' }).click();
  await page.getByText('checkout: 5').waitFor();
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_INTERNET_DISCONNECTED']);
});

it.each(PRESENTATIONS)('no survey covers the panel that explains: %s', async (presentation) => {
  for (const [survey, language] of [
    ['recommend', 'en'],
    ['miss-us', 'ar'],
  ] as const) {
    await choice('Language').selectOption(language);
    await ask(survey, presentation);
    const box = page.locator('canvass-survey section');
    await box.waitFor();
    const panel = await page.getByRole('complementary').boundingBox();
    const { x = 0, y = 0 } = (await box.boundingBox()) ?? {};
    const isBeside = x >= (panel?.x ?? 0) + (panel?.width ?? 0);
    expect(isBeside || y >= (panel?.y ?? 0) + (panel?.height ?? 0)).toBe(true);
  }
});

it.each(['recommend', 'checkout', 'returns', 'miss-us'])(
  'speaks other languages, from right to left too, in light and dark: %s',
  async (survey) => {
    await choice('Language').selectOption('ar');
    await choice('Colours').selectOption('dark');
    await ask(survey, 'corner');
    const panel = page.getByRole('region', { name: 'رأيك' });
    await panel.getByRole('radio').last().click();
    await panel.getByRole('button', { name: 'إرسال' }).waitFor();
    expect(
      await panel
        .getByRole('group')
        .getByText(/[A-Za-z]/)
        .count(),
    ).toBe(0);
    expect(await panel.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await panel.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(35, 42, 38)',
    );
  },
);

it('asks by itself after a quiet moment', async () => {
  await page.getByRole('button', { name: 'Somebody new' }).click();
  await region().waitFor();
});

it('tells what is stored to its own page alone, and never the secret key', async () => {
  const stored = `${bench.service}/demo/stored?respondentId=${randomUUID()}`;
  expect((await fetch(stored)).status).toBe(403);
  expect((await fetch(stored, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  expect(await page.content()).not.toContain('svc_sk_');
});

it('says what may be asked after an answer, without being asked to', async () => {
  await ask('recommend', '');
  await page.getByText(/^visitor-\w+ may be asked: .*recommend/).waitFor();
  await page.getByRole('radio', { name: '9' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^visitor-\w+ may be asked nothing now, having seen recommend/).waitFor();
});

it('lists a survey that is applied while it runs, and an archived one no longer', async () => {
  const client = createDynamodbClient({ endpoint: bench.database });
  const table = createTable(client, { name: LOCAL_TABLE_NAME });
  const projects = createProjectStore(table, createIndexReader(client, LOCAL_TABLE_NAME));
  const surveys = createSurveyStore(table);
  const id = `sv_${randomUUID()}`;
  const options = () => choice('Survey').locator('option').allTextContents();
  await expect.poll(options).toContain('checkout (CSAT)');
  const content = {
    slug: 'later',
    type: 'ces',
    question: 'Was it easy?',
    presentation: 'corner',
    trigger: 'manual',
  } as const;
  const later = { id, status: 'active', limits: {}, content } as const;
  await projects.createSurvey(bench.demoProject, later);
  /** The instance may know of a change a quarter of a second late. */
  const renewed = async () => {
    const told = page.waitForResponse('**/v1/sdk/bootstrap');
    await page.getByRole('button', { name: 'Somebody new' }).click();
    await (await told).finished();
    return options();
  };
  await expect.poll(renewed).toContain('later (CES)');
  await choice('Survey').selectOption('later');
  await page.getByRole('button', { name: 'Ask' }).click();
  await region().waitFor();
  await surveys.write(bench.demoProject, { created: [], updated: [{ ...later, status: 'archived' }] });
  await expect.poll(renewed).not.toContain('later (CES)');
});
