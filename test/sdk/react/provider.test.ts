import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { jsonOf, jsonOfTraits } from '../../../sdk/react/provided.ts';
import { answer, outbox, rowsOf } from '../browser/support/delivery.ts';
import { bench, storedRows, useShops } from '../browser/support/shop.ts';
import { serverRenderer, VERSIONS } from './support/bundle.ts';
import { openReact, provider } from './support/react-page.ts';

useShops();

const user = () => `user-${randomUUID()}`;

describe.each(VERSIONS)('with React %i', (version) => {
  it('keeps one client for equal options, with one request', async () => {
    const scene = { strict: true, provider: { ...provider, userId: user(), traits: { plan: 'pro' } } };
    const { page, render, requests } = await openReact(version, scene);
    await page.getByText('ready').waitFor();
    for (const traits of [{ plan: 'pro' }, { plan: 'pro' }])
      await render({ ...scene, provider: { ...scene.provider, traits, strings: undefined } });
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(1);
    expect(requests).toEqual(['POST /v1/sdk/bootstrap']);
  });

  it("sends no request from StrictMode's discarded client", async () => {
    const { region, requests, page } = await openReact(version, {
      strict: true,
      provider: { ...provider, userId: user() },
      inline: { slug: 'nps-inline' },
    });
    await region.waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(1);
    expect(requests).toEqual(['POST /v1/sdk/bootstrap']);
  });

  it('keeps its client and request when it mounts again within a second, and ends both otherwise', async () => {
    const scene = { provider: { ...provider, userId: user() } };
    const failed: string[] = [];
    const { page, render, requests } = await openReact(version, scene, {
      async prepare(page) {
        page.on('requestfailed', (request) => failed.push(`${request.failure()?.errorText}`));
        await page.route('**/v1/sdk/bootstrap', () => {});
        // The mounts take less than a second by the page's clock.
        await page.clock.setFixedTime(Date.now());
      },
    });
    await expect.poll(() => requests).toHaveLength(1);
    for (let turn = 0; turn < 10; turn++) {
      await render({});
      await page.getByText('ready').waitFor({ state: 'detached' });
      await render(scene);
      await page.getByText('ready').waitFor();
    }
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(1);
    expect([requests.length, failed]).toEqual([1, []]);
    await render({});
    await expect.poll(() => failed).toEqual(['net::ERR_ABORTED']);
    await render(scene);
    await expect.poll(() => requests).toHaveLength(2);
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(2);
  });

  it('passes changed traits to the client, which applies them', async () => {
    const person = { ...provider, userId: user() };
    const shop = await openReact(version, { provider: { ...person, traits: { plan: 'free' } } });
    const { page, region, render, radio, send } = shop;
    await page.getByText('ready').waitFor();
    const reason = await page.evaluate(
      () =>
        new Promise((told) => {
          window.app.seen.clients[0]?.on('notshown', ({ reason }) => told(reason));
          window.app.seen.clients[0]?.show('targeted');
        }),
    );
    expect(reason).toBe('targeting');
    await render({ provider: { ...person, traits: { plan: 'pro' } }, shows: 'targeted' });
    await region.waitFor();
    await radio(9).click();
    await send().click();
    expect(await rowsOf({ ...shop, user: person.userId }, 1)).toMatchObject([{ traits: { plan: 'pro' } }]);
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(1);
  });

  it('passes asks whose texts follow the latest rating', async () => {
    const { page } = await openReact(version, { provider: { ...provider, userId: user() } });
    await page.getByText('ready').waitFor();
    const texts = await page.evaluate(
      () =>
        new Promise((told) => {
          window.app.seen.clients[0]?.on('ask', ({ survey, draft }) => {
            const textOf = (rating: number) => {
              draft(rating);
              return survey.followUpQuestion ?? survey.thanks?.text;
            };
            told([3, 8, 10].map(textOf));
          });
          window.app.seen.clients[0]?.show('rated');
        }),
    );
    expect(texts).toEqual(['What went wrong?', 'What could be better?', 'Glad to hear it!']);
  });

  it('passes another person to the client, removes the previous survey and sends its draft', async () => {
    const [ann, ben] = [user(), user()];
    const shop = await openReact(version, { provider: { ...provider, userId: ann } });
    const { page, region, render, radio } = shop;
    await page.getByText('ready').waitFor();
    await page.evaluate(() => window.app.seen.clients[0]?.show('csat-corner'));
    await radio(4).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await render({ provider: { ...provider, userId: ben } });
    await region.waitFor({ state: 'detached' });
    expect(await rowsOf({ ...shop, user: ann }, 1)).toMatchObject([{ rating: 4 }]);
    await page.evaluate(() => window.app.seen.clients[0]?.show('plain'));
    await radio(9).click();
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await rowsOf({ ...shop, user: ben }, 1)).toMatchObject([{ rating: 9 }]);
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(1);
  });

  it('creates a new client for other options, and ends the previous one', async () => {
    const person = { ...provider, userId: user() };
    const { page, render } = await openReact(version, {
      strict: true,
      provider: person,
      inline: { slug: 'nps-inline' },
    });
    await page.getByRole('region', { name: 'Feedback' }).waitFor();
    await render({ strict: true, provider: { ...person, locale: 'de' }, inline: { slug: 'nps-inline' } });
    await page.getByText('Wie zufrieden sind Sie?', { exact: true }).waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(1);
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(2);
  });

  it('removes everything when unmounted, and sends the draft', async () => {
    const person = user();
    const shop = await openReact(version, { strict: true, provider: { ...provider, userId: person } });
    const { page, radio } = shop;
    await page.getByText('ready').waitFor();
    await page.evaluate(() => window.app.seen.clients[0]?.show('csat-corner'));
    await radio(2).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await shop.render({ strict: true });
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(0);
    expect(await rowsOf({ ...shop, user: person }, 1)).toMatchObject([{ rating: 2 }]);
    await expect.poll(() => outbox(page)).toEqual([]);
    await shop.render({ strict: true, provider: { ...provider, userId: person } });
    await page.getByText('ready').waitFor();
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(2);
  });

  it("calls the last render's token function", async () => {
    const tenant = bench.provenTenant;
    const person = user();
    const scene = {
      provider: { ...provider, clientKey: tenant.key, userId: person },
      fetchesToken: true,
    };
    const asked: number[] = [];
    const shop = await openReact(version, scene, {
      prepare: (page) =>
        page.exposeFunction('fetchToken', (render: number) => {
          asked.push(render);
          return new SignJWT({ sub: person, exp: Math.floor(Date.now() / 1_000) + 600 })
            .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
            .sign(new TextEncoder().encode(tenant.identitySecret));
        }),
    });
    const { page, radio, send } = shop;
    await page.getByText('ready').waitFor();
    await expect.poll(() => asked).toHaveLength(1);
    await shop.render(scene);
    await page.evaluate(() => window.app.seen.clients[0]?.show('plain'));
    await radio(9).click();
    await send().click();
    await expect.poll(() => storedRows(person, tenant)).toMatchObject([{ rating: 9, verified: true }]);
    await page.evaluate(() => window.app.seen.clients[0]?.show('nps-corner'));
    await expect.poll(() => asked).toHaveLength(2);
    expect(asked[1]).toBeGreaterThan(asked[0] ?? 0);
    expect(await page.evaluate(() => window.app.seen.clients.length)).toBe(1);
  });

  it('renders the same on a server each time, and hydrates', async () => {
    const render = await serverRenderer(version);
    const scene = {
      strict: true,
      provider: { ...provider, userId: user() },
      messages: [{ id: 'm1', binding: null }],
      inline: { slug: 'nps-inline' },
    };
    const root = render(scene);
    expect(render(scene)).toBe(root);
    expect(root).toBe(
      '<article id="m1"><div class="thumbs"></div></article>' +
        '<div class="survey" data-canvass="nps-inline"></div><output>waiting</output>',
    );
    // React reports hydration differences to the console, which fails the test.
    const { region, page } = await openReact(version, scene, { root });
    await page.getByText('ready').waitFor();
    await region.waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(1);
  });

  it('is required by its components and hooks', async () => {
    const render = await serverRenderer(version);
    expect(() => render({ messages: [{ id: 'm1' }], orphaned: true })).toThrow(
      '<Feedback> has no <CanvassProvider> around it.',
    );
    expect(() => render({ inline: { slug: 'plain' }, orphaned: true })).toThrow(
      '<InlineSurvey> has no <CanvassProvider> around it.',
    );
    expect(() => render({ orphaned: true })).toThrow('useCanvass has no <CanvassProvider> around it.');
  });
});

describe.each(VERSIONS)('with React %i', (version) => {
  it("calls the last render's listener once per event", async () => {
    const scene = { strict: true, provider: { ...provider, userId: `user-${randomUUID()}` } };
    const shop = await openReact(version, scene);
    const { page, render } = shop;
    await page.getByText('ready').waitFor();
    const before = await page.evaluate(() => window.app.seen.renders);
    await render(scene);
    await expect.poll(() => page.evaluate(() => window.app.seen.renders)).toBeGreaterThan(before);
    await page.evaluate(() => window.app.seen.clients[0]?.show('plain'));
    await answer(shop);
    const heard = await page.evaluate(() => window.app.seen.answered);
    expect(heard).toHaveLength(1);
    const [rating, number] = heard[0]?.split(', render ') ?? [];
    expect(rating).toBe('9');
    expect(Number(number)).toBeGreaterThan(before);
  });
});

it('returns the same text for equal values, and none for what is not JSON', () => {
  expect(jsonOf({ a: [1] })).toBe(jsonOf({ a: [1] }));
  expect([jsonOf(1n), jsonOf(undefined)]).toEqual(['', '']);
});

it('detects each changed trait, even beside one that is not JSON', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const throwing = {
    get it() {
      throw new Error('no');
    },
  };
  for (const others of [{}, { id: 42n }, circle, throwing]) {
    const withPlan = (plan: string) =>
      jsonOfTraits(Object.defineProperties({ plan }, Object.getOwnPropertyDescriptors(others)));
    expect(withPlan('pro')).toBe(withPlan('pro'));
    expect(withPlan('pro')).not.toBe(withPlan('free'));
  }
  expect(jsonOfTraits({ orgs: ['a', { b: 1 }] })).not.toBe(jsonOfTraits({ orgs: ['a', { b: 2 }] }));
  expect(jsonOfTraits(undefined)).toBe(jsonOfTraits(null));
});
