/** What the customer's pages have: the SDK, and who looks at them how, as their address says. The shop has no more. */

import type { NotShown } from '../../../sdk/browser/events.ts';

/** What a page tells the panel around it. */
export interface Told extends Partial<NotShown> {
  readonly person: string;
}

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  new URL('/demo/canvass.mjs', location.href).href
);
const { documentElement } = document;
const state = new URLSearchParams(location.search);
const [survey, asked] = [state.get('survey') ?? '', state.get('ask')];
export const person = state.get('person') ?? 'ann';
export const lang = state.get('language') ?? 'en';

documentElement.lang = lang;
documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr';
documentElement.style.colorScheme = state.get('scheme') ?? '';
for (const part of document.querySelectorAll<HTMLElement>('[data-ar]'))
  part.textContent = part.dataset[lang] ?? part.textContent;
const place = document.querySelector<HTMLElement>('#place');
if (place) place.dataset.canvass = survey;

export const canvass = createCanvass({
  key: documentElement.dataset.key ?? '',
  baseUrl: location.origin,
  userId: person,
  traits: { plan: state.get('plan') ?? 'free' },
  // A chat asks nothing by itself, and the shop not where the panel asks something.
  ...((survey || !place) && { idleMs: 86_400_000 }),
});
const tell = (told?: NotShown) => parent.postMessage({ person, ...told }, location.origin);
for (const event of ['answered', 'dismissed', 'rated', 'withdrawn'] as const) canvass.on(event, () => tell());
canvass.on('notshown', (told) => told.slug === asked && tell(told));
if (asked) canvass.show(asked);
