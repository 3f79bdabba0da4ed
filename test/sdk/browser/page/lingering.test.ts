import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openShop, useShops } from '../support/shop.ts';

useShops();

/** Fakes the service within the page, so that a thousand surveys take only seconds. */
function playService(): void {
  const survey = {
    id: 'sv_1',
    slug: 'plain',
    type: 'nps',
    question: 'How likely?',
    followUpQuestion: 'Why?',
    presentation: 'corner',
    trigger: 'manual',
    scale: { min: 0, max: 10 },
  };
  let count = 0;
  window.fetch = async (url) => {
    count++;
    const offer = { surveys: [survey], suppression: [], showTokens: { sv_1: `token-${count}` } };
    return new Response(JSON.stringify(String(url).endsWith('/bootstrap') ? offer : { ok: true }));
  };
  /** Active timers and their delays in milliseconds. */
  const timers = new Map<number, number>();
  const { setTimeout: start, clearTimeout: stop } = window;
  Object.assign(window, {
    timers,
    setTimeout(run: () => void, ms = 0) {
      const timer = start(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.set(timer, ms);
      return timer;
    },
    clearTimeout(timer: number) {
      timers.delete(timer);
      stop(timer);
    },
  });
}

/** Shows surveys in sequence. `end` is how each survey ends; `keep` keeps one client for all of them. */
const cycles = (count: number, end: string, keep: boolean) => `(async () => {
  const { createCanvass } = await import('/sdk/canvass.mjs');
  const make = () => createCanvass({ key: 'svc_pk_1', baseUrl: 'https://service', storage: false, idleMs: 1e6 });
  let canvass = (window.kept ??= make());
  for (let at = 0; at < ${count}; at++) {
    if (!${keep}) canvass = make();
    canvass.identify('user-' + at);
    await new Promise((shown) => {
      const stop = canvass.on('shown', () => { stop(); shown(); });
      canvass.show('plain');
    });
    ${end}
  }
  if (!${keep}) canvass.destroy();
})()`;

async function held(page: Page, session: CDPSession) {
  // Animations and announcements finish first.
  await expect.poll(() => page.evaluate('[...timers.values()].filter((ms) => ms <= 1_000)')).toEqual([]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
  return { nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

async function openPage() {
  const { page, context } = await openShop({ module: 'headless' });
  await page.evaluate(playService);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  return { page, session };
}

const CHOOSE = "document.querySelector('canvass-survey').shadowRoot.querySelector('[value=\"3\"]').click();";

it('leaves nothing after a thousand shown and destroyed surveys', async () => {
  const { page, session } = await openPage();
  await page.evaluate(cycles(20, 'canvass.destroy();', false));
  const before = await held(page, session);
  await page.evaluate(cycles(1_000, 'canvass.destroy();', false));
  const after = await held(page, session);
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + 50);
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 10);
  expect(await page.evaluate('timers.size')).toBe(0);
  expect(await page.locator('canvass-survey').count()).toBe(0);
});

it.each([
  ['dismissed', "document.querySelector('canvass-survey').shadowRoot.querySelector('.close').click();"],
  [
    'answered by a choice',
    `${CHOOSE} document.querySelector('canvass-survey').shadowRoot.querySelector('.close').click();`,
  ],
  ['left for another person', CHOOSE],
])('keeps nothing of surveys that were %s in a long-lived client', async (_, end) => {
  const { page, session } = await openPage();
  const wait = `${end} await new Promise((gone) => { const look = () => document.querySelector('canvass-survey:not(:last-of-type)') ? requestAnimationFrame(look) : gone(); look(); });`;
  await page.evaluate(cycles(10, wait, true));
  const before = await held(page, session);
  await page.evaluate(cycles(50, wait, true));
  const after = await held(page, session);
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + 60);
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 20);
});
