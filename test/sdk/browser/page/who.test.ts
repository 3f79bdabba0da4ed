import { describe, expect, it } from 'vitest';
import { outbox } from '../support/delivery.ts';
import { eventually } from '../support/patience.ts';
import { bench, isAsked, openShop, openShopShowing, storedRows, useShops } from '../support/shop.ts';

useShops();

describe('audience', () => {
  it('does not ask again after an answer or dismissal, on any device', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => storedRows(shop.user)).toHaveLength(1);
    // After leaving before the reply, the next page would send it again.
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

  it('accepts a number as id', async () => {
    const shop = await openShop({ module: 'headless' });
    await shop.page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/headless.mjs');
      createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: 42 })}).identify(43);
      createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: 42 })});
    })()`);
    await expect.poll(() => shop.sent.map(({ body }) => body.userId).toSorted()).toEqual(['42', '43']);
  });

  it('excludes people outside of the sample', async () => {
    const shop = await openShopShowing('nobody');
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
  });

  it('treats an anonymous device as one respondent over page loads', async () => {
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

describe('an own interface', () => {
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
