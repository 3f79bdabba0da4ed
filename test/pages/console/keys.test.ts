/** Coming in with a key: pasted, or in an address that forgets it. */

import { beforeAll, expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { serveInTest } from '../../support/serve.ts';
import { useServedService } from '../../support/service/served-service.ts';
import type { Tenant } from '../../support/service/test-service.ts';
import { openConsole, personKey } from './support/open-console.ts';

const QUESTION = '<b>How</b> likely?';

const browser = useChromium();
const { service, gateway } = await useServedService();
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  tenant = await service.tenant({}, [aSurvey({}, { question: QUESTION })]);
  other = await service.tenant({}, [aSurvey({}, { question: 'Another?' })]);
});

const open = (hash = '', projectId = tenant.project.id) =>
  openConsole(browser, { url: gateway.url, projectId }, hash);

it('pasted, it shows the surveys, stays for a reload, and is forgotten', async () => {
  const { key } = await personKey(service, tenant.project.id, 'reader');
  const { page, problems, requests } = await open();
  await page.getByLabel('Your key').fill(`https://surveys.example/console/x#key=${key}`);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText(QUESTION).waitFor();
  await page.reload();
  await page.getByText(QUESTION).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Your key').waitFor();
  await page.reload();
  await page.getByLabel('Your key').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(key);
  expect(problems).toEqual([]);
  expect(requests.filter((path) => !path.startsWith('/'))).toEqual([]);
});

it('of another kind is not sent, and says why', async () => {
  const { page, requests } = await open();
  for (const key of [tenant.secretKey, 'rubbish']) {
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').waitFor();
    await page.reload();
    await page.getByLabel('Your key').waitFor();
  }
  expect(requests.filter((path) => path.startsWith('/v1/') && !path.includes('sign-in'))).toEqual([]);
});

it('in the address, it leaves it at once, and history does not have it', async () => {
  const { key } = await personKey(service, tenant.project.id, 'reader');
  const { page } = await open(`#key=${key}`);
  await page.getByText(QUESTION).waitFor();
  expect(page.url()).toBe(`${gateway.url}/console/${tenant.project.id}#/`);
  expect(await page.evaluate('history.length')).toBe(2);
});

it('in the address, it replaces nobody without asking', async () => {
  const { key } = await personKey(service, tenant.project.id, 'reader');
  const theirs = await personKey(service, other.project.id, 'reader');
  const { page } = await open(`#key=${key}`);
  await page.getByText(QUESTION).waitFor();
  await page.goto(`${gateway.url}/console/${tenant.project.id}?again#key=${theirs.key}`);
  const asked = page.getByRole('alert').filter({ hasText: 'instead of your current' });
  await asked.getByRole('button', { name: 'Keep the current sign-in' }).click();
  await page.getByText(QUESTION).waitFor();
  await page.goto(`${gateway.url}/console/${tenant.project.id}?once-more#key=${theirs.key}`);
  await asked.getByRole('button', { name: 'Use the key' }).click();
  // It is of another project, whose surveys are not those of this address.
  await page.getByText('This key is for another project').waitFor();
  expect(await page.getByText('Another?').isVisible()).toBe(false);
});

it('in an address that a console already open goes to, it is taken out and asked about as well', async () => {
  const { key } = await personKey(service, tenant.project.id, 'reader');
  const theirs = await personKey(service, other.project.id, 'reader');
  const address = `${gateway.url}/console/${tenant.project.id}#/`;
  const { page } = await open();
  await page.getByLabel('Your key').waitFor();
  await page.evaluate(`location.hash = 'key=rubbish'`);
  await page.getByRole('alert').filter({ hasText: 'not a reader key' }).waitFor();
  await page.evaluate(`location.hash = 'key=${key}'`);
  await page.getByText(QUESTION).waitFor();
  expect(page.url()).toBe(address);
  await page.evaluate(`location.hash = 'key=${theirs.key}'`);
  const asked = page.getByRole('alert').filter({ hasText: 'instead of your current' });
  await asked.waitFor();
  expect(page.url()).toBe(address);
  await asked.getByRole('button', { name: 'Keep the current sign-in' }).click();
  await page.getByText(QUESTION).waitFor();
  await page.evaluate(`location.hash = 'key=${key}'`);
  await expect.poll(() => page.url()).toBe(address);
  expect(await asked.count()).toBe(0);
});

it('of an editor is taken from the address of a local run, and of no other', async () => {
  const { key } = await personKey(service, tenant.project.id, 'editor');
  const { page } = await open(`#key=${key}`);
  await page.getByText(QUESTION).waitFor();
  // The same page under a name that others could reach.
  const elsewhere = await browser.newPage();
  await elsewhere.route('**/*', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: gateway.url + pathname + search }) });
  });
  await elsewhere.goto(`http://surveys.example/console/${tenant.project.id}#key=${key}`);
  await elsewhere.getByText('The link contains an editor key').waitFor();
  expect(elsewhere.url()).not.toContain(key);
  expect(await elsewhere.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(key);
});

it('that is revoked leaves what is shown, and takes another one', async () => {
  const first = await personKey(service, tenant.project.id, 'reader');
  const next = await personKey(service, tenant.project.id, 'reader');
  const { page } = await open(`#key=${first.key}`);
  await page.getByText(QUESTION).waitFor();
  const admin = createAdminCli(service);
  await admin.json('key', 'revoke', first.keyId, '--project', tenant.project.id);
  service.clock.advance(31_000);
  await page.reload();
  const banner = page.getByRole('alert').filter({ hasText: 'Your key does not work' });
  await banner.getByLabel('Your key').fill(next.key);
  await banner.getByRole('button', { name: 'Open' }).click();
  await page.getByText(QUESTION).waitFor();
  await banner.waitFor({ state: 'hidden' });
});

it('in a frame of somebody else’s, the page shows nothing and asks nothing', async () => {
  const { key } = await personKey(service, tenant.project.id, 'reader');
  const framed = `<iframe src="${gateway.url}/console/${tenant.project.id}#key=${key}"></iframe>`;
  const evil = await serveInTest((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(framed),
  );
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(evil);
  await refused;
  expect(asked.filter((path) => path.startsWith('/v1/'))).toEqual([]);
});
