/** Fakes the service's ratings of messages and their revisions. */

import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import type { Survey } from '../../../../sdk/browser/client/survey.ts';
import { openShop, type Shop, type ShopOptions } from './shop.ts';

export interface Stored {
  rating?: number | undefined;
  text?: string | undefined;
  reasons?: unknown;
  revision: number;
}

export interface PlayedRatings {
  readonly stored: Map<string, Stored>;
  readonly sent: { path: string; body: Record<string, unknown> }[];
  /** Faults of the next requests: `lost` is stored without a reply; `offline` does not arrive. */
  readonly faults: ('lost' | 'offline')[];
}

const CORS = { 'access-control-allow-origin': '*' };

export const THUMBS: Survey = {
  id: 'sv_thumbs',
  slug: 'helpful',
  type: 'thumbs',
  question: 'Was this helpful?',
  followUpQuestion: 'What was missing?',
  presentation: 'inline',
  trigger: 'manual',
  scale: { min: 0, max: 1 },
  locales: { ar: { question: 'هل كان هذا مفيدًا؟', followUpQuestion: 'ما الذي كان ينقص؟' } },
};

export const bindingOf = (
  observationId: string,
  showToken: string | undefined = `token-${observationId}`,
) => ({
  surveyId: THUMBS.id,
  slug: THUMBS.slug,
  ...(showToken && { showToken }),
  sessionId: 'session',
  traceId: 'trace',
  observationId,
});

export async function playRatings(
  context: BrowserContext | Page,
  survey: Survey = THUMBS,
): Promise<PlayedRatings> {
  const played: PlayedRatings = { stored: new Map(), sent: [], faults: [] };
  const { stored, sent, faults } = played;

  const decide = (path: string, { showToken, rating, text, reasons, revision }: Record<string, unknown>) => {
    const token = String(showToken);
    const before = stored.get(token);
    const wanted: Stored = { revision: Number(revision ?? 0) };
    if (rating !== undefined) wanted.rating = Number(rating);
    if (text !== undefined) wanted.text = String(text);
    if (reasons !== undefined) wanted.reasons = reasons;
    if (path.endsWith('/responses')) {
      if (before) return [409, 'token_used'] as const;
    } else {
      if (!before) return [404, 'response_not_found'] as const;
      const isSame = JSON.stringify(wanted) === JSON.stringify(before);
      if (wanted.revision !== before.revision + 1 && !isSame)
        return [409, 'revision_conflict', { revision: before.revision }] as const;
    }
    stored.set(token, wanted);
    return path.endsWith('/responses') ? ([201] as const) : ([200] as const);
  };
  const answer = async (route: Route) => {
    const path = new URL(route.request().url()).pathname;
    const body = JSON.parse(route.request().postData() ?? '{}');
    const fault = faults.shift();
    if (fault === 'offline') return route.abort('internetdisconnected');
    sent.push({ path, body });
    const [status, code, details] = decide(path, body);
    if (fault === 'lost') return route.abort('connectionreset');
    const json = code ? { error: { code, details } } : { ok: true, revision: body.revision };
    return route.fulfill({ status, headers: CORS, json });
  };
  await context.route('**/v1/sdk/bootstrap', (route) =>
    route.fulfill({ headers: CORS, json: { surveys: [survey], suppression: [] } }),
  );
  await context.route('**/v1/sdk/{responses,revisions}', answer);
  return played;
}

export async function openPlayed(
  options: ShopOptions = {},
  survey?: Survey,
): Promise<Omit<Shop, 'sent'> & PlayedRatings> {
  let played: PlayedRatings | undefined;
  const shop = await openShop({
    ...options,
    async prepare(page) {
      played = await playRatings(page.context(), survey);
      await options.prepare?.(page);
    },
  });
  if (!played) throw new Error('No service was played.');
  return { ...shop, ...played };
}

export const bindThumbs = (page: Page, binding: object): Promise<void> =>
  page.evaluate((bound) => {
    const place = document.querySelector('#search')?.parentElement;
    if (place) window.canvass.bind(bound as Parameters<typeof window.canvass.bind>[0], place);
  }, binding);

export const thumb = (page: Page, name: 'Helpful' | 'Not helpful'): Locator =>
  page.getByRole('button', { name, exact: true });

export const pressed = (page: Page): Promise<string[]> =>
  page
    .locator('canvass-survey [aria-pressed=true]')
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? ''));
