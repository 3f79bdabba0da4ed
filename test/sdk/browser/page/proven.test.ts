import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
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
    await expect
      .poll(last)
      .toEqual({ key: tenant.key, userId: 'somebody-else', types: 'thumbs,pages,events' });
    await identify(shop);
    await expect.poll(last).toMatchObject({ userToken: expect.any(String) });
    await shop.page.evaluate('canvass.identify(null)');
    await expect.poll(last).toEqual({
      key: tenant.key,
      userId: expect.not.stringMatching(shop.user),
      types: 'thumbs,pages,events',
    });
  });
});
