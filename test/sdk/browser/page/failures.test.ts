import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LINK_PAGE_STRINGS } from '../../../../shared/words/link-page-strings.ts';
import { answer, outbox, posts, RESPONSES, rowsOf } from '../support/delivery.ts';
import { hearErrors } from '../support/hear-errors.ts';
import { bindingOf, bindThumbs, playRatings, pressed, thumb } from '../support/played-ratings.ts';
import { bench, isAsked, openShop, openShopShowing, useShops } from '../support/shop.ts';

useShops();

const BOOTSTRAP = '**/v1/sdk/bootstrap';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
};

const refuse =
  (code: string, status = 401, more: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers: { ...CORS, ...more }, json: { error: { code } } });
const reply = (status: number, body: string) => (route: Route) =>
  route.fulfill({ status, headers: CORS, body });

describe('asking', () => {
  it.each<[string, (route: Route) => Promise<void>]>([
    ['no connection', (route) => route.abort('internetdisconnected')],
    ['429', refuse('test', 429, { 'retry-after': '30' })],
    ["a gateway's own 429", reply(429, '{"message":"Too Many"}')],
    ['500', refuse('test', 500)],
    ['401', refuse('test')],
    ['a reply that is no JSON', reply(200, '<html>')],
    ['a reply of another shape', reply(200, '{"surveys":[null]}')],
  ])('shows nothing and emits `error` when %s', async (_, fail) => {
    const { page } = await openShop({
      prepare: async (opened) => {
        await opened.route(BOOTSTRAP, fail);
        await hearErrors(opened, ['show', 'plain']);
      },
    });
    await expect.poll(() => page.evaluate('told.length')).toBeGreaterThan(0);
    expect(await page.locator('canvass-survey').count()).toBe(0);
  });

  it('does not show a survey later that could not be shown when requested', async () => {
    const shop = await openShopShowing('plain', {
      prepare: (page) => page.route(BOOTSTRAP, refuse('test', 500), { times: 1 }),
    });
    await expect.poll(() => shop.requests).toHaveLength(1);
    await shop.page.waitForLoadState('networkidle');
    const next = shop.page.waitForResponse(BOOTSTRAP);
    await shop.page.evaluate("history.pushState(0, '', '?next')");
    await (await next).finished();
    expect(await isAsked(shop)).toBe(false);
    expect(shop.requests).toHaveLength(2);
  });

  it('shows nothing and dismisses nothing if the widget cannot be loaded', async () => {
    const shop = await openShop({
      prepare: async (page) => {
        await page.route('**/widget-*.js', (route) => route.fulfill({ status: 404 }));
        await hearErrors(page, ['show', 'plain']);
      },
    });
    await expect.poll(() => shop.page.evaluate('told.length')).toBe(1);
    expect(await shop.page.locator('canvass-survey').count()).toBe(0);
    expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap']);
  });
});

describe('an answer', () => {
  it('given offline is thanked for, stored, and sent on the next page', async () => {
    const shop = await openShopShowing('plain');
    await shop.region.waitFor();
    await shop.page.route(RESPONSES, (route) => route.abort('internetdisconnected'));
    await answer(shop);
    await expect.poll(() => outbox(shop.page)).toHaveLength(1);
    await shop.page.goto('about:blank');
    await shop.page.unroute(RESPONSES);
    await shop.page.clock.install({ time: Date.now() + 60_000 });
    await shop.page.goto(shop.address);
    const [row] = await rowsOf(shop, 1);
    expect(row).toMatchObject({ rating: 9 });
    await expect.poll(() => outbox(shop.page)).toEqual([]);
    await expect(shop.region.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('is sent once if it is slow, however busy the page is', async () => {
    const shop = await openShopShowing('plain');
    await shop.region.waitFor();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await shop.page.route(RESPONSES, async (route) => {
      await held;
      await route.continue();
    });
    await answer(shop);
    await shop.page.evaluate(
      "history.pushState(0, '', '#a'); canvass.show('plain'); canvass.identify('other'); history.pushState(0, '', '#b')",
    );
    expect(posts(shop)).toBe(1);
    release();
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9 }]);
    expect(posts(shop)).toBe(1);
  });

  it('is sent when the page is left with only a rating', async () => {
    const shop = await openShopShowing('nps-corner');
    await shop.radio(4).click();
    await shop.send().click();
    await shop.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Half a sen');
    expect(posts(shop)).toBe(0);
    await shop.page.goto('about:blank');
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 4, text: 'Half a sen' }]);
  });
});

describe('an answer that the service will never store', () => {
  const { failed } = LINK_PAGE_STRINGS.en;

  it.each([
    ['nps-corner', 'en', failed],
    ['nps-inline', 'de', LINK_PAGE_STRINGS.de.failed],
    ['thumbs-banner', 'en', failed],
  ])('replaces the thanks by a sentence and the words: %s, %s', async (slug, lang, sentence) => {
    const shop = await openShopShowing(slug, { lang });
    await shop.page.route(RESPONSES, refuse('project_suspended', 403));
    if (slug.startsWith('thumbs')) {
      await shop.page.getByRole('button', { name: 'Not helpful' }).click();
    } else {
      await shop.radio(3).click();
      await shop.send().click();
    }
    await shop.page.locator('canvass-survey textarea').fill('It was slow');
    await shop.send().click();
    const box = shop.page.getByRole('region', { name: sentence });
    expect(await box.getByRole('status').textContent()).toBe('');
    await expect.poll(() => box.getByRole('status').textContent()).toBe(sentence);
    expect(await box.getByRole('textbox').inputValue()).toBe('It was slow');
    expect(await shop.page.locator('canvass-survey').count()).toBe(1);
    expect(await outbox(shop.page)).toEqual([]);
    await box.getByRole('button').click();
    await box.waitFor({ state: 'detached' });
  });

  it('is told below the thumbs of a message', async () => {
    const { page } = await openShop({ prepare: playRatings });
    await bindThumbs(page, bindingOf('m1'));
    await page.route('**/v1/sdk/revisions', refuse('token_expired'));
    await thumb(page, 'Not helpful').click();
    await page.locator('canvass-survey textarea').fill('Too long');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(failed).waitFor();
    expect(await page.getByRole('textbox', { name: failed }).inputValue()).toBe('Too long');
    expect(await pressed(page)).toEqual([]);
  });
});

it.each([
  ['Sentry', ['sentry-trace', 'baggage', 'traceparent']],
  [
    'Datadog',
    ['x-datadog-trace-id', 'x-datadog-parent-id', 'x-datadog-origin', 'x-datadog-sampling-priority'],
  ],
  ['OpenTelemetry', ['traceparent', 'tracestate', 'b3', 'x-b3-traceid', 'x-b3-spanid', 'x-b3-sampled']],
])(
  'asks and stores the answer in a page whose script adds headers to every request: %s',
  async (_, names) => {
    const shop = await openShopShowing('plain', {
      prepare: (page) =>
        page.addInitScript(
          (added) => {
            const { fetch } = window;
            window.fetch = (to, init) => fetch(to, { ...init, headers: { ...init?.headers, ...added } });
          },
          Object.fromEntries(names.map((name) => [name, '1'])),
        ),
    });
    // Routes of Playwright would answer the preflight.
    const stored = shop.page.waitForRequest(RESPONSES);
    await answer(shop);
    expect(Object.keys((await stored).headers())).toEqual(expect.arrayContaining(names));
    expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9 }]);
  },
);

it('does not throw on a wrong call, and processes the calls after it', async () => {
  const shop = await openShop({
    calls: [['bind'], ['no-such-call'], ['identify', 'somebody', null], ['show', 'plain']],
  });
  await shop.region.waitFor();
  await shop.page.evaluate('canvass.bind()');
});

async function loseOnce(page: Page, file: string): Promise<string[]> {
  const asked: string[] = [];
  await page.route(new RegExp(`/sdk/${file}-\\w+\\.js`), (route) => {
    const isFirst = asked.push(route.request().url()) === 1;
    return isFirst ? route.fulfill({ status: 404 }) : route.continue();
  });
  return asked;
}

it.each([
  ['the network is back', "dispatchEvent(new Event('online'))"],
  ['the tab is shown', "document.dispatchEvent(new Event('visibilitychange'))"],
  ['something is asked', "canvass.show('badge')"],
])("fetches a survey's chunk again when %s", async (_, happens) => {
  let asked: string[] = [];
  const shop = await openShop({
    prepare: async (page) => {
      asked = await loseOnce(page, 'widget');
      await hearErrors(page, ['show', 'plain']);
    },
  });
  await expect.poll(() => shop.page.evaluate('told.length')).toBe(1);
  expect(await shop.page.locator('canvass-survey').count()).toBe(0);
  await shop.page.evaluate(happens);
  await answer(shop);
  expect(await rowsOf(shop, 1)).toMatchObject([{ surveySlug: 'plain', rating: 9 }]);
  expect(new Set(asked).size).toBe(2);
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/sdk/responses']);
});

it.each(['thumbs', 'kit'])(
  "%s: fetches the thumbs' chunk again with the next message, and draws the earlier ones, even in a bundle",
  async (file) => {
    const { page } = await openShop({ module: 'module' });
    const asked = await loseOnce(page, file);
    const { sent } = await playRatings(page);
    await page.evaluate(`import('/sdk/canvass.mjs').then(({ createCanvass }) => {
    window.canvass = createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service })});
    window.failed = new Promise((told) => canvass.on('error', () => told()));
  })`);
    const bind = (id: string) =>
      page.evaluate((binding) => {
        const place = document.createElement('p');
        place.id = binding.observationId;
        document.body.append(place);
        window.canvass.bind(binding, place);
      }, bindingOf(id));
    await bind('m1');
    await page.evaluate('failed');
    await bind('m2');
    for (const id of ['m1', 'm2'])
      await page.locator(`#${id}`).getByRole('button', { name: 'Helpful', exact: true }).click();
    await expect.poll(() => sent.map(({ body }) => body.showToken)).toEqual(['token-m1', 'token-m2']);
    expect(new Set(asked).size).toBe(2);
  },
);

/** How modals keep the focus: the events that they listen to, and which element they look at. */
const TRAPS = {
  'focus-trap':
    "root.addEventListener('focusin', (e) => { if (out(e.target)) { e.stopImmediatePropagation(); back(); } }, true)",
  Bootstrap: "root.addEventListener('focusin', (e) => { if (out(e.target)) back(); })",
  Radix: `root.addEventListener('focusin', (e) => { if (out(e.target)) back(); });
    root.addEventListener('focusout', (e) => { if (e.relatedTarget && out(e.relatedTarget)) back(); })`,
};
const PLACES = {
  'in the page': 'document',
  'in a shadow root': 'shadow(field.parentElement)',
  'beside a survey in a shadow root': '(shadow(survey), document)',
  'in one shadow root with the survey': 'shadow(field.parentElement, survey)',
};

const MODALS = Object.entries(TRAPS).flatMap(([library, listen]) =>
  Object.entries(PLACES).map(([place, at]) => ({ library, listen, place, at })),
);

it.each(MODALS)(
  'lets people type while a modal traps the focus: $library, $place',
  async ({ listen, at }) => {
    const shop = await openShopShowing('nps-inline');
    await shop.radio(3).click();
    await shop.page.evaluate(`{
    const [field, survey] = ['#search', '#place'].map((one) => document.querySelector(one));
    const shadow = (...parts) => {
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      root.append(...parts);
      return root;
    };
    const modal = ${at};
    const out = (target) => target !== field && target !== modal.host;
    const back = () => field.focus();
    for (const root of new Set([document, modal])) {
      ${listen};
    }
    field.focus();
  }`);
    await shop.send().click();
    await shop.page.locator('canvass-survey textarea').click();
    await shop.page.keyboard.type('It was slow');
    expect(await shop.page.locator('canvass-survey textarea').inputValue()).toBe('It was slow');
    await shop.page.locator('#before').click();
    expect(await shop.page.locator('#search').evaluate((field) => field.matches(':focus'))).toBe(true);
  },
);
