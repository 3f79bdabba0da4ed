/** What the customer's pages have: the SDK, and who looks at them in which way, as their address says. */

import type { Exchange } from './panel.ts';

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  new URL('/demo/canvass.mjs', location.href).href
);
const { documentElement } = document;
const state = new URLSearchParams(location.search);
export const wish = (name: string, otherwise = ''): string => state.get(name) || otherwise;
export const person = wish('person', 'ann');
const traits = { plan: wish('plan', 'free') };

documentElement.lang = wish('language', 'en');
documentElement.dir = documentElement.lang === 'ar' ? 'rtl' : 'ltr';
documentElement.style.colorScheme = wish('scheme', 'light dark');

/** Texts of the page in the languages that its HTML is not in, by their order. */
export function speak(texts: Readonly<Record<string, readonly string[]>>): void {
  const spoken = texts[documentElement.lang] ?? [];
  const parts = document.querySelectorAll('main :is(h1, h2, article p, .hint, span, button)');
  for (const [at, text] of spoken.entries()) parts[at]?.replaceChildren(text);
}

const tell = (told: Partial<Exchange>) => parent.postMessage({ person, ...told }, location.origin);

// What the SDK asks of the service is told to the panel around.
const original = window.fetch;
window.fetch = async (input, init) => {
  const response = await original(input, init);
  const { pathname: path } = new URL(String(input), location.href);
  if (!path.startsWith('/v1/')) return response;
  const reply = await response.clone().json();
  tell({ path, reply });
  // What may be asked has changed; the client asks the service again when it is told who is here.
  if (/responses|dismissals/.test(path)) canvass.identify(person, traits);
  if (!reply.surveys) return response;
  // A demo shows each survey in each way, where a team says it once, in the survey's definition. The one that is chosen
  // asks by itself: an answer to another would begin a quiet period.
  const [presentation, chosen] = [wish('presentation'), wish('survey')];
  for (const survey of reply.surveys) {
    if (presentation && survey.repeat !== 'observation') survey.presentation = presentation;
    if (chosen && survey.slug !== chosen) survey.trigger = 'manual';
  }
  return Response.json(reply);
};

export const canvass = createCanvass({
  key: documentElement.dataset.key ?? '',
  baseUrl: location.origin,
  userId: person,
  traits,
  // A chat asks nothing by itself: that would stand over its words.
  ...(location.pathname.includes('chat') && { idleMs: 86_400_000 }),
});
let asked = wish('ask');
canvass.on('notshown', ({ slug, reason }) => slug === asked && tell({ notShown: reason }));
canvass.on('ask', () => {
  asked = '';
});
if (asked) canvass.show(asked);
