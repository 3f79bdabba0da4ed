/**
 * The widget in the frame shows the survey that the console sends. The frame itself sends no answers and stores
 * nothing.
 */

import { kit } from '../../../sdk/browser/client/kit.ts';
import type { Asked, Survey } from '../../../sdk/browser/client/survey.ts';
import { THANKS_MS } from '../../../sdk/browser/client/times.ts';
import { presentWith as presentThumbsWith } from '../../../sdk/browser/thumbs/thumbs-survey.ts';
import { localise } from '../../../sdk/browser/widget/locales.ts';
import { languageOf } from '../../../sdk/browser/widget/page-language.ts';
import { presentWith } from '../../../sdk/browser/widget/scale-view.ts';
import type { Said, Show, Step } from './messages.ts';

const AWAY_MS = 800;

/** Disables animations, because every typed letter redraws the widget. */
const still = new CSSStyleSheet();
still.replaceSync('*,*::before,*::after{transition:none!important}');

const wait = window.setTimeout.bind(window);
/** Ignores the timer that would remove the thank-you message. */
const stay = (next: TimerHandler, ms?: number): number => (ms === THANKS_MS ? 0 : wait(next, ms));
Object.assign(window, { setTimeout: stay });

const say = (said: Said): void => window.parent.postMessage(said, '*');
const soon = (): Promise<void> => new Promise((resolve) => wait(resolve));

/** The widget can show incomplete surveys. */
const isShow = (data: unknown): data is Show<Survey> =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'show' && 'survey' in data;

function stepOf(root: ShadowRoot): Step {
  if (root.querySelector('.thanks, .said')) return 'thanks';
  return root.querySelector('.more:not(.open)') ? 'followUp' : 'question';
}

const press = (root: ShadowRoot, selector: string): void =>
  root.querySelector<HTMLElement>(selector)?.click();

/** The maximum number of turns of the event loop. */
const MOST_TURNS = 50;

async function goTo({ step, survey, rating }: Show<Survey>, root: ShadowRoot): Promise<void> {
  if (step === 'question') return;
  const { type, scale, choices } = survey;
  const isThumbs = type === 'thumbs';
  const asking = (choices?.find(({ low, words }) => low || words) ?? choices?.[0])?.rating ?? scale.min;
  const chosen = rating ?? (isThumbs && step === 'thanks' ? scale.max : asking);
  const words = root.querySelector<HTMLTextAreaElement>('.open textarea');
  if (words !== null) {
    if (step === 'followUp') return;
    words.value = '…';
    words.dispatchEvent(new Event('input', { bubbles: true }));
  }
  press(root, isThumbs ? (chosen === scale.max ? '.up' : '.down') : `input[value="${chosen}"]`);
  if (!isThumbs) press(root, '.send');
  for (let turns = 0; turns < MOST_TURNS && stepOf(root) === 'question'; turns++) await soon();
  // Each question after the rating is a step.
  for (let turns = 0; step === 'thanks' && turns < MOST_TURNS && stepOf(root) === 'followUp'; turns++) {
    press(root, '.send');
    await soon();
  }
}

let shown = new AbortController();
let drawn = 0;
let wanted: Step = 'question';

async function draw(show: Show<Survey>): Promise<void> {
  const { survey, language, theme } = show;
  const turn = ++drawn;
  const gone = new AbortController();
  const page = document.documentElement;
  page.lang = language;
  page.style.colorScheme = theme;
  const place = document.querySelector(survey.presentation === 'inline' ? '#place' : 'body');
  if (place === null) return;
  const isThumbs = survey.type === 'thumbs';
  const draws = (isThumbs ? presentThumbsWith : presentWith)(kit);
  const nothing = () => undefined;
  const given: Asked = {};
  let told = show.rating;
  const tell = (now: Step): void => say({ type: 'step', step: now, rating: told });
  const rate = (rating: number): void => {
    given.rated = rating;
    if (turn !== drawn || told === undefined || told === rating) return;
    told = rating;
    tell(wanted);
  };
  const ask = {
    survey: localise(survey, languageOf(language), given),
    ...{ drafted: false, anonymous: true, shown: nothing, draft: rate, answer: rate, dismiss: nothing },
  };
  const { host } = await draws(ask, place, { key: '', baseUrl: '', locale: language, theme }, gone.signal);
  // A newer survey arrived in the meantime.
  if (turn !== drawn) return gone.abort();
  const root = host.shadowRoot;
  root?.adoptedStyleSheets.push(still);
  if (root) await goTo(show, root);
  shown.abort();
  shown = gone;
  if (root === null || turn !== drawn) return;
  let seen = stepOf(root);
  if (seen !== wanted) tell(seen);
  wanted = seen;
  const watch = new MutationObserver(() => {
    const now = stepOf(root);
    if (now !== seen) tell(now);
    wanted = seen = now;
  });
  watch.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  const closed = new MutationObserver(() => {
    if (!host.isConnected) wait(() => turn === drawn && void draw({ ...show, step: 'question' }), AWAY_MS);
  });
  closed.observe(place, { childList: true });
  gone.signal.addEventListener('abort', () => {
    watch.disconnect();
    closed.disconnect();
  });
}

addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || !isShow(data)) return;
  wanted = data.step;
  void draw(data).catch(() => undefined);
});
say({ type: 'ready' });
