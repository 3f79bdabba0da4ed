/** Results of a project's surveys, for the results page and the console. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { addDays, dayAt } from '../../../shared/domain/days.ts';
import { html } from '../../html.ts';
import { sayAnswers } from '../comparison.ts';
import { writeDay, writeSpan } from '../figures.ts';
import { readView, type View } from '../view.ts';
import { type Asker, isKnownToShowPeople, Refused } from './ask.ts';
import {
  askedBy,
  compareChoice,
  comparisonChosen,
  daysChoice as days,
  drawControls,
  firstDay,
  LONGEST_DAYS,
  lastDay,
  ownDays,
  peopleChosen,
  reasonsOffered,
  type Survey,
  segmentChoice,
  spanOf,
  spanProblem,
  surveyChoice,
  unknownIn,
} from './controls.ts';
import { closeAfterUse, find, show } from './dom.ts';
import { saveAnswers, saveDays } from './downloads.ts';
import { draw } from './draw.ts';
import { filtersAsked, filtersChosen, type Looked, offerFilters } from './paged-list.ts';
import { handleContact, hideComments, hideContacts, showComments, showContacts } from './people-lists.ts';

export interface Shown {
  readonly asker: Asker;
  readonly mayHandle: boolean;
  /** At least one survey. */
  readonly surveys: readonly Survey[];
  /** Reads the view from the address. */
  readonly read: () => View;
  /** The address of a view. */
  readonly write: (view: View) => string;
  readonly tellTitle: (survey: Survey | undefined) => void;
  /** Called when access is refused. */
  readonly end: (refused: Refused) => void;
}

const choice = find('choice', HTMLFormElement);
const [notice, status, again] = [
  find('notice', HTMLElement),
  find('status', HTMLElement),
  find('again', HTMLButtonElement),
];
const [shown, commentsCard] = [find('results', HTMLElement), find('comments', HTMLElement)];
const contactsCard = find('contacts', HTMLElement);
const answers = find('save-answers', HTMLButtonElement);

const EVERYBODY = { segment: undefined, value: undefined, against: undefined };

/** Undefined while the view is closed. */
let current: Shown | undefined;
let view: View = readView('');
let looked: Looked | undefined;
/** Counts queries, so that late replies can be dropped. */
let asked = 0;

export function say(words: string, isWrong = false): void {
  status.textContent = words;
  notice.classList.toggle('wrong', isWrong);
  again.hidden = true;
}

export function offerAgain(run: () => void): void {
  again.hidden = false;
  again.onclick = run;
}

/** Placeholders while results load. */
const card = html`<div class="card"></div>`;
const WAITING = html`<div class="waiting" role="img" aria-label="Loading">${card}<div class="tiles">${[card, card, card, card]}</div><div class="charts">${[card, card]}</div></div>`;

function hidePeople(): void {
  hideComments();
  hideContacts();
}

/** The page may still show another survey. */
function clear(): void {
  looked = undefined;
  shown.replaceChildren();
  hidePeople();
}

export function closeView(): void {
  current = undefined;
  asked += 1;
  clear();
  choice.hidden = true;
}

const surveys = (): readonly Survey[] => current?.surveys ?? [];

const chosenSurvey = (): Survey | undefined =>
  surveys().find(({ slug }) => slug === view.survey) ?? surveys()[0];

/** The style sheet prints it at the foot of each page. */
function tellFoot({ survey, from, to }: ResultsReply): void {
  const words = `${survey.slug} · ${writeSpan({ from, to })} (UTC) · printed on ${writeDay(dayAt(Date.now()))}`;
  document.documentElement.style.setProperty('--foot', `"${words}"`);
}

function explain(error: unknown): void {
  if (error instanceof Refused && error.status === 401) {
    current?.end(error);
    return;
  }
  say(error instanceof Error ? error.message : String(error), true);
  if (error instanceof Refused && [400, 403].includes(error.status)) return;
  offerAgain(() => void refresh());
}

async function refresh(): Promise<void> {
  if (current === undefined) return;
  const { asker, mayHandle, tellTitle } = current;
  const of = chosenSurvey();
  const chosen = askedBy(view, of);
  drawControls(view, of);
  asked += 1;
  const mine = asked;
  const span = spanOf(view);
  const problem = spanProblem(span);
  if (problem !== undefined) {
    clear();
    return say(problem, true);
  }
  shown.setAttribute('aria-busy', 'true');
  say('');
  if (looked === undefined) show(shown, WAITING);
  try {
    const query = { surveyId: of?.id, ...span, by: view.by, ...chosen };
    const reply = await asker.ask<ResultsReply>('/v1/results', query);
    if (mine !== asked) return;
    looked = { asker, mayHandle, results: reply, of, surveys: surveys(), asked: chosen, view };
    draw(shown, { reply, of, asked: chosen, by: view.by });
    const unknown = unknownIn(view, chosen, reasonsOffered(of, reply));
    say(
      unknown === undefined
        ? ''
        : `This link contains “${unknown}”, which this survey does not have. It was ignored.`,
      unknown !== undefined,
    );
    tellTitle(of);
    tellFoot(reply);
    offerFilters(looked);
    await showPeople(looked, () => mine === asked);
  } catch (error) {
    if (mine !== asked) return;
    clear();
    explain(error);
  } finally {
    if (mine === asked) shown.removeAttribute('aria-busy');
  }
}

/**
 * The first request shows whether people may be shown, so the second waits for it.
 * @param isAsked false once another query replaced this one
 */
async function showPeople(of: Looked, isAsked: () => boolean): Promise<void> {
  const isNobodys = of.results.responses === 0 && of.of?.responses === 0 && of.view.contacts !== 'all';
  if (isNobodys) return hidePeople();
  if (of.results.responses === 0) hideComments();
  const shows = of.results.responses === 0 ? undefined : showComments(of, false);
  if (!isKnownToShowPeople(of.asker)) await shows;
  if (isAsked()) await Promise.all([shows, showContacts(of, false)]);
  const tile = shown.querySelector<HTMLElement>('.tiles > :last-child dt');
  if (isAsked() && tile !== null && !contactsCard.hidden)
    show(tile, html`<a href="#contacts">${tile.textContent}</a>`);
}

/** Adds a step to the history. */
function go(change: Partial<View>): void {
  view = { ...view, ...change };
  history.pushState(null, '', current?.write(view));
  if (looked !== undefined) looked = { ...looked, view };
  void refresh();
}

export async function openView(opened: Shown): Promise<void> {
  current = opened;
  show(
    surveyChoice,
    html`${opened.surveys.map(({ id, slug, question }) => html`<option value="${id}">${slug}: ${question}</option>`)}`,
  );
  view = opened.read();
  choice.hidden = false;
  await refresh();
  const isUnknown = view.survey !== undefined && !surveys().some(({ slug }) => slug === view.survey);
  if (isUnknown && current === opened)
    say(`There is no survey ${view.survey} in this project. Showing ${chosenSurvey()?.slug} instead.`, true);
}

export function followAddress(): void {
  if (current === undefined) return;
  view = current.read();
  void refresh();
}

async function downloadAnswers(): Promise<void> {
  if (looked === undefined) return;
  const { asker, results, of } = looked;
  const { segments = [], segmentSources: sources = {} } = of ?? {};
  answers.disabled = true;
  try {
    const tell = (read: number) => say(`${sayAnswers(read)} loaded…`);
    const count = await saveAnswers({
      asker,
      results,
      filters: filtersAsked(looked),
      segments,
      sources,
      tell,
    });
    say(`${sayAnswers(count)} saved.`);
  } catch (error) {
    const isNumbersOnly = error instanceof Refused && [401, 403].includes(error.status);
    say(
      isNumbersOnly
        ? 'You have access to totals, but not to individual responses.'
        : String(error instanceof Error ? error.message : error),
      true,
    );
  }
  answers.disabled = false;
}

choice.addEventListener('submit', (event) => event.preventDefault());
surveyChoice.addEventListener('change', () =>
  go({
    survey: surveys().find(({ id }) => id === surveyChoice.value)?.slug,
    ...EVERYBODY,
    ratings: undefined,
    reason: undefined,
  }),
);
segmentChoice.addEventListener('change', () => go(peopleChosen()));
compareChoice.addEventListener('change', () => go(comparisonChosen()));
days.addEventListener('change', () => {
  const length = days.value;
  go(length === 'own' ? { days: length, ...spanOf(view) } : { days: length, from: undefined, to: undefined });
  if (length === 'own') firstDay.focus();
});
ownDays.addEventListener('change', () =>
  go({ from: firstDay.value || undefined, to: lastDay.value || undefined }),
);
shown.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === 'by') go({ by: target.value || undefined });
  if (target.name === 'told-by') go({ segment: target.value });
});
function press({ target }: Event): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const { value, reason } = button?.dataset ?? {};
  const isEverybody = button?.classList.contains('everybody') ?? false;
  if (isEverybody) go(EVERYBODY);
  if (value !== undefined) go({ segment: looked?.asked.segment, value, against: undefined });
  if (reason !== undefined) showReason(reason);
  // The pressed button is gone.
  if (isEverybody || value !== undefined) segmentChoice.focus();
  if (button?.id !== 'longest') return;
  const today = dayAt(Date.now());
  go({ days: 'own', from: addDays(today, 1 - LONGEST_DAYS), to: today });
}
shown.addEventListener('click', press);
shown.addEventListener('click', (event) => {
  if (!(event.target instanceof HTMLAnchorElement)) return;
  // The fragment holds the view, so links must not change it.
  event.preventDefault();
  find('state', HTMLElement).focus({ preventScroll: true });
  contactsCard.scrollIntoView();
});
/** Changes filters of lists, without adding a step to the history. */
function filter(change: Partial<View>): Looked | undefined {
  if (looked === undefined) return undefined;
  view = { ...view, ...change };
  history.replaceState(null, '', current?.write(view));
  looked = { ...looked, view };
  return looked;
}

function showReason(reason: string): void {
  if (commentsCard.hidden) {
    say('You have access to totals, but not to comments.', true);
    return;
  }
  const filtered = filter({ reason, ratings: undefined });
  if (filtered === undefined) return;
  offerFilters(filtered);
  void showComments(filtered, false);
  commentsCard.scrollIntoView();
  find('reason', HTMLElement).focus({ preventScroll: true });
}

for (const [name, isOfComments] of [
  ['ratings', true],
  ['reason', true],
  ['state', false],
  ['contacts-of', false],
  ['when', false],
  ['sort', false],
] as const) {
  find(name, HTMLElement).addEventListener('change', () => {
    const filtered = filter(filtersChosen());
    if (filtered) void (isOfComments ? showComments(filtered, false) : showContacts(filtered, false));
  });
}
find('more', HTMLButtonElement).addEventListener('click', () => looked && void showComments(looked, true));
find('more-contacts', HTMLButtonElement).addEventListener(
  'click',
  () => looked && void showContacts(looked, true),
);
find('earlier', HTMLElement).addEventListener('click', () => {
  const filtered = filter({ when: 'all' });
  if (filtered === undefined) return;
  offerFilters(filtered);
  void showContacts(filtered, false);
  find('when', HTMLElement).focus();
});
const contactList = find('contact-list', HTMLElement);
contactList.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement && current)
    void handleContact(current.asker, event.target, true);
});
contactList.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.form === null || current === undefined) return;
  void handleContact(current.asker, target.form, target.classList.contains('handled'));
});
closeAfterUse(find('save', HTMLDetailsElement));
find('save-days', HTMLButtonElement).addEventListener('click', () => looked && saveDays(looked.results));
answers.addEventListener('click', () => void downloadAnswers());
find('print', HTMLButtonElement).addEventListener('click', () => print());
