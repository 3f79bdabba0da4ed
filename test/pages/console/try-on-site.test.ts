/** A draft is tried on a page of the product, before anybody is asked. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../../local/gateway.ts';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { serveService } from '../../support/service/served-service.ts';
import { createTestService, type TestService } from '../../support/service/test-service.ts';
import { openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
let service: TestService;
let gateway: Gateway;
beforeAll(async () => {
  service = await createTestService();
  gateway = await serveService(service);
});
afterAll(() => gateway.stop());

it('a link of an hour shows what is typed, and no longer once it is typed anew; nothing is stored', async () => {
  const { project, publishableKey } = await service.tenant({}, []);
  const at = { service, url: gateway.url, projectId: project.id };
  const { page, stored, problems } = await openEditor(browser, at, '#/new');
  await questionOf(page).fill('Tried first?');
  const make = page.getByRole('button', { name: 'Make a link' });
  await make.click();
  await page.getByText('Give the address of a page of your product.').waitFor();
  await page.getByLabel('A page of your product').fill('https://shop.example/orders?x=1#top');
  await make.click();
  const link = page.getByRole('link', { name: 'Open it' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.href).toMatch(/^https:\/\/shop\.example\/orders\?x=1&canvass-preview=[\w.~-]+#top$/);
  const asked = await fetch(`${gateway.url}/v1/sdk/bootstrap`, {
    method: 'POST',
    body: JSON.stringify({
      key: publishableKey,
      userId: 'somebody',
      preview: address.searchParams.get('canvass-preview'),
    }),
  });
  expect(await asked.json()).toMatchObject({ surveys: [{ question: 'Tried first?' }] });
  expect((await stored()).surveys).toEqual([]);
  await questionOf(page).fill('Typed anew?');
  await link.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});
