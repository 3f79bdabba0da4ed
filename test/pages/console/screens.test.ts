/** The console's screens besides the editor and a survey's own: all surveys, the survey file, help. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
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

/** Opens all surveys. */
async function open(who: 'reader' | 'editor', options?: BrowserContextOptions) {
  const at = { url: gateway.url, projectId: tenant.project.id };
  const opened = await openConsole(browser, at, `#key=${await keyOf(who)}`, options);
  await opened.page.getByText(HOSTILE).first().waitFor();
  return opened;
}

describe('all surveys', () => {
  it('are lines that say their texts as they are, and lead to the survey by keyboard too', async () => {
    const { page, problems } = await open('reader');
    await page.waitForFunction("document.title !== 'Surveys · Surveys'");
    expect(await page.title()).toBe('Surveys · Corner <b>shop</b>');
    const line = page.getByRole('listitem').filter({ hasText: HOSTILE });
    expect(await line.textContent()).toMatch(/recommend · Net Promoter Score\s*active/i);
    await page.getByRole('link', { name: HOSTILE }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/survey\/recommend$/);
    expect(problems).toEqual([]);
  });

  it('that are archived are out of the way; a viewer is offered nothing to change', async () => {
    const { page } = await open('reader');
    expect(await page.getByText('Long ago?').isVisible()).toBe(false);
    await page.getByText('Archived (1)').click();
    await page.getByText('Long ago?').waitFor();
    expect(await page.getByRole('link', { name: 'New survey' }).count()).toBe(0);
    const editor = await open('editor');
    await editor.page.getByRole('link', { name: 'New survey' }).waitFor();
  });

  it('say to an editor who changed what lately', async () => {
    const { page } = await open('editor');
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
      /Quite new\?\s*in the console by key [0-9a-f]{12}, /,
    );
  });

  it('that cannot be read say so, and are read again', async () => {
    const { page } = await open('reader');
    await goTo(page, '#/help', 'Help');
    await page.route('**/v1/overview*', (route) => route.abort());
    await page.getByRole('link', { name: 'Surveys', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'did not respond' }).waitFor();
    await page.unroute('**/v1/overview*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(HOSTILE).first().waitFor();
  });
});

it('the survey file says what the command line pulls', async () => {
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

it('every screen goes on with its own files once a later release has taken them away', async () => {
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
  ] as const) {
    await goTo(page, hash, heading);
  }
});

it('a file of the console that is gone says so, and the one that is open stays', async () => {
  const page = await browser.newPage();
  let isGone = false;
  await page.route('**/console/assets/**', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto(`${gateway.url}/console/${tenant.project.id}`);
  await page.getByLabel('Your key').waitFor();
  isGone = true;
  await page.getByLabel('Your key').fill(await keyOf('reader'));
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'was updated' }).waitFor();
  isGone = false;
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText(HOSTILE).first().waitFor();
});

it('a page whose script is gone says so', async () => {
  const page = await browser.newPage();
  await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${gateway.url}/console/${tenant.project.id}`);
  await page.getByRole('alert').filter({ hasText: 'was updated' }).waitFor();
});

describe('nothing that axe finds, and nothing cut', () => {
  it.each(APPEARANCES)('all surveys, %s', async (_, options) => {
    const { page } = await open('editor', options);
    await page.getByText('Archived (1)').click();
    await page.getByText('Long ago?').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });

  it('the other screens, 320 px', async () => {
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
});
