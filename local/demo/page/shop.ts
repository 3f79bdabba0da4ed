/** What the customer's pages have: the SDK, and who looks at them how, as their address says. The shop has no more. */

import type { NotShown } from '../../../sdk/browser/client/events.ts';

/** What a page tells the panel around it. */
export interface Told extends Partial<NotShown> {
  readonly person: string;
  /** A survey is being answered, and has to be seen whole. */
  readonly isUsed?: boolean;
  /** The survey that this person sees now. */
  readonly shown?: string;
}

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  `${location.origin}/demo/canvass.mjs`
);
const { documentElement: root } = document;
const state: Partial<Record<string, string>> = Object.fromEntries(new URLSearchParams(location.search));
const { survey = '', ask, plan = 'free', scheme = '' } = state;
export const { person = 'ann', language: lang = 'en' } = state;

root.lang = lang;
root.dir = lang === 'ar' ? 'rtl' : 'ltr';
root.style.colorScheme = scheme;
for (const part of document.querySelectorAll<HTMLElement>('[data-ar]'))
  part.textContent = part.dataset[lang] ?? part.textContent;
const place = document.querySelector<HTMLElement>('#place');
if (place) place.dataset.canvass = survey;

export const canvass = createCanvass({
  key: root.dataset.key ?? '',
  baseUrl: location.origin,
  userId: person,
  traits: { plan },
  // A chat asks nothing by itself, and the shop not where the panel asks something.
  ...((survey || !place) && { idleMs: 86_400_000 }),
});
const tell = (told?: Partial<Told>) => parent.postMessage({ person, ...told }, location.origin);
for (const event of ['answered', 'dismissed', 'rated', 'withdrawn'] as const) canvass.on(event, () => tell());
// A survey takes no room from what is being read, nor what asks another one, until more is asked: nothing moves while
// somebody chooses. Said before what the press leads to, which may be the end of it.
const asksMore = (part: EventTarget) => part instanceof Element && part.matches('button.send, .down');
const onPress = (event: MouseEvent) => event.composedPath().some(asksMore) && tell({ isUsed: true });
if (place) addEventListener('click', onPress, true);
canvass.on('shown', ({ survey: { slug } }) => tell({ shown: slug }));
canvass.on('notshown', (told) => told.slug === ask && tell(told));
if (ask) {
  canvass.show(ask);
  // It is seen whole, whatever it becomes and whatever room the panel leaves.
  const sizes = new ResizeObserver(
    () => place?.hasChildNodes() && place.scrollIntoView({ block: 'nearest' }),
  );
  for (const sized of [root, place]) if (sized) sizes.observe(sized);
}
