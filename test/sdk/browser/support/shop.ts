import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { Canvass } from '../../../../sdk/browser/headless.ts';
import { words as arabic } from '../../../../shared/words/languages/ar.ts';
import { words as german } from '../../../../shared/words/languages/de.ts';
import { STRINGS } from '../../../../shared/words/strings.ts';
import type { Tenant } from './bench.ts';
import { connectChromium } from './chromium.ts';
import type { HostPage } from './host-page.ts';
import { PATIENCE_MS } from './patience.ts';

export const bench = inject('bench');

export interface Shop {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly user: string;
  readonly address: string;
  readonly region: Locator;
  readonly requests: readonly string[];
  readonly sent: readonly Submission[];
  /** Bodies of reported impressions, which `requests` and `sent` exclude. */
  readonly shows: readonly Submission['body'][];
  radio(value: number): Locator;
  send(): Locator;
}

export interface Submission {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ShopOptions extends Partial<HostPage> {
  readonly tenant?: Tenant;
  readonly context?: BrowserContext;
  readonly browser?: BrowserContextOptions;
  readonly anonymous?: boolean;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

let browser: Browser;
const contexts: BrowserContext[] = [];
const faults: string[] = [];

/** Ends each test by checking that its page had no error. */
export function useShops(): void {
  beforeAll(async () => {
    browser = await connectChromium();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      for (const page of context.pages()) {
        const heard = await page.evaluate(() => window.heard ?? []).catch(() => []);
        faults.push(...heard.map((fault) => `the page heard: ${fault}`));
      }
      await context.close();
    }
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
}

declare global {
  interface Window {
    canvass: Canvass;
    heard?: string[];
  }
}

/** The browser's network log, which reports every failed request. */
const NETWORK = /^Failed to load resource/;

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const {
    tenant = bench.tenant,
    browser: settings,
    anonymous,
    prepare,
    context: shared,
    ...described
  } = options;
  const context = shared ?? (await browser.newContext({ reducedMotion: 'reduce', ...settings }));
  if (!shared) contexts.push(context);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const user = described.user ?? `user-${randomUUID()}`;
  const host: HostPage = {
    key: tenant.key,
    service: bench.service,
    ...(!anonymous && { user }),
    ...described,
  };
  const requests: string[] = [];
  const sent: Submission[] = [];
  const shows: Submission['body'][] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' && !NETWORK.test(line.text())) faults.push(`console: ${line.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(bench.service)) return;
    const path = request.url().slice(bench.service.length);
    const body = JSON.parse(request.postData() ?? '{}');
    if (path === '/v1/impressions') return void shows.push(body);
    requests.push(`${request.method()} ${path}`);
    sent.push({ path, body });
  });
  await prepare?.(page);
  const address = `${bench.pages}/?page=${encodeURIComponent(JSON.stringify(host))}`;
  await page.goto(address);
  const words = { ar: arabic, de: german }[(host.lang ?? 'en').slice(0, 2)] ?? STRINGS;
  return {
    page,
    context,
    user,
    address,
    region: page.getByRole('region', { name: words.region }),
    requests,
    sent,
    shows,
    radio: (value) => page.locator(`canvass-survey input[type=radio][value="${value}"]`),
    send: () => page.getByRole('button', { name: words.send }),
  };
}

/** Requests the survey before the script loads. */
export function openShopShowing(slug: string, options: ShopOptions = {}): Promise<Shop> {
  return openShop({ calls: [['show', slug]], place: slug, ...options });
}

/** Asking begins with loading the widget. */
export const isAsked = ({ page }: Shop): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('canvass-survey') !== null ||
      performance.getEntriesByType('resource').some(({ name }) => name.includes('widget')),
  );

export async function storedRows(respondentId: string, { secretKey }: Tenant = bench.tenant): Promise<Row[]> {
  const query = new URLSearchParams({ respondentId });
  const reply = await fetch(`${bench.service}/v1/privacy/export?${query}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  if (reply.status === 404) return [];
  expect(reply.status).toBe(200);
  const { responses, dismissals = [] } = (await reply.json()) as { responses: Row[]; dismissals?: Row[] };
  return [...responses, ...dismissals];
}

export type Row = Readonly<Record<string, unknown>>;
