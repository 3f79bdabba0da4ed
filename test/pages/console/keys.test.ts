import { beforeAll, expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { serveInTest } from '../../support/serve.ts';
import { useServedService } from '../../support/service/served-service.ts';
import type { Tenant } from '../../support/service/test-service.ts';
import { openConsole, personKey, press } from './support/open-console.ts';

const QUESTION = '<b>How</b> likely?';

const browser = useChromium();
const { service, gateway } = await useServedService();
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  tenant = await service.tenant({}, [aSurvey({}, { question: QUESTION })]);
  other = await service.tenant({}, [aSurvey({}, { question: 'Another?' })]);
});

const open = (hash = '') => openConsole(browser, { url: gateway.url, projectId: tenant.project.id }, hash);
const keyOf = async (of: Tenant, kind: 'reader' | 'editor' = 'reader') =>
  (await personKey(service, of.project.id, kind)).key;

it('shows the surveys after a reader key is pasted, until the person signs out', async () => {
  const key = await keyOf(tenant);
  const { page, problems, requests } = await open();
  for (const wrong of [tenant.secretKey, 'rubbish']) {
    await page.getByLabel('Your key').fill(wrong);
    await press(page, 'Open');
    await page.getByRole('alert').waitFor();
    await page.reload();
    await page.getByLabel('Your key').waitFor();
  }
  // Keys of other kinds are not sent.
  expect(requests.filter((path) => path.startsWith('/v1/') && !path.includes('sign-in'))).toEqual([]);
  await page.getByLabel('Your key').fill(`https://surveys.example/console/x#key=${key}`);
  await press(page, 'Open');
  await page.getByText(QUESTION).waitFor();
  await page.reload();
  await page.getByText(QUESTION).waitFor();
  await press(page, 'Sign out');
  await page.getByLabel('Your key').waitFor();
  await page.reload();
  await page.getByLabel('Your key').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(key);
  expect(problems).toEqual([]);
  expect(requests.filter((path) => !path.startsWith('/'))).toEqual([]);
});

it('takes a key out of the address and the history, and replaces a sign-in only with consent', async () => {
  const [key, theirs] = [await keyOf(tenant), await keyOf(other)];
  const address = `${gateway.url}/console/${tenant.project.id}`;
  const { page } = await open(`#key=${key}`);
  await page.getByText(QUESTION).waitFor();
  expect(page.url()).toBe(`${address}#/`);
  expect(await page.evaluate('history.length')).toBe(2);
  const asked = page.getByRole('alert').filter({ hasText: 'instead of your current' });
  const keepCurrent = async () => {
    await asked.getByRole('button', { name: 'Keep the current sign-in' }).click();
    await page.getByText(QUESTION).waitFor();
  };
  // Opens the key in a console that is already open.
  await page.evaluate(`location.hash = 'key=${theirs}'`);
  await asked.waitFor();
  expect(page.url()).toBe(`${address}#/`);
  await keepCurrent();
  await page.evaluate(`location.hash = 'key=${key}'`);
  await expect.poll(() => page.url()).toBe(`${address}#/`);
  expect(await asked.count()).toBe(0);
  // Loads the page again from a link with a key.
  await page.goto(`${address}?again#key=${theirs}`);
  await keepCurrent();
  await page.goto(`${address}?once-more#key=${theirs}`);
  await asked.getByRole('button', { name: 'Use the key' }).click();
  await page.getByText('This key is for another project').waitFor();
  expect(await page.getByText('Another?').isVisible()).toBe(false);
});

it('takes a key from the address of a console that is open without a sign-in', async () => {
  const { page } = await open();
  await page.getByLabel('Your key').waitFor();
  await page.evaluate(`location.hash = 'key=rubbish'`);
  await page.getByRole('alert').filter({ hasText: 'not a valid key' }).waitFor();
  await page.evaluate(`location.hash = 'key=${await keyOf(tenant)}'`);
  await page.getByText(QUESTION).waitFor();
});

it('takes an editor key only from the address of a local run', async () => {
  const key = await keyOf(tenant, 'editor');
  const { page } = await open(`#key=${key}`);
  await page.getByText(QUESTION).waitFor();
  // Opens the same page under a host name that other people could reach.
  const elsewhere = await browser.newPage();
  await elsewhere.route('**/*', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: gateway.url + pathname + search }) });
  });
  await elsewhere.goto(`http://surveys.example/console/${tenant.project.id}#key=${key}`);
  await elsewhere.getByText('This link contains an editor key').waitFor();
  expect(elsewhere.url()).not.toContain(key);
  expect(await elsewhere.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(key);
});

it('shows and requests nothing in a frame of another site', async () => {
  const framed = `<iframe src="${gateway.url}/console/${tenant.project.id}#key=${await keyOf(tenant)}"></iframe>`;
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
