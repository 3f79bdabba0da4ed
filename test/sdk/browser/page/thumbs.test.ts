import { describe, expect, it } from 'vitest';
import { outbox } from '../support/delivery.ts';
import {
  bindingOf,
  bindThumbs,
  openPlayed,
  playRatings,
  pressed,
  THUMBS,
  thumb,
} from '../support/played-ratings.ts';
import { openShop, type Shop, type ShopOptions, useShops } from '../support/shop.ts';
import { REASONS } from '../support/surveys.ts';

useShops();

const TOKEN = 'token-m1';

async function openChat(options?: ShopOptions, survey = THUMBS) {
  const shop = await openPlayed(options, survey);
  const { page } = shop;
  await page.waitForFunction(() => window.canvass?.bind);
  await bindThumbs(page, bindingOf('m1'));
  await thumb(page, 'Helpful').waitFor();
  return { ...shop, up: thumb(page, 'Helpful'), down: thumb(page, 'Not helpful') };
}

async function bindAgain({ page }: Pick<Shop, 'page'>, binding: object = bindingOf('m1')): Promise<void> {
  await page.waitForFunction(() => window.canvass?.bind);
  await bindThumbs(page, binding);
}

describe('thumbs', () => {
  it('rate, change, and withdraw with a click on the pressed thumb, and report and send what was attested', async () => {
    const { page, up, down, stored, sent, user } = await openChat();
    await page.evaluate(() => {
      const told: unknown[] = [];
      Object.assign(window, { told });
      for (const event of ['answered', 'withdrawn'] as const)
        window.canvass.on(event, ({ rating, binding }) => told.push([event, rating, binding?.observationId]));
    });
    await up.click();
    expect(await pressed(page)).toEqual(['Helpful']);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });
    await down.click();
    expect(await pressed(page)).toEqual(['Not helpful']);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 1 });
    await down.click();
    expect(await pressed(page)).toEqual([]);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ revision: 2 });
    await up.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 3 });
    await expect.poll(() => outbox(page)).toEqual([]);
    const { slug: _, ...attested } = bindingOf('m1');
    expect(sent[0]?.body).toMatchObject({ ...attested, userId: user, identityKind: 'identified', rating: 1 });
    expect(sent[1]?.path).toBe('/v1/sdk/revisions');
    expect(sent[1]?.body).toMatchObject({ ...attested, rating: 0, revision: 1 });
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([
        ['answered', 1, 'm1'],
        ['answered', 0, 'm1'],
        ['withdrawn', undefined, 'm1'],
        ['answered', 1, 'm1'],
      ]);
  });

  it('ignore the second click of a double click', async () => {
    const { page, down, stored } = await openChat();
    await down.dblclick();
    expect(await pressed(page)).toEqual(['Not helpful']);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 0 });
    await expect.poll(() => outbox(page)).toEqual([]);
    expect(stored.get(TOKEN)).toEqual({ rating: 0, revision: 0 });
  });

  it('ask for words after thumb down, which counts without them', async () => {
    const { page, down, stored } = await openChat();
    await down.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 0 });
    await page.getByRole('textbox', { name: 'What was missing?' }).fill('The price');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, text: 'The price', revision: 1 });
    await page.getByText('Thank you!').waitFor();
    expect(await page.getByRole('textbox', { name: 'What was missing?' }).count()).toBe(0);
  });

  it('store a reason when it is chosen, once and across a reload, and clear it with another choice', async () => {
    const { page, up, down, stored } = await openChat({}, { ...THUMBS, reasons: REASONS });
    await down.click();
    const chips = page.getByRole('group', { name: 'What was missing?' });
    await chips.getByRole('checkbox', { name: 'It was wrong' }).click();
    await expect.poll(() => stored.get(TOKEN)).toMatchObject({ rating: 0, reasons: ['wrong'] });
    await page.getByRole('textbox', { name: 'What was missing?' }).fill('The price');
    await chips.getByRole('checkbox', { name: 'It was slow' }).click();
    const said = { rating: 0, text: 'The price', reasons: ['slow', 'wrong'] };
    await expect.poll(() => stored.get(TOKEN)).toMatchObject(said);
    const { revision = 0 } = stored.get(TOKEN) ?? {};
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you!').waitFor();
    await expect.poll(() => outbox(page)).toEqual([]);
    await page.reload();
    await bindAgain({ page });
    await down.waitFor();
    expect(await pressed(page)).toEqual(['Not helpful']);
    expect(stored.get(TOKEN)).toMatchObject(said);
    await up.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: revision + 1 });
  });

  it('are restored after a reload by message, with a new token or none', async () => {
    const { page, up, stored } = await openChat();
    await up.click();
    await expect.poll(() => stored.get(TOKEN)?.rating).toBe(1);
    // If the page is left before the reply arrives, the next page sends a revision.
    await expect.poll(() => outbox(page)).toEqual([]);
    for (const token of [TOKEN, 'another', '']) {
      await page.reload();
      await bindAgain({ page }, bindingOf('m1', token));
      await expect.poll(() => pressed(page)).toEqual(['Helpful']);
    }
    await thumb(page, 'Not helpful').click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 1 });
    expect([...stored.keys()]).toEqual([TOKEN]);
  });

  it('belong to one message and one person', async () => {
    const shop = await openChat();
    const { page, up, stored } = shop;
    await up.click();
    await expect.poll(() => stored.size).toBe(1);
    await bindThumbs(page, bindingOf('m2'));
    await expect.poll(() => pressed(page)).toEqual([]);
    const other = await openShop({ context: shop.context, user: 'somebody-else' });
    await bindAgain(other, bindingOf('m1', 'theirs'));
    await thumb(other.page, 'Helpful').waitFor();
    expect(await pressed(other.page)).toEqual([]);
    await bindAgain(other, bindingOf('m1', ''));
    const told = await other.page.evaluate(
      (binding) =>
        new Promise((told) => {
          window.canvass.on('notshown', told);
          const place = document.querySelector('#before');
          if (place) window.canvass.bind(binding as never, place);
        }),
      bindingOf('m1', ''),
    );
    expect(told).toMatchObject({ slug: 'helpful', reason: 'no-token' });
  });

  it('do nothing for the previous person after another signs in', async () => {
    const { page, up, sent } = await openChat();
    await page.evaluate(() => window.canvass.identify('somebody-else'));
    await up.click();
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(0);
    expect(sent).toEqual([]);
  });

  it('disappear with the question and unsent words when another person signs in', async () => {
    const { page, down, sent, stored } = await openChat({}, { ...THUMBS, reasons: REASONS });
    await down.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 0 });
    const words = page.getByRole('textbox', { name: 'What was missing?' });
    await words.fill('The price');
    await page.evaluate(() => window.canvass.identify('somebody-else'));
    await page.getByRole('checkbox', { name: 'It was slow' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  it('that load late are not drawn for another person', async () => {
    const released = Promise.withResolvers<void>();
    const { page, context, stored } = await openChat();
    await context.route(/\/sdk\/thumbs-/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await page.waitForFunction(() => window.canvass?.bind);
    await page.evaluate(
      (bindings) => {
        const [mine, theirs] = bindings.map((binding) => ({ binding, place: document.createElement('p') }));
        for (const one of [mine, theirs]) {
          if (!one) continue;
          document.body.append(one.place);
          window.canvass.bind(one.binding, one.place);
          window.canvass.identify('somebody-else');
        }
      },
      [bindingOf('m1'), bindingOf('m2')],
    );
    released.resolve();
    await thumb(page, 'Helpful').click();
    await expect.poll(() => stored.get('token-m2')).toEqual({ rating: 1, revision: 0 });
    expect(await page.locator('canvass-survey').count()).toBe(1);
    expect(stored.has(TOKEN)).toBe(false);
  });

  it("load each message's rating separately, and disappear with the client", async () => {
    const { page } = await openChat();
    const many = Array.from({ length: 40 }, (_, number) => bindingOf(`of-many-${number}`));
    await page.evaluate((bindings) => {
      const { parse } = JSON;
      Object.assign(window, { reads: 0 });
      JSON.parse = (...given: Parameters<typeof parse>) => {
        Object.assign(window, { reads: Number(Reflect.get(window, 'reads')) + 1 });
        return parse(...given);
      };
      for (const binding of bindings) {
        const place = document.createElement('p');
        document.querySelector('main')?.append(place);
        window.canvass.bind(binding, place);
      }
    }, many);
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(many.length + 1);
    expect(await page.evaluate('reads')).toBeLessThan(5 * many.length);
    await page.evaluate(() => window.canvass.destroy());
    expect(await page.locator('canvass-survey').count()).toBe(0);
  });

  it('report what is missing when given all bindings', async () => {
    const { page } = await openShop({ prepare: (page) => playRatings(page.context()) });
    await page.waitForFunction(() => window.canvass?.bind);
    const told = page.evaluate(() => new Promise((told) => window.canvass.on('error', told)));
    await bindThumbs(page, { helpful: bindingOf('m1') });
    expect(await told).toEqual({ missing: ['surveyId'] });
  });

  it('are not drawn for a survey of another type', async () => {
    const { page } = await openShop({
      prepare: (page) => playRatings(page.context(), { ...THUMBS, type: 'nps' }),
    });
    await page.waitForFunction(() => window.canvass?.bind);
    const told = page.evaluate(() => new Promise((told) => window.canvass.on('notshown', told)));
    await bindThumbs(page, bindingOf('m1'));
    expect(await told).toEqual({ slug: 'helpful', reason: 'not-thumbs' });
  });
});

describe('a rating', () => {
  it.each([
    ['a lost reply', [undefined, 1, 1]],
    ['a reply from elsewhere', [undefined, 1]],
  ])('is sent again under the same number after %s, and counts once', async (reply, revisions) => {
    const { page, up, down, stored, sent, faults } = await openChat({
      prepare: (page) => page.clock.install(),
    });
    await up.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });
    await expect.poll(() => outbox(page)).toEqual([]);
    if (reply === 'a lost reply') faults.push('lost');
    else await page.route('**/v1/sdk/revisions', (route) => route.fulfill({ body: '<html>' }), { times: 1 });
    await down.click();
    await expect.poll(async () => (await outbox(page))[0]).toMatchObject({ tries: 1 });
    await page.clock.runFor(10_000);
    await expect.poll(() => outbox(page)).toEqual([]);
    expect(sent.map(({ body }) => body.revision)).toEqual(revisions);
    expect(stored.get(TOKEN)).toEqual({ rating: 0, revision: 1 });
  });

  it('is changed even if its first reply was lost', async () => {
    const { page, up, down, stored, faults } = await openChat({ prepare: (page) => page.clock.install() });
    faults.push('lost');
    await up.click();
    await expect.poll(async () => (await outbox(page))[0]).toMatchObject({ tries: 1 });
    await down.click();
    await page.clock.runFor(1_000);
    await expect.poll(() => stored.get(TOKEN)).toMatchObject({ rating: 0 });
    await expect.poll(() => outbox(page)).toEqual([]);
    expect(await pressed(page)).toEqual(['Not helpful']);
  });

  it('given offline is sent on the next page in its last state', async () => {
    const { page, up, down, stored, address } = await openChat();
    const RATINGS = '**/v1/sdk/{responses,revisions}';
    await page.route(RATINGS, (route) => route.abort('internetdisconnected'));
    await up.click();
    await down.click();
    await expect.poll(async () => (await outbox(page))[0]).toMatchObject({ body: { rating: 0 } });
    await page.goto('about:blank');
    await page.unroute(RATINGS);
    await page.clock.install({ time: Date.now() + 60_000 });
    await page.goto(address);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 0 });
    await bindAgain({ page });
    await expect.poll(() => pressed(page)).toEqual(['Not helpful']);
    await thumb(page, 'Helpful').click();
    await expect.poll(() => stored.get(TOKEN)).toMatchObject({ rating: 1 });
  });

  it('is not stored if withdrawn before delivery', async () => {
    const { page, up, stored, faults } = await openChat({ prepare: (page) => page.clock.install() });
    faults.push('offline');
    await up.click();
    await expect.poll(async () => (await outbox(page))[0]).toMatchObject({ tries: 1 });
    await up.click();
    await page.clock.runFor(10_000);
    await expect.poll(() => outbox(page)).toEqual([]);
    expect(stored.size).toBe(0);
    await up.click();
    await page.clock.runFor(1_000);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 1, revision: 0 });
  });

  it("overwrites another device's change with a new click", async () => {
    const { up, down, stored } = await openChat();
    await up.click();
    await expect.poll(() => stored.get(TOKEN)?.rating).toBe(1);
    stored.set(TOKEN, { rating: 1, text: 'From the phone', revision: 4 });
    await down.click();
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 5 });
  });

  it("yields to another device's change if it arrives late, and reports that", async () => {
    const { page, up, down, stored, faults } = await openChat({ prepare: (page) => page.clock.install() });
    await up.click();
    await expect.poll(() => outbox(page)).toEqual([]);
    await page.evaluate(() =>
      Object.assign(window, { told: new Promise((told) => window.canvass.on('error', told)) }),
    );
    faults.push('offline');
    await down.click();
    await expect.poll(async () => (await outbox(page))[0]).toMatchObject({ tries: 1 });
    stored.set(TOKEN, { rating: 1, text: 'From the phone', revision: 4 });
    await page.clock.fastForward(120_000);
    expect(await page.evaluate('told')).toMatchObject({ status: 409, code: 'revision_conflict' });
    expect(stored.get(TOKEN)).toMatchObject({ text: 'From the phone', revision: 4 });
    await expect.poll(() => pressed(page)).toEqual([]);
    await down.click();
    await page.clock.runFor(1_000);
    await expect.poll(() => stored.get(TOKEN)).toEqual({ rating: 0, revision: 5 });
  });

  it('is shown in the other tab and can be changed there', async () => {
    const one = await openChat();
    const other = await openShop({ context: one.context, user: one.user });
    await bindAgain(other);
    await thumb(other.page, 'Helpful').waitFor();
    await one.up.click();
    await expect.poll(() => pressed(other.page)).toEqual(['Helpful']);
    await expect.poll(() => one.stored.get(TOKEN)?.rating).toBe(1);
    await thumb(other.page, 'Not helpful').click();
    await expect.poll(() => pressed(one.page)).toEqual(['Not helpful']);
    await expect.poll(() => one.stored.get(TOKEN)).toEqual({ rating: 0, revision: 1 });
    await one.up.click();
    await expect.poll(() => one.stored.get(TOKEN)).toEqual({ rating: 1, revision: 2 });
  });
});
