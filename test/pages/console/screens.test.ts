import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { APPEARANCES, problemsOf, useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import type { Tenant } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { goTo, openConsole, personKey } from './support/open-console.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> # yes: "quoted" \u202e';

const browser = useChromium();
const { service, gateway } = await useServedService();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await service.tenant({ displayName: 'Corner <b>shop</b>', accent: '#00aa77' }, [
    aSurvey({}, { slug: 'recommend', question: HOSTILE }),
    aSurvey({ status: 'archived' }, { slug: 'old', question: 'Long ago?' }),
  ]);
});

const keyOf = async (who: 'reader' | 'editor') =>
  (await personKey(service, tenant.project.id, who, ...(who === 'editor' ? ['--comments'] : []))).key;

async function open(who: 'reader' | 'editor', options?: BrowserContextOptions) {
  const at = { url: gateway.url, projectId: tenant.project.id };
  const opened = await openConsole(browser, at, `#key=${await keyOf(who)}`, options);
  await opened.page.getByText(HOSTILE).first().waitFor();
  return opened;
}

it('lists surveys for a reader, shows texts as they are, and opens a survey with the keyboard', async () => {
  const { page, problems } = await open('reader');
  await page.waitForFunction("document.title !== 'Surveys · Surveys'");
  expect(await page.title()).toBe('Surveys · Corner <b>shop</b>');
  const line = page.getByRole('listitem').filter({ hasText: HOSTILE });
  expect(await line.textContent()).toMatch(/recommend · Net Promoter Score\s*Active/);
  expect(await page.getByText('Long ago?').isVisible()).toBe(false);
  await page.getByText('Archived (1)').click();
  await page.getByText('Long ago?').waitFor();
  expect(await page.getByRole('link', { name: 'New survey' }).count()).toBe(0);
  await page.getByRole('link', { name: HOSTILE }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/survey\/recommend$/);
  await expect.poll(() => page.title()).toBe('recommend · Surveys · Corner <b>shop</b>');
  await page.route('**/v1/overview*', (route) => route.abort());
  await page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: 'Surveys', exact: true })
    .click();
  await page.getByRole('alert').filter({ hasText: 'did not respond' }).waitFor();
  await page.unroute('**/v1/overview*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(HOSTILE).first().waitFor();
  expect(problems).toEqual([]);
});

it('shows an editor the recent changes', async () => {
  const { page } = await open('editor');
  await page.getByRole('link', { name: 'New survey' }).waitFor();
  await goTo(page, '#/help', 'Help');
  const put = { revision: 0, surveys: [{ slug: 'new', type: 'nps', question: 'Quite new?' }] };
  const headers = { authorization: `Bearer ${await keyOf('editor')}` };
  const send = (body: object) =>
    fetch(`${gateway.url}/v1/surveys/definitions`, { method: 'PUT', headers, body: JSON.stringify(body) });
  const refused = await send(put);
  const { error } = JSON.parse(await refused.text());
  expect((await send({ ...put, revision: error.details.revision })).status).toBe(200);
  await page.getByRole('link', { name: 'Surveys', exact: true }).click();
  const changes = page.getByRole('region', { name: 'Recent changes' });
  expect(await changes.getByRole('listitem').first().textContent()).toMatch(
    /Quite new\?\s*Changed in the console by key [0-9a-f]{12}, /,
  );
});

it('offers the same survey file that `survey pull` writes', async () => {
  const { page } = await open('reader');
  await goTo(page, '#/yaml', 'Survey file');
  const file = join(temporaryFolder(), 'surveys.yaml');
  await createAdminCli(service).run('survey', 'pull', '--project', tenant.project.id, '-f', file);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('surveys.yaml');
  const saved = join(temporaryFolder(), 'saved.yaml');
  await download.saveAs(saved);
  const [text, pulled] = [readFileSync(saved, 'utf8'), readFileSync(file, 'utf8')];
  expect(parse(text)).toEqual(parse(pulled));
  expect(text.split('\n').toSorted()).toEqual(pulled.split('\n').toSorted());
});

it('opens every screen after a later release has deleted the files', async () => {
  const page = await browser.newPage();
  const read: string[] = [];
  page.on('requestfinished', (request) => read.push(request.url()));
  await page.goto(`${gateway.url}/console/${tenant.project.id}#key=${await keyOf('reader')}`);
  const isRead = (name: string) => read.some((address) => address.includes(`/assets/${name}-`));
  const screens = ['editor', 'help', 'survey', 'yaml'];
  await expect.poll(() => screens.filter(isRead)).toEqual(screens);
  await page.waitForLoadState('networkidle');
  await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404 }));
  for (const [hash, heading] of [
    ['#/help', 'Help'],
    ['#/yaml', 'Survey file'],
    ['#/survey/recommend', 'recommend'],
  ] as const)
    await goTo(page, hash, heading);
});

it('explains when the script or the file of a screen is missing, and works after a reload', async () => {
  const page = await browser.newPage();
  let isGone = true;
  await page.route('**/console/assets/*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto(`${gateway.url}/console/${tenant.project.id}`);
  await page.getByRole('alert').filter({ hasText: 'has been updated' }).waitFor();
  isGone = false;
  await page.reload();
  await page.getByLabel('Your key').waitFor();
  isGone = true;
  await page.getByLabel('Your key').fill(await keyOf('reader'));
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'since you opened this tab' }).waitFor();
  isGone = false;
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText(HOSTILE).first().waitFor();
});

it.each(APPEARANCES)(
  'at %s, lists surveys without accessibility problems and cuts nothing',
  async (_, options) => {
    const { page } = await open('editor', options);
    await page.getByText('Archived (1)').click();
    await page.getByText('Long ago?').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  },
);

it('has no accessibility problems and cuts nothing on the other screens at 320 px', async () => {
  const { page } = await open('editor', { viewport: { width: 320, height: 700 } });
  for (const [hash, heading, last] of [
    ['#/yaml', 'Survey file', 'textarea'],
    ['#/help', 'Help', 'h1'],
    ['#/none', 'Page not found', 'h1'],
  ] as const) {
    await goTo(page, hash, heading);
    await page.locator(`main ${last}`).waitFor();
    expect(await problemsOf(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Your key').waitFor();
  expect(await problemsOf(page)).toEqual([]);
});
