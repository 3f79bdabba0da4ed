import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { LOCAL_TABLE_NAME } from '../../../../local/running-instance.ts';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../../shared/data/projects/survey-store.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { stickyHash } from '../../../../shared/domain/surveys/sticky-hash.ts';
import type { Survey } from '../../../../shared/domain/surveys/survey.ts';
import { useDemoPages } from '../support/demo-page.ts';
import { bench } from '../support/shop.ts';

const openPage = useDemoPages();
let page: Page;
beforeEach(async () => {
  ({ page } = await openPage());
  await page.goto(bench.service);
});

const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
const visitor = () => choice('Visitor').locator('option:checked').textContent();
const somebodyNew = () => page.getByRole('button', { name: 'New visitor' }).click();
const ask = async (survey: string) => {
  await choice('Survey').selectOption(survey);
  await somebodyNew();
};
const shop = () => page.frameLocator('iframe');
const region = () => shop().getByRole('region', { name: 'Feedback' });
const answer = async (value: string) => {
  await shop().getByRole('radio', { name: value }).click();
  for (let step = 0; step < 2; step++) await region().getByRole('button', { name: 'Send' }).click();
};

it.each([
  ['recommend', 'corner'],
  ['checkout', 'inline'],
  ['returns', 'banner'],
  ['miss-us', 'corner'],
  ['helpful', 'inline'],
  ['purpose', 'corner'],
  ['improve', 'inline'],
])('asks a new person %s, %s', async (survey, presentation) => {
  await ask(survey);
  await shop().locator(`canvass-survey .${presentation}`).waitFor();
});

it('shows eligible surveys, and the answer as stored', async () => {
  await ask('checkout');
  await shop().getByRole('radio', { name: '2, ' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await region().getByRole('textbox').fill('Too many steps');
  await region().getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^\d\d:\d\d:\d\d Visitor \w+ answered Checkout: 2\sof\s5, “Too many steps”$/).click();
  await page.locator('#stored').getByText('"text": "Too many steps"').waitFor();
  await page.getByText(/may be asked nothing now, having seen Checkout/).waitFor();
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText(/is in a quiet period, and is not asked. Press New visitor/).waitFor();
  await choice('Visitor').selectOption('ben');
  await page.getByText(/^Ben may be asked: .*Checkout/).waitFor();
});

it('has a button with which people give feedback, and still asks them', async () => {
  await shop().getByRole('button', { name: 'Feedback', exact: true }).click();
  await region().getByRole('textbox').fill('More ferns, please');
  await region().getByRole('button', { name: 'Send' }).click();
  await page.locator('#stored').getByText('answered Feedback, “More ferns, please”').waitFor();
  await page.getByText(/^Ann may be asked: .*Checkout/).waitFor();
  expect(await choice('Survey').textContent()).not.toContain('Feedback');
});

it('lists the events of an answer with all of their fields', async () => {
  await ask('checkout');
  await answer('2, ');
  const person = (await visitor()) ?? '';
  const event = page.locator('#events details').filter({ hasText: person.toLowerCase().replace(' ', '-') });
  await event.getByText('Response Recorded · Checkout: 2 of 5').click();
  await event.getByText('"low": true').waitFor();
});

it('shows the current person, even if a reply about another one is late', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.getByText(/^Ann may be asked: /).waitFor();
  await page.route('**/demo/stored?respondentId=chloe', async (route) => {
    await held;
    await route.continue();
  });
  const late = page.waitForResponse('**/demo/stored?respondentId=chloe');
  await choice('Visitor').selectOption('chloe');
  await choice('Visitor').selectOption('ben');
  await page.locator('#stored').getByText('Nothing from Ben yet.').waitFor();
  release();
  await (await late).finished();
  await page.getByText(/^Ben may be asked: /).waitFor();
  await page.evaluate("fetch('/demo/stored?respondentId=ben').then((reply) => reply.json())");
  expect(await page.locator('#stored').textContent()).toBe('Nothing from Ben yet.');
});

it('sorts stored answers and deliveries by time, newest first', async () => {
  await ask('checkout');
  await answer('4, ');
  await page.locator('#events').getByText('Response Recorded · Checkout: 4 of 5').waitFor();
  const times = await page
    .locator('#events summary')
    .evaluateAll((lines) => lines.map((line) => line.textContent?.slice(0, 8)));
  expect(times).toEqual(times.toSorted().toReversed());
});

it('keeps every part of the phone layout', async () => {
  await somebodyNew();
  const person = await visitor();
  await choice('Language').selectOption('ar');
  await choice('Appearance').selectOption('dark');
  await choice('Survey').selectOption('miss-us');
  await choice('Device').selectOption('phone');
  await page.getByRole('button', { name: 'Ask' }).click();
  const box = shop().getByRole('region', { name: 'رأيك' });
  await box.locator('legend', { hasText: 'كيف ستشعر' }).waitFor();
  expect((await page.locator('iframe').boundingBox())?.width).toBeLessThan(400);
  const { width = 0 } = (await box.boundingBox()) ?? {};
  expect(width).toBeGreaterThan(330);
  const root = shop().locator('html');
  expect(await root.getAttribute('lang')).toBe('ar');
  expect(await root.evaluate((html) => getComputedStyle(html).colorScheme)).toBe('dark');
  await page.reload();
  await page.getByText(`${person} may be asked: `).waitFor();
  expect(await choice('Survey').inputValue()).toBe('miss-us');
  expect(await choice('Device').inputValue()).toBe('phone');
});

it.each(['recommend', 'checkout', 'returns', 'miss-us'])(
  'supports other languages, right to left, light and dark: %s',
  async (survey) => {
    await choice('Language').selectOption('ar');
    await choice('Appearance').selectOption('dark');
    await ask(survey);
    const panel = shop().getByRole('region', { name: 'رأيك' });
    await shop().getByText('الطلب 1042').waitFor();
    await panel.getByRole('radio').last().click();
    await panel.getByRole('button', { name: 'إرسال' }).waitFor();
    const words = panel.getByRole('group').getByText(/[A-Za-z]/);
    expect(await words.count()).toBe(0);
    const look = await panel.evaluate((element) => {
      const { direction, backgroundColor } = getComputedStyle(element);
      return [direction, backgroundColor];
    });
    expect(look).toEqual(['rtl', 'rgb(35, 42, 38)']);
  },
);

it('shows an `auto` survey after a quiet moment', async () => {
  await page.goto(`${bench.service}/?person=visitor-${randomUUID()}`);
  await region().waitFor();
});

it('groups repeated events under the newest time', async () => {
  const seen = page.locator('#events summary').filter({ hasText: 'Survey Shown · Checkout' });
  await ask('checkout');
  // No events are sent if the page is left immediately.
  await seen.waitFor();
  await page.getByRole('button', { name: 'Ask' }).click();
  await seen.getByText(/^\d\d:\d\d:\d\d Survey Shown · Checkout ×\d+$/).click();
  await page.locator('#events pre').getByText('"surveySlug": "checkout"').first().waitFor();
});

it('shows a new visitor no earlier events', async () => {
  const events = page.locator('#events');
  await ask('checkout');
  await events.getByText('Survey Shown · Checkout').waitFor();
  await ask('returns');
  await events.getByText('Survey Shown · Returns').waitFor();
  expect(await events.getByText('Checkout').count()).toBe(0);
});

it('returns stored data to its own page only, and never the secret key', async () => {
  const stored = `${bench.service}/demo/stored?respondentId=${randomUUID()}`;
  expect((await fetch(stored)).status).toBe(403);
  expect((await fetch(stored, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  expect(await page.content()).not.toContain('svc_sk_');
});

it('updates eligible surveys after an answer', async () => {
  await ask('recommend');
  await page.getByText(/^Visitor \w+ may be asked: .*Recommend/).waitFor();
  await answer('9');
  await page.getByText(/^Visitor \w+ may be asked nothing now, having seen Recommend/).waitFor();
  const weight = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).fontWeight);
  await expect.poll(() => weight('New visitor')).toBe('600');
  expect(await weight('Ask')).toBe('400');
});

function openStores() {
  const client = createDynamodbClient({ endpoint: bench.database });
  const table = createTable(client, { name: LOCAL_TABLE_NAME });
  const projects = createProjectStore(table, createIndexReader(client, LOCAL_TABLE_NAME));
  return { projects, surveys: createSurveyStore(table) };
}

const options = () => choice('Survey').locator('option').allTextContents();
/** The instance may see a change a quarter of a second late. */
async function renewed(): Promise<string[]> {
  const told = page.waitForResponse('**/v1/sdk/bootstrap');
  await somebodyNew();
  await (await told).finished();
  return options();
}

it('asks a new person on plan pro the sampled survey, whatever else the shop asks', async () => {
  const { projects, surveys } = openStores();
  const content: Survey['content'] = {
    slug: 'for-pros',
    type: 'nps',
    question: 'Would you recommend pro?',
    presentation: 'corner',
    trigger: 'auto',
    targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
    samplePercent: 10,
  };
  const survey: Survey = { id: `sv_${randomUUID()}`, status: 'active', limits: {}, content };
  await projects.createSurvey(bench.demoProject, survey);
  await expect.poll(renewed).toContain('NPS · For pros');
  await choice('Survey').selectOption('for-pros');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('It is meant for others: choose another plan.').waitFor();
  await choice('Plan').selectOption('pro');
  const outside = Array.from({ length: 99 }, (_, n) => `outsider-${n}`).find(
    (visitor) => stickyHash(visitor, survey.id) % 100 >= 10,
  );
  await page.goto(`${bench.service}/?survey=for-pros&plan=pro&person=${outside}`);
  await expect.poll(options).toContain('NPS · For pros');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText(`It asks 10 of 100, and Outsider ${outside?.slice(9)} is not among them.`).waitFor();
  for (let time = 0; time < 2; time++) {
    await somebodyNew();
    await page.getByText(/^Visitor \w+ may be asked: /).waitFor();
    await region().getByText('Would you recommend pro?', { exact: true }).waitFor();
  }
  await region().getByRole('radio', { name: '9' }).click();
  await region().getByRole('button', { name: 'Send' }).click();
  await page.locator('#stored').getByText('answered For pros: 9 of 10').waitFor();
  await surveys.write(bench.demoProject, { created: [], updated: [{ ...survey, status: 'archived' }] });
  await expect.poll(renewed).not.toContain('NPS · For pros');
});

it('lists a newly applied survey, and no longer an archived one', async () => {
  const { projects, surveys } = openStores();
  const id = `sv_${randomUUID()}`;
  await expect.poll(options).toContain('CSAT · Checkout');
  const texts = { slug: 'later', question: 'Was it easy?' };
  const content = { ...texts, type: 'ces', presentation: 'corner', trigger: 'manual' } as const;
  const later = { id, status: 'active', limits: {}, content } as const;
  await projects.createSurvey(bench.demoProject, later);
  await expect.poll(renewed).toContain('CES · Later');
  await choice('Survey').selectOption('later');
  await page.getByRole('button', { name: 'Ask' }).click();
  await region().waitFor();
  await surveys.write(bench.demoProject, { created: [], updated: [{ ...later, status: 'archived' }] });
  await expect.poll(renewed).not.toContain('CES · Later');
});
