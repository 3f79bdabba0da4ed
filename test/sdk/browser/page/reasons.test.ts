import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { outbox } from '../support/delivery.ts';
import { openDialog } from '../support/page-state.ts';
import { bench, openShop, openShopShowing, type ShopOptions, storedRows, useShops } from '../support/shop.ts';

useShops();

const listening = (...calls: unknown[][]): ShopOptions => ({
  prepare: (page) =>
    page.addInitScript((given) => {
      const told: unknown[] = [];
      const hear = (event: string) => [
        'on',
        event,
        (detail: object) => told.push([event, JSON.parse(JSON.stringify({ ...detail, survey: undefined }))]),
      ];
      const events = ['shown', 'notshown', 'answered', 'dismissed', 'error'];
      Object.assign(window, { told, canvass: [...events.map(hear), ...given] });
    }, calls),
});
const told = (page: Page) => page.evaluate('told');
const refused = (slug: string, reason: string) => ['notshown', { slug, reason }];

describe('a requested survey that is not shown', () => {
  it.each([
    ['typo', 'unknown-slug'],
    ['targeted', 'targeting'],
    ['nobody', 'sampled-out'],
    ['nps-inline', 'no-place'],
  ])('%s: %s', async (slug, reason) => {
    const { page } = await openShop(listening(['show', slug]));
    await expect.poll(() => told(page)).toEqual([refused(slug, reason)]);
  });

  it('reports other-open', async () => {
    const { page, region } = await openShop(listening(['show', 'plain']));
    await region.waitFor();
    await page.evaluate("canvass.show('badge')");
    await expect.poll(() => told(page)).toEqual([['shown', {}], refused('badge', 'other-open')]);
  });

  it('reports not-due while a modal dialog of the page is open', async () => {
    const { page } = await openShop(listening());
    await openDialog(page);
    await page.evaluate("canvass.show('plain')");
    await expect.poll(() => told(page)).toEqual([refused('plain', 'not-due')]);
  });

  it('reports not-due', async () => {
    const { page } = await openShop({ tenant: bench.autoTenant, ...listening() });
    await expect.poll(() => told(page)).toEqual([refused('auto', 'not-due')]);
  });
});

it('emits what was shown and how it ended', async () => {
  const shop = await openShop(listening(['show', 'plain']));
  await shop.radio(9).click();
  await shop.send().click();
  await expect
    .poll(() => told(shop.page))
    .toEqual([
      ['shown', {}],
      ['answered', { rating: 9 }],
    ]);
});

describe('debug', () => {
  it.each([{ options: { debug: true } }, { query: '?debug' }])('logs to the console: %o', async (how) => {
    const said: string[] = [];
    const { page } = await openShop({
      ...how,
      calls: [['show', 'typo']],
      prepare: async (opened) => opened.on('console', (line) => said.push(line.text())),
    });
    await expect.poll(() => said.join()).toContain('"typo" is not shown (unknown-slug)');
    await page.evaluate("canvass.show('plain')");
    await expect.poll(() => said.join()).toContain('"plain" is on screen');
  });

  it('is not loaded by default', async () => {
    const fetched: string[] = [];
    const shop = await openShopShowing('plain', {
      prepare: async (page) => page.on('request', (request) => fetched.push(new URL(request.url()).pathname)),
    });
    await shop.region.waitFor();
    expect(fetched.filter((path) => /debug|languages|words/.test(path))).toEqual([]);
  });

  it('reports bad options of the tag in the console only', async () => {
    const said: string[] = [];
    await openShop({
      rawOptions: '{theme: dark}',
      prepare: async (opened) => opened.on('console', (line) => said.push(`${line.type()}: ${line.text()}`)),
    });
    await expect.poll(() => said.join()).toMatch(/^warning: SyntaxError/);
  });

  it.each([
    ['{"key":"svc_pk_1"}', ['baseUrl is missing', 'no reply came from undefined. TypeError']],
    ['undefined', ['key is missing', 'baseUrl is missing']],
    ['null', ['key is missing', 'baseUrl is missing']],
  ])('reports missing options, which throw nothing into the page: %s', async (options, lines) => {
    const said: string[] = [];
    const { page } = await openShop({
      module: 'module',
      prepare: async (opened) => opened.on('console', (line) => said.push(line.text())),
    });
    await page.evaluate(`import('/sdk/canvass.mjs').then(({ createCanvass }) => {
      createCanvass(${options});
      createCanvass({ ...${options}, debug: true });
    })`);
    for (const line of lines) await expect.poll(() => said.join()).toContain(line);
  });
});

describe('preview', () => {
  it('shows a survey to anyone, without a token, and stores nothing', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => storedRows(shop.user)).toHaveLength(1);
    await shop.region.waitFor({ state: 'detached' });
    await expect.poll(() => outbox(shop.page)).toEqual([]);
    const kept = await shop.page.evaluate('JSON.stringify(localStorage)');
    await shop.page.evaluate("canvass.preview('nps-corner')");
    await shop.radio(3).click();
    await shop.send().click();
    await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await shop.send().click();
    await shop.region.getByText('Thank you!').waitFor();
    expect(await shop.page.evaluate('JSON.stringify(localStorage)')).toBe(kept);
    await shop.page.goto('about:blank');
    expect(await storedRows(shop.user)).toHaveLength(1);
    expect(shop.sent.slice(2)).toEqual([
      {
        path: '/v1/sdk/bootstrap',
        body: { key: bench.tenant.key, types: 'thumbs,pages,events,by-rating,choice,open,person' },
      },
    ]);
  });

  it.each(['Close', 'Helpful'])('sends nothing for %s', async (name) => {
    const { page, region, sent } = await openShop();
    await page.evaluate(`canvass.preview('${name === 'Close' ? 'plain' : 'thumbs-corner'}')`);
    await page.locator('canvass-survey').getByRole('button', { name, exact: true }).click();
    if (name === 'Close') await region.waitFor({ state: 'detached' });
    else await page.locator('canvass-survey').getByText('Thank you!').waitFor();
    await page.goto('about:blank');
    expect(sent.map(({ path }) => path)).toEqual(['/v1/sdk/bootstrap', '/v1/sdk/bootstrap']);
  });

  it.each([
    ['typo', 'unknown-slug'],
    ['nps-inline', 'no-place'],
  ])('of %s reports why it is not shown: %s', async (slug, reason) => {
    const { page } = await openShop(listening(['preview', slug]));
    await expect.poll(() => told(page)).toEqual([refused(slug, reason)]);
  });
});
