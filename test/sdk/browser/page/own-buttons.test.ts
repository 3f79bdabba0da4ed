import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { outbox } from '../support/delivery.ts';
import { bindingOf, bindThumbs, openPlayed, pressed, thumb } from '../support/played-ratings.ts';
import { bench, useShops } from '../support/shop.ts';

useShops();

const TOKEN = 'token-m1';

declare global {
  interface Window {
    own: { known: { rating?: number | undefined; pending: boolean }[]; told: unknown[] };
  }
}

/** Records a message's rating and events in the page. */
const follow = (page: Page, binding: object = bindingOf('m1')) =>
  page.evaluate((bound) => {
    const { canvass } = window;
    window.own = { known: [], told: [] };
    for (const event of ['rated', 'withdrawn', 'error'] as const)
      canvass.on(event, (detail: object) =>
        window.own.told.push([event, 'rating' in detail ? detail.rating : undefined]),
      );
    canvass.bind(bound as Parameters<typeof canvass.bind>[0], (known) => {
      Object.assign(window, { act: known });
      window.own.known.push({ rating: known.rating, pending: known.pending });
    });
  }, binding);

const known = (page: Page) => page.evaluate(() => window.own?.known.at(-1));
const told = (page: Page) => page.evaluate(() => window.own.told);
const rate = (page: Page, rating: number, detail?: object) =>
  page.evaluate(
    ([value, more]) =>
      (window as never as { act: { rate: (...given: unknown[]) => void } }).act.rate(value, more),
    [rating, detail] as const,
  );
const withdraw = (page: Page) =>
  page.evaluate(() => (window as never as { act: { withdraw: () => void } }).act.withdraw());

async function openChat(prepare: (page: Page) => Promise<void> = async () => undefined) {
  const shop = await openPlayed({ prepare });
  await shop.page.waitForFunction(() => window.canvass?.bind);
  await follow(shop.page);
  await expect.poll(() => known(shop.page)).toEqual({ pending: false });
  return shop;
}

describe("the page's own buttons", () => {
  it('rate with words and reasons, change and withdraw; each change is reported once, a repeat is ignored', async () => {
    const { page, sent, stored } = await openChat();
    await rate(page, 0, { text: 'Slow', reasons: ['slow'] });
    await expect.poll(() => known(page)).toEqual({ rating: 0, pending: false });
    expect(sent[0]?.body).toMatchObject({ rating: 0, text: 'Slow', reasons: ['slow'], sessionId: 'session' });
    await rate(page, 0, { text: 'Slow', reasons: ['slow'] });
    await rate(page, 1);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 1 });
    await withdraw(page);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ revision: 2 });
    await withdraw(page);
    await expect.poll(() => known(page)).toEqual({ pending: false });
    await expect
      .poll(() => told(page))
      .toEqual([
        ['rated', 0],
        ['rated', 1],
        ['withdrawn', undefined],
      ]);
    expect(sent).toHaveLength(3);
  });

  it('survive a lost reply and a reload, and match thumbs of the same message', async () => {
    const { page, stored, faults } = await openChat();
    faults.push('lost');
    await rate(page, 1);
    await page.reload();
    await page.waitForFunction(() => window.canvass?.bind);
    await follow(page, bindingOf('m1', ''));
    await expect.poll(() => known(page)).toMatchObject({ rating: 1 });
    await expect.poll(() => outbox(page)).toEqual([]);
    expect(stored.get(TOKEN)).toMatchObject({ rating: 1 });
    await bindThumbs(page, bindingOf('m1'));
    await expect.poll(() => pressed(page)).toEqual(['Helpful']);
    await rate(page, 0);
    await expect.poll(() => pressed(page)).toEqual(['Not helpful']);
    await thumb(page, 'Not helpful').click();
    await expect.poll(() => known(page)).toMatchObject({ pending: false });
    expect(await known(page)).not.toHaveProperty('rating', 0);
  });

  it('store two choices within a millisecond as a rating and a change', async () => {
    const { page, stored } = await openChat();
    await page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now;
      const { act } = window as never as { act: { rate: (...given: unknown[]) => void } };
      act.rate(0);
      act.rate(0, { reasons: ['slow'] });
    });
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, reasons: ['slow'], revision: 1 });
    await expect.poll(() => known(page)).toEqual({ rating: 0, pending: false });
  });

  it('report a click as pending immediately after they are connected', async () => {
    const { page, faults } = await openChat();
    faults.push('offline');
    await page.evaluate((bound) => {
      let isFirst = true;
      window.own.known = [];
      window.canvass.bind(bound as never, ({ rating, pending, rate }) => {
        window.own.known.push({ rating, pending });
        if (isFirst) {
          isFirst = false;
          rate(1);
        }
      });
    }, bindingOf('m2'));
    await expect
      .poll(() => page.evaluate(() => window.own.known.slice(0, 2)))
      .toEqual([{ pending: false }, { rating: 1, pending: true }]);
  });

  it("ignore clicks for the previous person's messages, even if they load late", async () => {
    const { page, stored, context } = await openChat();
    await rate(page, 1);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });
    await page.evaluate(() => window.canvass.identify('somebody-else'));
    await rate(page, 0);
    await follow(page, bindingOf('m1'));
    await rate(page, 0);
    await follow(page, bindingOf('m2', 'theirs'));
    await expect.poll(() => known(page)).toEqual({ pending: false });
    await rate(page, 0);
    await expect.poll(() => stored.get('theirs')).toEqual({ rating: 0, revision: 0 });
    expect(stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });

    const released = Promise.withResolvers<void>();
    await context.route(/\/sdk\/own-/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await page.waitForFunction(() => window.canvass?.bind);
    await follow(page, bindingOf('m3'));
    await page.evaluate(() => window.canvass.identify('somebody-else'));
    released.resolve();
    await expect.poll(() => known(page)).toEqual({ pending: false });
    await rate(page, 0);
    await follow(page, bindingOf('m4', 'also theirs'));
    await rate(page, 1);
    await expect.poll(() => stored.get('also theirs')).toEqual({ rating: 1, revision: 0 });
    expect(stored.has('token-m3')).toBe(false);
  });

  it('withdraw and report a rating if the survey cannot be fetched', async () => {
    const { page, stored } = await openChat(async (opened) => {
      await opened.route('**/v1/sdk/bootstrap', (route) => route.abort('internetdisconnected'));
    });
    await rate(page, 1);
    await withdraw(page);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ revision: 1 });
    const acts = async () => (await told(page)).filter((one) => (one as string[])[0] !== 'error');
    await expect.poll(acts).toEqual([
      ['rated', 1],
      ['withdrawn', undefined],
    ]);
  });
});

/** A page with the headless client and a fake service. */
async function openOwn() {
  const shop = await openPlayed({ module: 'headless' });
  const { page, user } = shop;
  const options = { key: bench.tenant.key, baseUrl: bench.service, userId: user };
  const binding = JSON.stringify(bindingOf('m1'));
  const run = (script: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/headless.mjs');
      const canvass = (window.mine ??= createCanvass(${JSON.stringify(options)}));
      ${script}
    })()`);
  return { ...shop, binding, run };
}

it('stores a headless rating before the call returns, whatever happens to the page', async () => {
  const { page, binding, run, stored, faults } = await openOwn();
  faults.push('offline');
  const kept = await run(`
    await canvass.ratingOf(${binding});
    canvass.rate(${binding}, 0, { reasons: ['slow'] });
    const { outbox, ratings } = JSON.parse(localStorage['canvass.${bench.tenant.key}']);
    return [ratings, outbox.map(({ body }) => body)];
  `);
  expect(kept).toMatchObject([[{ rating: 0, open: true }], [{ rating: 0, reasons: ['slow'] }]]);
  await page.reload();
  expect(await run(`return canvass.ratingOf(${binding})`)).toBe(0);
  await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, reasons: ['slow'], revision: 0 });
});

it("ignores headless ratings of the previous person's messages", async () => {
  const { binding, run, sent, stored } = await openOwn();
  await run(`canvass.rate(${binding}, 1)`);
  await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });
  const theirs = JSON.stringify(bindingOf('m2', 'theirs'));
  const looked = JSON.stringify(bindingOf('m3'));
  await run(`
    canvass.ratingOf(${looked});
    canvass.identify('somebody-else');
    canvass.rate(${looked}, 0);
    canvass.rate(${binding}, 0);
    canvass.withdraw(${binding});
    canvass.rate(${theirs}, 0);
  `);
  await expect.poll(() => stored.get('theirs')).toEqual({ rating: 0, revision: 0 });
  expect(sent.map(({ body }) => body.showToken)).toEqual([TOKEN, 'theirs']);
});

it('rates and withdraws without buttons, and knows the rating immediately after a reload', async () => {
  const { page, binding, run, stored, faults } = await openOwn();
  expect(await run(`return canvass.ratingOf(${binding}) ?? 'none'`)).toBe('none');
  const rating = `{ text: 'Slow', reasons: ['slow'] }`;
  expect(await run(`return canvass.rate(${binding}, 0, ${rating})`)).toEqual({ status: 'stored' });
  const warnings: string[] = [];
  page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
  for (const none of ['undefined', 'null'])
    expect(await run(`return canvass.rate(${none}, 1)`)).toEqual({ status: 'not-asked' });
  await expect.poll(() => warnings).toEqual([expect.stringContaining('rate() got no binding')]);
  await expect
    .poll(() => stored.get(TOKEN))
    .toEqual({ rating: 0, text: 'Slow', reasons: ['slow'], revision: 0 });
  faults.push('offline');
  expect(await run(`return canvass.rate(${binding}, 1)`)).toEqual({ status: 'waiting' });
  await expect.poll(() => run(`return canvass.ratingOf(${binding})`)).toBe(1);
  await page.reload();
  expect(await run(`return canvass.ratingOf(${binding})`)).toBe(1);
  await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 1 });
  await run(`canvass.withdraw(${binding})`);
  await expect.poll(() => stored.get(TOKEN)).toEqual({ revision: 2 });
  expect(await run(`return canvass.ratingOf(${binding}) ?? 'none'`)).toBe('none');
});
