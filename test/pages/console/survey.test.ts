import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { DAY } from '../../../shared/domain/duration.ts';
import { problemsOf, useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aResponseRow, deliver } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { useServedService } from '../../support/service/served-service.ts';
import type { Tenant } from '../../support/service/test-service.ts';
import { expireSettings, openConsole, personKey } from './support/open-console.ts';

const QUESTION = 'How likely?';
const TEXT = '<b>Fast</b> and calm';
const COUNT = 12;

const browser = useChromium();
const { service, gateway } = await useServedService();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await service.tenant({}, [
    aSurvey({}, { slug: 'recommend', question: QUESTION }),
    aSurvey({}, { slug: 'other', question: 'Another?' }),
  ]);
  const [projectId, surveyId] = [tenant.project.id, tenant.surveys[0]?.id ?? ''];
  const timeOf = (index: number) => service.clock.now() - index * DAY;
  await deliver(
    service,
    Array.from({ length: COUNT }, (_, index) =>
      aResponseRow({ projectId, surveyId, at: new Date(timeOf(index)).toISOString(), rating: 9 }),
    ),
  );
  await seedAnswers(service.table, {
    projectId,
    surveyIds: [surveyId],
    count: COUNT,
    momentOf: timeOf,
    responseOf: (index) => ({
      rating: 9,
      text: `${TEXT} ${index}`,
      ...(index === 0 && { followUpRequested: true, contact: 'ann@example.com' }),
    }),
  });
});

async function open(flags: readonly string[] = ['--comments'], options?: BrowserContextOptions) {
  const made = await personKey(service, tenant.project.id, 'editor', ...flags);
  const at = { url: gateway.url, projectId: tenant.project.id, now: service.clock.now() };
  const opened = await openConsole(browser, at, `#key=${made.key}`, options);
  await opened.page.getByRole('link', { name: QUESTION }).click();
  await opened.page.getByRole('heading', { name: QUESTION }).waitFor();
  return { ...opened, ...made };
}

it('shows results and comments, keeps the view in the address, and returns to the earlier view', async () => {
  const { page, problems } = await open();
  await page.getByText(`${TEXT} 0`).first().waitFor();
  await page.getByLabel('Period', { exact: true }).selectOption('7');
  await page.waitForURL(/#\/survey\/recommend\?days=7$/);
  await page.getByText('vs. previous 7 days').waitFor({ state: 'attached' });
  await page.reload();
  await page.getByRole('heading', { name: QUESTION }).waitFor();
  await expect.poll(() => page.getByLabel('Period', { exact: true }).inputValue()).toBe('7');
  await page.goBack();
  await page.waitForURL(/#\/survey\/recommend$/);
  await expect.poll(() => page.getByLabel('Period', { exact: true }).inputValue()).toBe('90');
  expect(problems).toEqual([]);
});

it('shows another survey, and then the first one again', async () => {
  const { page } = await open();
  for (const [question, slug] of [
    ['Another?', 'other'],
    [QUESTION, 'recommend'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page.getByRole('link', { name: question }).click();
    await page.getByRole('heading', { name: question }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(slug);
  }
  await page.getByText(`${TEXT} 0`).first().waitFor();
});

it('shows no comments and no ended sign-in for a key without comments', async () => {
  const { page } = await open([]);
  await page.getByText('95% interval').first().waitFor();
  expect(await page.getByText('Your key does not work').count()).toBe(0);
  expect(await page.getByText(TEXT).count()).toBe(0);
});

it('keeps a note that was typed when the key was revoked, and saves it with the next key', async () => {
  const first = await open();
  const next = await personKey(service, tenant.project.id, 'editor', '--comments');
  const { page } = first;
  const note = page.getByLabel('Note for colleagues');
  await note.fill('I called her');
  await createAdminCli(service).json('key', 'revoke', first.keyId, '--project', tenant.project.id);
  expireSettings(service);
  await page.getByRole('button', { name: 'Mark as handled' }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'Your key does not work' });
  await banner.getByLabel('Your key').waitFor();
  await page.reload();
  await banner.getByLabel('Your key').fill(next.key);
  await banner.getByRole('button', { name: 'Open', exact: true }).click();
  await note.waitFor();
  // The note is restored after the list is drawn.
  await expect.poll(() => note.inputValue()).toBe('I called her');
  await page.getByRole('button', { name: 'Mark as handled' }).click();
  await page.getByText('I called her').waitFor();
  await page.getByText('Marked as handled. Your note was saved.').waitFor();
  const kept = () => page.evaluate('JSON.stringify({ ...sessionStorage })');
  await expect.poll(kept).not.toContain('I called her');
});

it('has no accessibility problems and cuts nothing, at any size and in any color scheme', async () => {
  const { page } = await open();
  await page.getByText(`${TEXT} 0`).first().waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1_280, 320]) {
      await page.setViewportSize({ width, height: 700 });
      expect([colorScheme, width, await problemsOf(page)]).toEqual([colorScheme, width, []]);
    }
  }
});
