import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import type { Binding } from '../../../../sdk/browser/canvass.ts';
import { bench, openShop, type Shop, type ShopOptions } from '../../browser/support/shop.ts';
import { pageScripts, type Version } from './bundle.ts';
import type { Scene } from './scene.tsx';

export interface ReactPage extends Shop {
  render(scene: Scene): Promise<void>;
  thumb(message: string, name: string): Locator;
  pressed(): Promise<Record<string, string[]>>;
}

export const provider = { clientKey: bench.tenant.key, baseUrl: bench.service };

export async function openReact(
  version: Version,
  scene: Scene,
  options: ShopOptions = {},
): Promise<ReactPage> {
  const scripts = await pageScripts(version);
  const shop = await openShop({
    module: 'module',
    script: '/react/page.js',
    ...options,
    async prepare(page) {
      await page.route(`${bench.pages}/react/*`, (route) =>
        route.fulfill({
          contentType: 'text/javascript; charset=utf-8',
          body: scripts.get(route.request().url().split('/').at(-1) ?? '') ?? '',
        }),
      );
      await options.prepare?.(page);
    },
  });
  const { page } = shop;
  const render = async (next: Scene) => {
    await page.waitForFunction(() => window.app);
    await page.evaluate((given) => window.app.render(given), next);
  };
  await render(scene);
  return {
    ...shop,
    render,
    thumb: (message, name) => page.locator(`#${message}`).getByRole('button', { name, exact: true }),
    pressed: () =>
      page.locator('article').evaluateAll((articles) =>
        Object.fromEntries(
          articles.map(({ id, firstElementChild }) => {
            const host = firstElementChild?.querySelector('canvass-survey');
            const buttons = host?.shadowRoot?.querySelectorAll('[aria-pressed=true]') ?? [];
            return [id, [...buttons].map(({ ariaLabel }) => ariaLabel ?? '')];
          }),
        ),
      ),
  };
}

export async function mint(
  surveySlug: string,
  respondentId: string,
  observationId: string = randomUUID(),
): Promise<Binding> {
  const reply = await fetch(`${bench.service}/v1/sdk/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.tenant.secretKey}` },
    body: JSON.stringify({ respondentId, surveySlug, sessionId: 'session-1', observationId }),
  });
  const { bindings } = (await reply.json()) as { bindings: Record<string, Binding> };
  const binding = bindings[surveySlug];
  if (!binding) throw new Error(`No token was minted for ${surveySlug}.`);
  return binding;
}
