import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
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
    createCanvass: (options: object) => Canvass;
    heard?: string[];
  }
}

function partsOf(page: Page, lang = 'en'): Pick<Shop, 'region' | 'radio' | 'send'> {
  const words = { ar: arabic, de: german }[lang.slice(0, 2)] ?? STRINGS;
  return {
    region: page.getByRole('region', { name: words.region }),
    radio: (value) => page.locator(`canvass-survey input[type=radio][value="${value}"]`),
    send: () => page.getByRole('button', { name: words.send }),
  };
}

/** @param others people whose requests are ignored */
function recordRequests(page: Page, others?: ReadonlySet<unknown>) {
  const requests: string[] = [];
  const sent: Submission[] = [];
  const shows: Submission['body'][] = [];
  const record = (request: Request) => {
    if (!request.url().startsWith(bench.service)) return;
    const path = request.url().slice(bench.service.length);
    const body = JSON.parse(request.postData() ?? '{}');
    if (others?.has(body.userId)) return;
    if (path === '/v1/impressions') return void shows.push(body);
    requests.push(`${request.method()} ${path}`);
    sent.push({ path, body });
  };
  page.on('request', record);
  return { requests, sent, shows, record };
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
  if (!shared) await context.addInitScript('window.realTimeout = AbortSignal.timeout');
  const page = await context.newPage();
  const user = described.user ?? `user-${randomUUID()}`;
  const host: HostPage = {
    key: tenant.key,
    service: bench.service,
    ...(!anonymous && { user }),
    ...described,
  };
  const { record: _, ...recorded } = recordRequests(page);
  page.on('console', (line) => {
    if (line.type() === 'error' && !NETWORK.test(line.text())) faults.push(`console: ${line.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  await prepare?.(page);
  // A faked clock would end requests whose real replies are still on their way.
  await page.addInitScript('AbortSignal.timeout = window.realTimeout ?? AbortSignal.timeout');
  const address = `${bench.pages}/?page=${encodeURIComponent(JSON.stringify(host))}`;
  await page.goto(address);
  return { page, context, user, address, ...recorded, ...partsOf(page, host.lang) };
}

/** Requests the survey before the script loads. */
export function openShopShowing(slug: string, options: ShopOptions = {}): Promise<Shop> {
  return openShop({ calls: [['show', slug]], place: slug, ...options });
}

export interface Scene
  extends Pick<HostPage, 'direction' | 'lang' | 'options' | 'scheme'>,
    Exclude<Parameters<Page['emulateMedia']>[0], undefined> {
  readonly anonymous?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Declarations for `html`. */
  readonly style?: string;
  /** Declarations for `body`. */
  readonly body?: string;
  /** Changes every survey that the service lists. */
  readonly survey?: object;
}

/**
 * Uses one page for the surveys of a file. A new client shows each survey to a new person. Loading a page takes longer
 * than most tests.
 *
 * @returns shows a survey after removing the previous one
 */
export function useStage(): (slug: string, scene?: Scene) => Promise<Shop> {
  let stage: Shop;
  let changed: object | undefined;
  let recorded: ReturnType<typeof recordRequests> | undefined;
  const earlier = new Set<unknown>();
  useShops();
  beforeAll(async () => {
    const context = await browser.newContext();
    stage = await openShop({ context, module: 'module', place: 'none' });
    await stage.page.evaluate(
      "import('/sdk/canvass.mjs').then((module) => void Object.assign(window, module))",
    );
    await stage.page.route('**/v1/sdk/bootstrap', async (route) => {
      if (!changed) return route.fallback();
      const response = await route.fetch();
      const { surveys, ...reply } = await response.json();
      const json = { ...reply, surveys: surveys.map((each: object) => ({ ...each, ...changed })) };
      await route.fulfill({ response, json });
    });
  });
  afterEach(async () => {
    expect(await stage.page.evaluate(() => window.heard?.splice(0))).toEqual([]);
  });
  afterAll(() => stage.context.close());

  return async (
    slug,
    { anonymous, direction, lang, options, scheme, width, height, style, body, survey, ...media } = {},
  ) => {
    const { page } = stage;
    const user = `user-${randomUUID()}`;
    for (const { body } of recorded?.sent ?? []) earlier.add(body.userId);
    if (recorded) page.off('request', recorded.record);
    recorded = recordRequests(page, earlier);
    changed = survey;
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: 'reduce', ...media });
    await page.setViewportSize({ width: width ?? 1_280, height: height ?? 720 });
    await page.mouse.move(0, 0);
    await page.evaluate(
      ({ options, slug, lang, direction, scheme, style, body }) => {
        const { documentElement: html, activeElement } = document;
        const place = document.querySelector<HTMLElement>('#place');
        window.canvass?.destroy();
        Object.assign(html, { lang, dir: direction });
        html.dataset.scheme = scheme;
        html.style.cssText = style;
        document.body.style.cssText = body;
        if (place) place.style.cssText = '';
        if (place) place.dataset.canvass = slug;
        if (activeElement instanceof HTMLElement) activeElement.blur();
        scrollTo(0, 0);
        window.canvass = window.createCanvass(options);
        window.canvass.show(slug);
      },
      {
        options: {
          key: bench.tenant.key,
          baseUrl: bench.service,
          storage: false,
          ...(!anonymous && { userId: user }),
          ...options,
        },
        slug,
        lang: lang ?? 'en',
        direction: direction ?? 'ltr',
        scheme: scheme ?? 'light',
        style: style ?? '',
        body: body ?? '',
      },
    );
    const { record: _, ...requests } = recorded;
    return { ...stage, user, ...requests, ...partsOf(page, lang) };
  };
}

/** A survey that is about to be asked first loads the widget. */
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
