/** Who is asked what, and when. */

import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import type { Survey } from '../../../../sdk/browser/wire.ts';
import { bench, openShop, openShopShowing, type Shop, storedRows, useShops } from '../support/shop.ts';

useShops();

/** What `auto` waits for: two idle seconds of ours and five of the survey. */
const DUE = 7_000;

/** Time stands still but for what a test lets run. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
}

const clocked = { tenant: bench.autoTenant, prepare: stopClock };

async function openAuto(): Promise<Shop> {
  const shop = await openShop(clocked);
  await shop.page.waitForLoadState('networkidle');
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap']);
  return shop;
}

/** The service's own reply with other surveys in it. */
const reshape = (page: Page, change: (surveys: Survey[]) => Survey[]): Promise<unknown> =>
  page.route('**/v1/sdk/bootstrap', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    const [token] = Object.values(body.showTokens);
    const surveys = change(body.surveys);
    const showTokens = Object.fromEntries(surveys.map(({ id }) => [id, token]));
    await route.fulfill({ response: reply, json: { ...body, surveys, showTokens } });
  });

const elsewhere = (survey: Survey): Survey => ({
  ...survey,
  id: 'sv_elsewhere',
  slug: 'elsewhere',
  presentation: 'inline',
});

/** An ask begins with fetching the widget. */
const isAsked = ({ page }: Shop): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('canvass-survey') !== null ||
      performance.getEntriesByType('resource').some(({ name }) => name.includes('widget')),
  );

describe('auto', () => {
  it('comes after idle time and its delay, and not before', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.region.waitFor();
  });

  it('waits for a pause in typing, pointing and scrolling', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 500);
    await shop.page.focus('#search');
    await shop.page.keyboard.type('a');
    await shop.page.clock.runFor(1_900);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.mouse.click(5, 5);
    await shop.page.clock.runFor(1_900);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.region.waitFor();
  });

  it.each([
    "history.pushState(0, '', '?other')",
    "history.replaceState(0, '', '#other')",
    "location.hash = 'other'",
  ])('is cancelled by navigation and waits anew: %s', async (navigate) => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate(navigate);
    await shop.page.clock.runFor(DUE - 100);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.region.waitFor();
  });

  it('notices navigation also where there is no Navigation API', async () => {
    const shop = await openShop({
      ...clocked,
      prepare: async (page) => {
        await stopClock(page);
        await page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
      },
    });
    await shop.page.waitForLoadState('networkidle');
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate("history.pushState(0, '', '?other')");
    await shop.page.clock.runFor(200);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(DUE);
    await shop.region.waitFor();
  });

  it('ends with the page', async () => {
    const shop = await openAuto();
    await shop.page.clock.runFor(DUE - 100);
    await shop.page.evaluate('canvass.destroy()');
    await shop.page.clock.runFor(DUE);
    expect(await isAsked(shop)).toBe(false);
  });

  it('goes into a place that the page makes after it has gone to another view', async () => {
    const shop = await openShop({
      ...clocked,
      prepare: async (page) => {
        await stopClock(page);
        await reshape(page, (surveys) => surveys.map((survey) => ({ ...survey, presentation: 'inline' })));
      },
    });
    await shop.page.waitForLoadState('networkidle');
    await shop.page.evaluate("history.pushState(0, '', '?other')");
    await shop.page.clock.runFor(100);
    await shop.page.evaluate(
      "document.body.append(document.createElement('aside')); document.querySelector('aside').dataset.canvass = 'auto'",
    );
    await shop.page.clock.runFor(DUE - 200);
    expect(await isAsked(shop)).toBe(false);
    await shop.page.clock.runFor(200);
    await shop.page.locator('aside canvass-survey').waitFor();
  });

  it('still comes when another was wanted that has no place here', async () => {
    const shop = await openShop({
      ...clocked,
      prepare: async (page) => {
        await stopClock(page);
        await reshape(page, (surveys) => [
          ...surveys,
          ...surveys.map((survey) => ({ ...elsewhere(survey), trigger: 'manual' as const })),
        ]);
      },
    });
    await shop.page.waitForLoadState('networkidle');
    await shop.page.evaluate("canvass.show('elsewhere')");
    await shop.page.clock.runFor(DUE + 100);
    await shop.region.waitFor();
  });

  it('a survey that has no place when its time comes gives way to the next', async () => {
    const shop = await openShop({
      ...clocked,
      prepare: async (page) => {
        await stopClock(page);
        await reshape(page, (surveys) => [...surveys.map(elsewhere), ...surveys]);
      },
    });
    await shop.page.waitForLoadState('networkidle');
    await shop.page.clock.runFor(DUE * 2);
    await shop.region.waitFor();
  });

  it('does not come in a tab that nobody looks at', async () => {
    const shop = await openAuto();
    const look = (hidden: boolean) =>
      shop.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await look(true);
    await shop.page.clock.runFor(DUE * 10);
    expect(await isAsked(shop)).toBe(false);
    await look(false);
    await shop.page.clock.runFor(DUE);
    await shop.region.waitFor();
  });
});

it('a tab that is left after an answer asks for nothing until it is looked at again', async () => {
  const shop = await openShopShowing('plain');
  await shop.radio(9).click();
  await shop.send().click();
  await expect.poll(() => shop.requests).toHaveLength(2);
  const look = (hidden: boolean) =>
    shop.page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      return new Promise((done) => setTimeout(done, 0));
    }, hidden);
  await look(true);
  expect(shop.requests).toHaveLength(2);
  await look(false);
  await expect.poll(() => shop.requests).toHaveLength(3);
});

describe('manual', () => {
  it('comes by show alone, and the widget with it', async () => {
    const shop = await openShop({ prepare: (page) => page.clock.install() });
    const fetched: string[] = [];
    shop.page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await shop.page.waitForLoadState('networkidle');
    await shop.page.clock.runFor(600_000);
    expect(await isAsked(shop)).toBe(false);
    expect(fetched.filter((path) => path.includes('widget'))).toEqual([]);
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(fetched.filter((path) => path.includes('widget'))).toHaveLength(1);
  });

  it('one ask at a time: another is not shown beside it, nor after it', async () => {
    const shop = await openShopShowing('plain');
    await shop.region.waitFor();
    await shop.page.evaluate("canvass.show('badge')");
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await shop.page.evaluate("history.pushState(0, '', '?next')");
    await expect.poll(() => shop.requests).toHaveLength(3);
    await shop.page.waitForLoadState('networkidle');
    expect(await shop.page.locator('canvass-survey').count()).toBe(0);
  });

  it('a survey of another name, or in a place that the page does not have, is not shown', async () => {
    const shop = await openShop();
    await shop.page.evaluate("canvass.show('no-such-survey'); canvass.show('nps-inline')");
    await expect.poll(() => shop.requests).toHaveLength(1);
    await shop.page.evaluate("canvass.show('plain')");
    await shop.region.waitFor();
    expect(await shop.page.locator('canvass-survey').count()).toBe(1);
  });

  it('an inline ask whose place the page has taken away makes room for the next', async () => {
    const shop = await openShopShowing('nps-inline');
    await shop.region.waitFor();
    await shop.page.evaluate("document.getElementById('place').remove(); canvass.show('plain')");
    await shop.region.waitFor();
    await expect.poll(() => shop.page.locator('html > canvass-survey').count()).toBe(1);
  });
});

describe('who', () => {
  it('who has answered or dismissed is not asked again, here or on another device', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => shop.requests.at(-1)).toBe('POST /v1/dismissals');
    await shop.page.waitForLoadState('networkidle');
    await shop.page.reload();
    await expect.poll(() => shop.requests).toHaveLength(3);
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
    const elsewhere = await openShopShowing('plain', { user: shop.user });
    await elsewhere.page.waitForLoadState('networkidle');
    expect(await isAsked(elsewhere)).toBe(false);
  });

  it('targeting is by traits, as they are when they are known', async () => {
    const shop = await openShopShowing('targeted');
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
    await shop.page.evaluate((user) => window.canvass.identify(user, { plan: 'pro' }), shop.user);
    await shop.page.evaluate("canvass.show('targeted')");
    await shop.radio(9).click();
    await shop.send().click();
    await vi.waitFor(async () => {
      expect(await storedRows(shop.user)).toMatchObject([{ rating: 9, traits: { plan: 'pro' } }]);
    });
  });

  it('an id may be given as a number', async () => {
    const shop = await openShop({ module: 'headless' });
    await shop.page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/headless.mjs');
      createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: 42 })}).identify(43);
      createCanvass(${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: 42 })});
    })()`);
    await expect.poll(() => shop.sent.map(({ body }) => body.userId).toSorted()).toEqual(['42', '43']);
  });

  it('nobody is asked who is not in the sample', async () => {
    const shop = await openShopShowing('nobody');
    await shop.page.waitForLoadState('networkidle');
    expect(await isAsked(shop)).toBe(false);
  });

  it('a device that nobody has signed in on is one respondent, over page loads', async () => {
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

  it('nothing is written to storage when told not to', async () => {
    const shop = await openShopShowing('plain', { anonymous: true, options: { storage: false } });
    await shop.radio(9).click();
    await shop.send().click();
    await expect.poll(() => shop.sent.length).toBe(2);
    expect(await shop.page.evaluate('localStorage.length')).toBe(0);
  });

  it.each([{}, { user: '' }])(
    'nobody who is said to be nobody goes on with what they are asked: %o',
    async (told) => {
      const shop = await openShopShowing('plain', { anonymous: true, ...told });
      await shop.radio(9).click();
      await shop.page.evaluate("canvass.identify(null); canvass.identify(null, { plan: 'pro' })");
      await shop.send().click();
      await expect.poll(() => shop.sent.at(-1)?.body).toMatchObject({ rating: 9 });
    },
  );

  it('another person who signs in is not shown what the one before was asked', async () => {
    const shop = await openShopShowing('nps-corner');
    await shop.radio(3).click();
    await shop.send().click();
    await shop.page.getByRole('checkbox').waitFor();
    await shop.page.evaluate("canvass.identify('somebody-else')");
    await shop.region.waitFor({ state: 'detached' });
    await vi.waitFor(async () => expect(await storedRows(shop.user)).toMatchObject([{ rating: 3 }]));
  });
});

describe('a session-bound token', () => {
  async function mint(respondentId: string, slug: string) {
    const reply = await fetch(`${bench.service}/v1/sdk/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.tenant.secretKey}` },
      body: JSON.stringify({
        respondentId,
        sessionId: 'session-1',
        traceId: 'trace-1',
        observationId: 'observation-1',
        taskType: 'refund',
      }),
    });
    const { tokens } = (await reply.json()) as { tokens: Record<string, string> };
    const surveyId = bench.tenant.surveys[slug] ?? '';
    return {
      surveyId,
      showToken: tokens[surveyId] ?? '',
      sessionId: 'session-1',
      traceId: 'trace-1',
      observationId: 'observation-1',
    };
  }

  it('makes a linked answer of the respondent it was minted for', async () => {
    const respondent = `chat-${crypto.randomUUID()}`;
    const binding = await mint(respondent, 'csat-corner');
    const shop = await openShopShowing('csat-corner', {
      anonymous: true,
      calls: [
        ['bind', binding],
        ['show', 'csat-corner'],
      ],
    });
    await shop.radio(5).click();
    await shop.send().click();
    await shop.send().click();
    await vi.waitFor(async () => {
      expect(await storedRows(respondent)).toMatchObject([
        {
          rating: 5,
          linked: true,
          scoreState: 'pending',
          sessionId: 'session-1',
          traceId: 'trace-1',
          observationId: 'observation-1',
          taskType: 'refund',
          identityKind: null,
        },
      ]);
    });
  });

  it('that was not minted asks nobody', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => storedRows(shop.user)).toHaveLength(1);
    const { showToken, ...gated } = await mint(shop.user, 'plain');
    expect(showToken).toBe('');
    const again = await openShop({
      user: shop.user,
      calls: [
        ['bind', gated],
        ['bind', { ...gated, showToken }],
        ['show', 'plain'],
      ],
    });
    await expect.poll(() => again.requests).toHaveLength(1);
    await again.page.waitForLoadState('networkidle');
    expect(await isAsked(again)).toBe(false);
  });

  it('is of the person before, when another signs in', async () => {
    const binding = await mint(`chat-${crypto.randomUUID()}`, 'plain');
    const other = `other-${crypto.randomUUID()}`;
    const { page, sent } = await openShop({
      calls: [
        ['bind', binding],
        ['identify', other],
        ['show', 'plain'],
      ],
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => sent.at(-1)?.path).toBe('/v1/dismissals');
    expect(sent.at(-1)?.body).toMatchObject({ userId: other });
    expect(sent.at(-1)?.body.showToken).not.toBe(binding.showToken);
    expect(sent.at(-1)?.body).not.toHaveProperty('sessionId');
  });

  it('is kept when somebody signs in where nobody was', async () => {
    const binding = await mint(`chat-${crypto.randomUUID()}`, 'plain');
    const { page, sent } = await openShop({
      anonymous: true,
      calls: [
        ['bind', binding],
        ['identify', 'somebody'],
        ['show', 'plain'],
      ],
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject(binding);
  });

  it('asks again what was answered before, whatever another tab stores', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    const respondent = `chat-${crypto.randomUUID()}`;
    await shop.page.evaluate(
      (binding) => {
        window.canvass.bind(binding);
        window.canvass.show('plain');
        Object.assign(window, { stored: new Promise((done) => addEventListener('storage', done)) });
      },
      await mint(respondent, 'plain'),
    );
    await shop.region.waitFor();
    const other = await openShop({ context: shop.context, user: shop.user });
    await other.page.evaluate(() => {
      const [name = '', state = ''] = Object.entries(localStorage)[0] ?? [];
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(state), wait: 1 }));
    });
    await shop.page.evaluate('stored.then(() => undefined)');
    await shop.radio(9).click();
    await shop.send().click();
    await expect.poll(() => storedRows(respondent)).toMatchObject([{ rating: 9, linked: true }]);
  });

  it('dismisses as well', async () => {
    const respondent = `chat-${crypto.randomUUID()}`;
    const binding = await mint(respondent, 'plain');
    const shop = await openShopShowing('plain', {
      calls: [
        ['bind', binding],
        ['show', 'plain'],
      ],
    });
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await vi.waitFor(async () =>
      expect(await storedRows(respondent)).toMatchObject([{ surveySlug: 'plain' }]),
    );
  });
});

describe('own interface', () => {
  it('draws what it is told and answers by itself, without the widget', async () => {
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
    await vi.waitFor(async () =>
      expect(await storedRows(shop.user)).toMatchObject([{ rating: 4, text: 'My own box' }]),
    );
    expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/sdk/responses']);
    expect(await isAsked(shop)).toBe(false);
  });

  it('the module with the widget finds it beside itself', async () => {
    const shop = await openShop({ module: 'module' });
    await shop.page.evaluate(`(async () => {
      const { createCanvass } = await import('/sdk/canvass.mjs');
      const strings = { region: 'Umfrage', send: 'Senden' };
      const options = ${JSON.stringify({ key: bench.tenant.key, baseUrl: bench.service, userId: shop.user })};
      createCanvass({ ...options, strings }).show('plain');
    })()`);
    await shop.page
      .getByRole('region', { name: 'Umfrage' })
      .getByRole('button', { name: 'Senden' })
      .waitFor();
  });
});
