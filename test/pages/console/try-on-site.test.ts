/** A draft is tried on a page of the product, before anybody is asked. */

import { expect, it } from 'vitest';
import { buildSdk, filesOf } from '../../../bin/build/build-sdk.ts';
import { PATIENCE_MS } from '../../sdk/browser/support/patience.ts';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { scanAll } from '../../support/scan-all.ts';
import { serveInTest } from '../../support/serve.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

/** A page of the product, on an origin of its own, which hosts the client's files as a customer does. */
async function productOf(key: string): Promise<string> {
  const files = new Map<string, string>(
    filesOf(await buildSdk()).flatMap(({ stableName, hashedName, text }) => [
      [`/sdk/${stableName}`, text] as [string, string],
      [`/sdk/${hashedName}`, text] as [string, string],
    ]),
  );
  const page = `<!doctype html><title>Shop</title><script async src="/sdk/canvass.js" data-key="${key}" data-base-url="${gateway.url}" data-user="ann"></script>`;
  return serveInTest(({ url = '' }, response) => {
    const script = files.get(url);
    response.setHeader('content-type', script === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
    response.end(script ?? page);
  });
}

it('a link of an hour shows what is typed on the product itself, until it is typed anew; nothing is stored', async () => {
  const { project, publishableKey } = await service.tenant({}, []);
  const product = await productOf(publishableKey);
  const at = { service, url: gateway.url, projectId: project.id };
  const { page, stored, problems } = await openEditor(browser, at, '#/new');
  await questionOf(page).fill('Tried first?');
  await page.getByRole('textbox', { name: 'Message after the response' }).fill('Thanks a lot');
  const make = page.getByRole('button', { name: 'Create link' });
  await make.click();
  await page.getByText('Enter the address of a page of your product.').waitFor();
  await page.getByLabel('A page of your product').fill(`${product}/orders?x=1#top`);
  await make.click();
  const link = page.getByRole('link', { name: 'Open the page' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.href.replace(product, '')).toMatch(/^\/orders\?x=1&canvass-preview=[\w.~-]+#top$/);
  const before = await scanAll(service.table, project.id);
  const [shop] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  shop.setDefaultTimeout(PATIENCE_MS);
  const asked: string[] = [];
  shop.on('request', (request) => asked.push(request.url()));
  const widget = shop.getByRole('region', { name: 'Feedback' });
  await widget.locator('legend').filter({ hasText: 'Tried first?' }).waitFor();
  await widget.getByRole('radio', { name: /^9/ }).check({ force: true });
  await widget.getByRole('button', { name: 'Send' }).click();
  await widget.getByText('Thanks a lot').first().waitFor();
  await shop.waitForLoadState('networkidle');
  expect(asked.filter((each) => /responses|dismissals|impressions/.test(each))).toEqual([]);
  expect(await scanAll(service.table, project.id)).toEqual(before);
  expect((await stored()).surveys).toEqual([]);
  await questionOf(page).fill('Typed anew?');
  await link.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});
