import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildSdk, filesOf } from '../../../../bin/build/build-sdk.ts';
import { sdkFileHeaders } from '../../../support/stack/synthesised-stack.ts';
import { connectChromium } from '../support/chromium.ts';
import { answer, rowsOf } from '../support/delivery.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { bench, openShop, openShopShowing, useShops } from '../support/shop.ts';

useShops();

it('works beside an element with the id `canvass`', async () => {
  const { page, region } = await openShop({ headingId: 'canvass', loading: 'defer' });
  await page.waitForFunction(() => 'show' in window.canvass);
  await page.evaluate("canvass.show('plain')");
  await region.waitFor();
});

it('accepts the person in data-options', async () => {
  const user = `user-${randomUUID()}`;
  const shop = await openShopShowing('plain', { anonymous: true, options: { userId: user } });
  await answer(shop);
  expect(await rowsOf({ ...shop, user }, 1)).toMatchObject([{ rating: 9 }]);
});

it('reports that it cannot be a module', async () => {
  const said: string[] = [];
  await openShop({
    loading: 'type="module"',
    prepare: async (opened) => opened.on('console', (line) => said.push(`${line.type()}: ${line.text()}`)),
  });
  await expect.poll(() => said.join()).toContain('warning: canvass.js is no module');
});

type Headers = Readonly<Record<string, string>>;

async function serve(type: string, texts: ReadonlyMap<string, string>, headers: Headers): Promise<string> {
  const server = createServer((request, response) => {
    const text = texts.get(request.url ?? '');
    response.setHeaders(new Map(Object.entries({ ...headers, 'content-type': type })));
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(headers: Headers): Promise<{ readonly page: Page; readonly said: string[] }> {
  const files = filesOf(await buildSdk()).flatMap(({ stableName, hashedName, text }) => [
    [`/sdk/${stableName}`, text] as const,
    [`/sdk/${hashedName}`, text] as const,
  ]);
  const edge = await serve('text/javascript', new Map(files), headers);
  const html = `<!doctype html><title>Shop</title>
    <script>window.canvass = [['show', 'nps-corner']]</script>
    <script async src="${edge}/sdk/canvass.js" data-key="${bench.tenant.key}"
      data-base-url="${bench.service}" data-user="user-${crypto.randomUUID()}"></script>`;
  const site = await serve('text/html; charset=utf-8', new Map([['/', html]]), {});
  const browser = await connectChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const said: string[] = [];
  page.on('console', (line) => said.push(line.text()));
  await page.goto(`${site}/`);
  return { page, said };
}

describe('from another origin', () => {
  it("shows the widget with the edge's headers", async () => {
    const { page, said } = await openPage(sdkFileHeaders());
    await page.getByRole('region', { name: 'Feedback' }).waitFor();
    expect(said.filter((line) => line.includes('CORS'))).toEqual([]);
  });

  it('shows nothing without them, because the browser blocks the widget', async () => {
    const { page, said } = await openPage({});
    await expect.poll(() => said.filter((line) => line.includes('blocked by CORS policy'))).not.toEqual([]);
    expect(await page.locator('canvass-survey').count()).toBe(0);
  });
});
