import { expect, it } from 'vitest';
import { bindingOf } from '../support/played-ratings.ts';
import { bench, openShop, type Shop, storedRows, useShops } from '../support/shop.ts';

useShops();

const DRAFT = {
  slug: 'tried',
  type: 'nps',
  question: '<img src=x onerror="heard.push(1)"> How is <b>this</b>?',
  followUpQuestion: 'Why?',
  samplePercent: 0,
  targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
  pages: ['/elsewhere'],
  thanks: { text: '<script>heard.push(2)</script>', link: { label: 'More', url: 'https://example.com/' } },
};

async function tokenOf(draft: object = {}, { editorKey } = bench.tenant): Promise<string> {
  const reply = await fetch(`${bench.service}/v1/surveys/previews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editorKey}` },
    body: JSON.stringify({ survey: { ...DRAFT, ...draft } }),
  });
  expect(reply.status).toBe(201);
  const { preview } = (await reply.json()) as { preview: string };
  return preview;
}

const at = (address: string, preview: string) => `${address}&canvass-preview=${preview}`;

async function tryOut(shop: Shop, preview: string): Promise<number> {
  const before = shop.sent.length + shop.shows.length;
  await shop.page.goto(at(shop.address, preview));
  return before;
}

const keptIn = ({ page }: Shop) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

it('appears at once despite audience and pages, and sends and stores nothing', async () => {
  const shop = await openShop();
  const kept = await keptIn(shop);
  const preview = await tokenOf();
  const before = await tryOut(shop, preview);
  await shop.region.waitFor();
  expect(await shop.region.locator('legend').textContent()).toBe(DRAFT.question);
  // Waits longer than an impression takes.
  await shop.page.waitForFunction(() => performance.now() > 2_000);
  await shop.radio(9).click();
  await shop.send().click();
  await shop.page.getByRole('textbox', { name: 'Why?' }).fill('No words of mine');
  await shop.send().click();
  await shop.region.getByText(DRAFT.thanks.text).waitFor();
  expect(await shop.region.locator('img,b,script').count()).toBe(0);
  await shop.page.evaluate("canvass.identify('somebody-else')");
  await shop.page.evaluate("canvass.show('plain')");
  await shop.page.waitForLoadState('networkidle');
  expect(shop.sent.slice(before)).toEqual([
    {
      path: '/v1/sdk/bootstrap',
      body: { key: bench.tenant.key, types: 'thumbs,pages,events,by-rating,choice,open,person', preview },
    },
  ]);
  expect(shop.shows).toEqual([]);
  expect(await keptIn(shop)).toBe(kept);
  expect(await storedRows(shop.user)).toEqual([]);
  await shop.page.goto(shop.address);
  await shop.page.evaluate("canvass.show('plain')");
  await shop.region.waitFor();
});

it('sends no dismissal when closed, and no answer when left', async () => {
  const shop = await openShop();
  const preview = await tokenOf();
  const before = await tryOut(shop, preview);
  await shop.page.getByRole('button', { name: 'Close' }).click();
  await shop.page.reload();
  await shop.radio(3).click();
  await shop.page.goto(shop.address);
  await shop.page.waitForLoadState('networkidle');
  expect(shop.sent.slice(before).map(({ path }) => path)).toEqual(Array(3).fill('/v1/sdk/bootstrap'));
  expect(await storedRows(shop.user)).toEqual([]);
});

it("sends no rating from the page's own buttons, even later", async () => {
  const shop = await openShop();
  const before = await tryOut(shop, await tokenOf());
  await shop.region.waitFor();
  const kept = await keptIn(shop);
  const rated = await shop.page.evaluate(
    (binding) =>
      new Promise((resolve) => {
        window.canvass.on('rated', ({ rating }) => resolve(rating));
        let isRated = false;
        window.canvass.bind(binding as Parameters<typeof window.canvass.bind>[0], ({ rate }) => {
          if (!isRated) setTimeout(rate, 0, 1);
          isRated = true;
        });
      }),
    bindingOf('m1'),
  );
  expect(rated).toBe(1);
  expect(await keptIn(shop)).toBe(kept);
  await shop.page.goto(shop.address);
  await shop.page.waitForLoadState('networkidle');
  const paths = shop.sent.slice(before).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(['/v1/sdk/bootstrap']));
});

it.each([
  ['thumbs', { type: 'thumbs' }, 'Helpful'],
  ['a banner', { presentation: 'banner' }, 'Close'],
])('looks like the published survey: %s', async (_, draft, name) => {
  const shop = await openShop();
  await tryOut(shop, await tokenOf(draft));
  await shop.page.getByRole('button', { name, exact: true }).click();
  await shop.page.waitForLoadState('networkidle');
  expect(shop.sent.map(({ path }) => path)).not.toContain('/v1/sdk/dismissals');
});

it('waits for a place that the page draws late', async () => {
  const shop = await openShop();
  await tryOut(shop, await tokenOf({ presentation: 'inline' }));
  await shop.page.waitForLoadState('networkidle');
  expect(await shop.region.count()).toBe(0);
  await shop.page.evaluate(() => {
    const place = document.createElement('aside');
    place.dataset.canvass = 'tried';
    document.body.append(place);
  });
  await shop.page.locator('aside canvass-survey').waitFor();
});

it("is drawn by the page's own interface like any survey", async () => {
  const shop = await openShop({ module: 'headless' });
  await tryOut(shop, await tokenOf());
  const question = await shop.page.evaluate(`(async () => {
    const { createCanvass } = await import('/sdk/headless.mjs');
    const canvass = createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service })});
    const ask = await new Promise((resolve) => canvass.on('ask', resolve));
    ask.answer(9);
    return ask.survey.question;
  })()`);
  expect(question).toBe(DRAFT.question);
  await shop.page.waitForLoadState('networkidle');
  expect(shop.sent.map(({ path }) => path)).toEqual(['/v1/sdk/bootstrap']);
});

it('ends with the client', async () => {
  const shop = await openShop();
  await tryOut(shop, await tokenOf());
  await shop.region.waitFor();
  await shop.page.evaluate('canvass.destroy()');
  await shop.region.waitFor({ state: 'detached' });
});
