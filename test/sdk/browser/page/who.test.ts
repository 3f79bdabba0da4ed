import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { outbox } from '../support/delivery.ts';
import { eventually } from '../support/patience.ts';
import {
  bench,
  isAsked,
  openShop,
  openShopShowing,
  type Shop,
  type ShopOptions,
  storedRows,
  useShops,
} from '../support/shop.ts';

useShops();

describe('audience', () => {
  it('does not ask again after an answer or dismissal, on any device', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => storedRows(shop.user)).toHaveLength(1);
    // If the page is left before the reply arrives, the next page sends the answer again.
    await expect.poll(() => outbox(shop.page)).toEqual([]);
    await shop.page.reload();
    await expect.poll(() => shop.requests).toHaveLength(3);
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
    const elsewhere = await openShopShowing('plain', { user: shop.user });
    await elsewhere.page.waitForLoadState('networkidle');
    expect(await isAsked(elsewhere)).toBe(false);
  });

  it('matches the current traits', async () => {
    const shop = await openShopShowing('targeted');
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
    await shop.page.evaluate((user) => window.canvass.identify(user, { plan: 'pro' }), shop.user);
    await shop.page.evaluate("canvass.show('targeted')");
    await shop.radio(9).click();
    await shop.send().click();
    await eventually(async () => {
      expect(await storedRows(shop.user)).toMatchObject([{ rating: 9, traits: { plan: 'pro' } }]);
    });
  });

  it('treats an id that names nobody as not signed in, and reports it', async () => {
    const shop = await openShop({ anonymous: true });
    const warnings: string[] = [];
    shop.page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
    await expect.poll(() => shop.sent).toHaveLength(1);
    const device = shop.sent[0]?.body.userId;
    const wrong = ['{ id: 7 }', "'null'"];
    await shop.page.evaluate(`
      window.refused = [];
      canvass.on('error', ({ cause }) => window.refused.push(cause instanceof TypeError));`);
    const refused = () => shop.page.evaluate('window.refused');
    for (const id of wrong) await shop.page.evaluate(`canvass.identify(${id})`);
    await expect.poll(refused).toEqual(wrong.map(() => true));
    for (const nobody of ["''", 'null', 'undefined']) await shop.page.evaluate(`canvass.identify(${nobody})`);
    const people = () => new Set(shop.sent.map(({ body }) => body.userId));
    await shop.page.evaluate('canvass.identify(43)');
    await expect.poll(people).toContain('43');
    expect(await refused()).toEqual(wrong.map(() => true));
    expect(warnings.filter((line) => line.includes('userId'))).toHaveLength(wrong.length);
    expect(people()).toEqual(new Set([device, '43']));
  });

  it('treats an anonymous device as one respondent across page loads', async () => {
    const shop = await openShopShowing('plain', { anonymous: true });
    await shop.region.waitFor();
    await shop.page.reload();
    await shop.radio(9).click();
    await shop.send().click();
    await expect.poll(() => shop.sent.length).toBe(3);
    const [first, second, third] = shop.sent.map(({ body }) => body.userId);
    expect(first).toBeTruthy();
    expect([second, third]).toEqual([first, first]);
    expect(shop.sent[2]?.body.identityKind).toBe('anon-device');
  });

  it('stores nothing with `storage: false`', async () => {
    const shop = await openShopShowing('plain', { anonymous: true, options: { storage: false } });
    await shop.radio(9).click();
    await shop.send().click();
    await expect.poll(() => shop.sent.length).toBe(2);
    expect(await shop.page.evaluate('localStorage.length')).toBe(0);
  });

  it.each([{}, { user: '' }])('removes the open survey when the person signs out: %o', async (told) => {
    const shop = await openShopShowing('plain', { anonymous: true, ...told });
    await shop.radio(9).click();
    await shop.page.evaluate("canvass.identify(null); canvass.identify(null, { plan: 'pro' })");
    await shop.send().click();
    await expect.poll(() => shop.sent.at(-1)?.body).toMatchObject({ rating: 9 });
  });

  it('does not show a survey of the previous person to the next', async () => {
    const shop = await openShopShowing('nps-corner');
    await shop.radio(3).click();
    await shop.send().click();
    await shop.page.getByRole('checkbox').waitFor();
    await shop.page.evaluate("canvass.identify('somebody-else')");
    await shop.region.waitFor({ state: 'detached' });
    await eventually(async () => expect(await storedRows(shop.user)).toMatchObject([{ rating: 3 }]));
  });
});

describe("a page's own interface", () => {
  it('draws and answers without the widget', async () => {
    const shop = await openShop({ module: 'headless' });
    const shown = await shop.page.evaluate(`(async () => {
      const { createCanvass, isLowScore } = await import('/sdk/headless.mjs');
      const canvass = createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: shop.user })});
      const events = [];
      canvass.on('answered', ({ rating }) => events.push('answered ' + rating));
      const ask = await new Promise((resolve) => {
        canvass.on('ask', resolve);
        canvass.show('nps-inline');
      });
      ask.shown();
      ask.answer(4, { text: 'My own box' });
      ask.answer(5, { text: 'Twice' });
      await new Promise((done) => setTimeout(done));
      return { question: ask.survey.question, events, low: isLowScore('nps', 4) };
    })()`);
    expect(shown).toEqual({
      question: 'How likely are you to recommend us to a colleague?',
      events: ['answered 4'],
      low: true,
    });
    await eventually(async () =>
      expect(await storedRows(shop.user)).toMatchObject([{ rating: 4, text: 'My own box' }]),
    );
    expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/sdk/responses']);
    expect(shop.shows).toHaveLength(1);
    expect(await isAsked(shop)).toBe(false);
  });

  it("finds the widget's module beside it", async () => {
    const shop = await openShop({ module: 'module' });
    await shop.page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/canvass.mjs');
      const strings = { region: 'Umfrage', send: 'Senden' };
      const options = ${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: shop.user })};
      createCanvass({ ...options, strings }).show('plain');
    })()`);
    const region = shop.page.getByRole('region', { name: 'Umfrage' });
    await region.waitFor();
    await shop.radio(0).check({ force: true });
    await region.getByRole('button', { name: 'Senden' }).waitFor();
  });
});

const tenant = bench.provenTenant;

const signed = (user: string, seconds = 600) =>
  new SignJWT({ sub: user, exp: Math.floor(Date.now() / 1_000) + seconds })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(tenant.identitySecret));

const asksServer = (user: string, first: string[] = []): ShopOptions => ({
  user,
  tenant,
  prepare: (page) => page.exposeFunction('fetchToken', async () => first.shift() ?? signed(user)),
});
const identify = ({ page, user }: Shop) =>
  page.evaluate((id) => {
    const { fetchToken } = window as unknown as { fetchToken: () => Promise<string> };
    window.canvass.identify(id, {}, fetchToken);
  }, user);

async function expectVerifiedAnswer(shop: Shop): Promise<void> {
  await shop.radio(9).click();
  await shop.send().click();
  await eventually(async () => {
    expect(await storedRows(shop.user, tenant)).toMatchObject([{ rating: 9, verified: true }]);
  });
}

describe('with required identity', () => {
  it('asks only with a token, and marks the answer as verified', async () => {
    const shop = await openShopShowing('plain', asksServer(`user-${crypto.randomUUID()}`));
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
    await identify(shop);
    await shop.page.evaluate("canvass.show('plain')");
    await expectVerifiedAnswer(shop);
  });

  it('accepts the token from the tag', async () => {
    const user = `user-${crypto.randomUUID()}`;
    const shop = await openShopShowing('plain', { user, tenant, userToken: await signed(user) });
    await expectVerifiedAnswer(shop);
  });

  it('reports a token that cannot be fetched, and asks nobody until then', async () => {
    const shop = await openShop(asksServer(`user-${crypto.randomUUID()}`));
    await shop.page.waitForLoadState('networkidle');
    const cause = await shop.page.evaluate(
      (user) =>
        new Promise((resolve) => {
          window.canvass.on('error', (error) => resolve(error.cause));
          window.canvass.identify(user, {}, () => Promise.reject('signed out'));
          window.canvass.show('plain');
        }),
      shop.user,
    );
    expect(cause).toBe('signed out');
    expect(await isAsked(shop)).toBe(false);
    await identify(shop);
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
  });

  it('keeps the token when traits change, and drops it for another person or nobody', async () => {
    const shop = await openShop(asksServer(`user-${crypto.randomUUID()}`));
    await identify(shop);
    await shop.page.evaluate((user) => window.canvass.identify(user, { plan: 'pro' }), shop.user);
    const last = () => shop.sent.at(-1)?.body;
    await expect.poll(last).toMatchObject({ userId: shop.user, userToken: expect.any(String) });
    await shop.page.evaluate("canvass.identify('somebody-else')");
    await expect.poll(last).toEqual({
      key: tenant.key,
      userId: 'somebody-else',
      types: 'thumbs,pages,events,by-rating,choice,open,person',
    });
    await identify(shop);
    await expect.poll(last).toMatchObject({ userToken: expect.any(String) });
    await shop.page.evaluate('canvass.identify(null)');
    await expect.poll(last).toEqual({
      key: tenant.key,
      userId: expect.not.stringMatching(shop.user),
      types: 'thumbs,pages,events,by-rating,choice,open,person',
    });
  });
});
