import type { NotShown } from '../../../sdk/browser/client/events.ts';

export interface Told extends Partial<NotShown> {
  readonly person: string;
  readonly isUsed?: boolean;
  readonly shown?: string;
}

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  `${location.origin}/demo/canvass.mjs`
);
const { documentElement: root } = document;
const state: Partial<Record<string, string>> = Object.fromEntries(new URLSearchParams(location.search));
const { survey = '', ask, plan = 'free', scheme = '', language: lang = 'en' } = state;
export const { person = 'ann' } = state;

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
  // The chat never asks by itself. The shop asks by itself only without the panel.
  ...((survey || !place) && { idleMs: 86_400_000 }),
});
const tell = (told?: Partial<Told>) => parent.postMessage({ person, ...told }, location.origin);
for (const event of ['answered', 'dismissed', 'rated', 'withdrawn'] as const) canvass.on(event, () => tell());
// The frame grows only when a survey asks for more. The message is sent first, because the press may close the survey.
const asksMore = (part: EventTarget) => part instanceof Element && part.matches('button.send, .down');
const onPress = (event: MouseEvent) => event.composedPath().some(asksMore) && tell({ isUsed: true });
if (place) addEventListener('click', onPress, true);
canvass.on('shown', ({ survey: { slug } }) => tell({ shown: slug }));
canvass.on('notshown', (told) => told.slug === ask && tell(told));
if (ask) {
  canvass.show(ask);
  const sizes = new ResizeObserver(
    () => place?.hasChildNodes() && place.scrollIntoView({ block: 'nearest' }),
  );
  for (const sized of [root, place]) if (sized) sizes.observe(sized);
}
