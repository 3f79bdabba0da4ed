import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createLogger, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { useServedService } from '../support/service/served-service.ts';
import { freshApp } from './support/fresh-app.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const EXAMPLE = path('examples/vite-react');
const app = freshApp({
  packages: ['browser', 'react'],
  others: ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'react', 'react-dom', 'vite'],
});

const { service, gateway } = await useServedService();
let shop: PreviewServer;
const browser = useChromium();
let secretKey: string;
const warnings: string[] = [];

beforeAll(async () => {
  const surveys = [
    aSurvey({}, { slug: 'checkout', type: 'csat', presentation: 'inline', trigger: 'manual' }),
    aSurvey({}, { slug: 'miss-us', type: 'pmf', trigger: 'manual' }),
  ];
  const tenant = await service.tenant({}, surveys);
  secretKey = tenant.secretKey;
  cpSync(EXAMPLE, app, { recursive: true });
  writeFileSync(
    join(app, '.env'),
    `VITE_CANVASS_URL=${gateway.url}\nVITE_CANVASS_KEY=${tenant.publishableKey}\n`,
  );
  const customLogger = createLogger('warn');
  customLogger.warn = (warning) => void warnings.push(warning);
  await build({ root: app, customLogger });
  shop = await preview({ root: app, logLevel: 'warn', preview: { host: '127.0.0.1', port: 0 } });
});

afterAll(() => shop.close());

async function openShop(user: string) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
  await page.goto(`${shop.resolvedUrls?.local[0]}?user=${user}`);
  return { page, faults };
}

async function stored(user: string): Promise<unknown> {
  const reply = await fetch(`${gateway.url}/v1/privacy/export?respondentId=${user}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const { responses = [] } = (await reply.json()) as { responses?: unknown[] };
  return responses;
}

it('passes the type checker', () => {
  const run = () => execFileSync(process.execPath, [path('node_modules/typescript/bin/tsc'), '-p', app]);
  expect(run).not.toThrow();
});

it('builds without a warning, including about `use client`', () => expect(warnings).toEqual([]));

it('puts the widget and thumbs into their own files', () => {
  const chunks = readdirSync(join(app, 'dist/assets')).map((name) => name.split('-')[0]);
  expect(chunks).toEqual(expect.arrayContaining(['index', 'widget', 'thumbs', 'debug', 'languages']));
});

describe('in a browser', () => {
  it('asks in the page after an order and stores the answer', async () => {
    const { page, faults } = await openShop('ann');
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.locator('main canvass-survey input[value="4"]').click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('checkout: 4').waitFor();
    await expect.poll(() => stored('ann')).toMatchObject([{ surveySlug: 'checkout', rating: 4 }]);
    expect(faults).toEqual([]);
  });

  it('requests a chunk again after it failed to load', async () => {
    const { page } = await openShop('cleo');
    await page.route('**/assets/widget-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('button', { name: 'What do you think of us?' }).click();
    const isBack = () =>
      page.evaluate("dispatchEvent(new Event('online')), document.querySelector('canvass-survey') !== null");
    await expect.poll(isBack).toBe(true);
  });

  it('asks when a person clicks the button', async () => {
    const { page, faults } = await openShop('ben');
    await page.getByRole('button', { name: 'What do you think of us?' }).click();
    await page.getByRole('radio', { name: 'Very disappointed' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('miss-us: 2').waitFor();
    await expect.poll(() => stored('ben')).toMatchObject([{ surveySlug: 'miss-us', rating: 2 }]);
    expect(faults).toEqual([]);
  });
});
