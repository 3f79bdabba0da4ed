/** The page of results: takes a key, offers the surveys, shows what the report shows, and who wrote what. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { addDays, dayAt } from '../../../shared/domain/days.ts';
import { html } from '../../html.ts';
import { formatCount } from '../figures.ts';
import { ask, Refused } from './ask.ts';
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
  type Surveys,
  segmentChoice,
  spanOf,
  spanProblem,
  surveyChoice,
  unknownIn,
} from './controls.ts';
import { chosen, find, show } from './dom.ts';
import { saveAnswers, saveDays } from './downloads.ts';
import { draw } from './draw.ts';
import { closeAfterUse } from './menu.ts';
import {
  filtersAsked,
  filtersChosen,
  handleContact,
  hideComments,
  hidePeople,
  isKnownToShowPeople,
  type Looked,
  offerFilters,
  showComments,
  showContacts,
} from './people.ts';
import {
  EDITOR_KEYS_END,
  forgetKey,
  hasKey,
  isEditorKey,
  isRemembered,
  keepKey,
  keyIn,
  keyProblem,
  remember,
  takeKey,
} from './reader-key.ts';
import { readView, type View, writeView } from './view.ts';

const [keyForm, choice] = [find('key-form', HTMLFormElement), find('choice', HTMLFormElement)];
const keyField = find('key', HTMLInputElement);
const [notice, status, again] = [
  find('notice', HTMLElement),
  find('status', HTMLElement),
  find('again', HTMLButtonElement),
];
const shown = find('results', HTMLElement);
const [keyTools, rememberBox] = [find('key-tools', HTMLElement), find('remember', HTMLInputElement)];
const answers = find('save-answers', HTMLButtonElement);
const project = find('project', HTMLElement);

const EVERYBODY = { segment: undefined, value: undefined, against: undefined };

let key = '';
/** Of the key. */
let projectId = '';
let surveys: readonly Survey[] = [];
let view: View = readView('');
let looked: Looked | undefined;
/** Counts questions, so that a late answer to an earlier one is not shown. */
let asked = 0;

function say(words: string, isWrong = false): void {
  status.textContent = words;
  notice.classList.toggle('wrong', isWrong);
  again.hidden = true;
}

/** Empties the page: what it shows may be of another survey than the one that is chosen now. */
function clear(): void {
  looked = undefined;
  shown.replaceChildren();
  hidePeople();
}

function showProject({ name, accent }: { readonly name: string; readonly accent: string | null }): void {
  project.textContent = name;
  project.classList.toggle('coloured', accent !== null);
  project.style.setProperty('--own', accent);
}

function askForKey(problem: string): void {
  key = '';
  asked += 1;
  clear();
  for (const part of [choice, keyTools]) part.hidden = true;
  keyForm.hidden = false;
  showProject({ name: 'Survey results', accent: null });
  document.title = 'Survey results';
  say(problem, problem !== '');
  keyField.focus();
}

function refuseKey(refused: string, why: string): void {
  forgetKey(refused);
  askForKey(isEditorKey(refused) ? `${why} ${EDITOR_KEYS_END}` : why);
}

function explain(error: unknown): void {
  if (error instanceof Refused && error.status === 401) {
    refuseKey(key, error.message);
    return;
  }
  say(error instanceof Error ? error.message : String(error), true);
  again.hidden = error instanceof Refused && [400, 403].includes(error.status);
}

const chosenSurvey = (): Survey | undefined => surveys.find(({ slug }) => slug === view.survey) ?? surveys[0];

async function refresh(): Promise<void> {
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
  say(looked === undefined ? 'Reading…' : '');
  try {
    const query = { surveyId: of?.id, ...span, by: view.by, ...chosen };
    const reply = await ask<ResultsReply>(key, '/v1/results', query);
    if (mine !== asked) return;
    const mayHandle = isEditorKey(key);
    looked = { key, mayHandle, results: reply, of, surveys, asked: chosen, view };
    draw(shown, { reply, of, asked: chosen, by: view.by });
    const unknown = unknownIn(view, chosen, reasonsOffered(of, reply));
    say(unknown === undefined ? '' : `This survey does not know ${unknown}.`, unknown !== undefined);
    document.title = `${of?.slug ?? ''} · ${project.textContent}`;
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
 * What there is to show of people. The first question says whether the key may show any, so the second waits for it.
 * @param isAsked whether nobody has asked for something else meanwhile
 */
async function showPeople(of: Looked, isAsked: () => boolean): Promise<void> {
  const isNobodys = of.results.responses === 0 && of.of?.responses === 0 && of.view.contacts !== 'all';
  if (isNobodys) return hidePeople();
  if (of.results.responses === 0) hideComments();
  const shows = of.results.responses === 0 ? undefined : showComments(of, false);
  if (!isKnownToShowPeople(key)) await shows;
  if (isAsked()) await Promise.all([shows, showContacts(of, false)]);
}

/** Shows another view; the address holds it, and Back leads to the one before. */
function go(change: Partial<View>): void {
  view = { ...view, ...change };
  const address = writeView(view) || location.pathname + location.search;
  history.pushState(null, '', address);
  if (looked !== undefined) looked = { ...looked, view };
  void refresh();
}

/** A browser that others use too must not change things for them. */
function offerToRemember(): void {
  if (isEditorKey(key) && isRemembered(key)) remember(key, false);
  rememberBox.checked = isRemembered(key);
  if (rememberBox.parentElement) rememberBox.parentElement.hidden = isEditorKey(key);
}

async function open(given: string): Promise<void> {
  const candidate = keyIn(given);
  const problem = keyProblem(candidate);
  if (problem !== undefined) {
    forgetKey(candidate);
    return askForKey(problem);
  }
  say('Reading…');
  let reply: Surveys;
  try {
    reply = await ask<Surveys>(candidate, '/v1/surveys');
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return refuseKey(candidate, error.message);
    say(error instanceof Error ? error.message : '', true);
    again.hidden = false;
    again.onclick = () => void open(candidate);
    return;
  }
  const linked = readView(location.hash);
  if (linked.project !== undefined && linked.project !== reply.project.id)
    return askForKey(
      `The link is of another project than the key, which opens ${reply.project.name}. Paste a key of that project.`,
    );
  key = candidate;
  projectId = reply.project.id;
  surveys = reply.surveys;
  keepKey(key);
  offerToRemember();
  showProject(reply.project);
  keyField.value = '';
  keyForm.hidden = true;
  keyTools.hidden = false;
  again.onclick = () => void refresh();
  if (surveys.length === 0) {
    say('');
    const words = 'An editor makes them in the console, or an engineer in a file.';
    return show(shown, html`<div class="card empty"><h2>No surveys yet</h2><p>${words}</p></div>`);
  }
  show(surveyChoice, html`${surveys.map(({ id, slug }) => html`<option value="${id}">${slug}</option>`)}`);
  view = { ...linked, project: projectId };
  choice.hidden = false;
  await refresh();
  const isUnknown = view.survey !== undefined && !surveys.some(({ slug }) => slug === view.survey);
  if (isUnknown) say(`There is no survey ${view.survey} here; this is ${chosenSurvey()?.slug}.`, true);
}

async function downloadAnswers(): Promise<void> {
  if (looked === undefined) return;
  const { results, of } = looked;
  const { segments = [], segmentSources: sources = {} } = of ?? {};
  answers.disabled = true;
  try {
    const tell = (read: number) => say(`${formatCount(read)} answers read…`);
    const count = await saveAnswers({ key, results, filters: filtersAsked(looked), segments, sources, tell });
    say(`${formatCount(count)} answers saved.`);
  } catch (error) {
    const isNumbersOnly = error instanceof Refused && error.status === 401;
    say(
      isNumbersOnly
        ? 'This key shows numbers alone, no answers.'
        : String(error instanceof Error ? error.message : error),
      true,
    );
  }
  answers.disabled = false;
}

keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(keyField.value);
});
choice.addEventListener('submit', (event) => event.preventDefault());
surveyChoice.addEventListener('change', () =>
  go({
    survey: surveys.find(({ id }) => id === surveyChoice.value)?.slug,
    ...EVERYBODY,
    ratings: undefined,
    reason: undefined,
  }),
);
segmentChoice.addEventListener('change', () => go(peopleChosen()));
compareChoice.addEventListener('change', () => go(comparisonChosen()));
days.addEventListener('change', () => {
  const length = chosen(days);
  go(length === 'own' ? { days: length, ...spanOf(view) } : { days: length, from: undefined, to: undefined });
  if (length === 'own') firstDay.focus();
});
ownDays.addEventListener('change', () =>
  go({ from: firstDay.value || undefined, to: lastDay.value || undefined }),
);
shown.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'by') go({ by: target.value || undefined });
});
shown.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  const { value } = button?.dataset ?? {};
  const isEverybody = button?.classList.contains('everybody') ?? false;
  if (isEverybody) go(EVERYBODY);
  if (value !== undefined) go({ value, against: undefined });
  // What was pressed is gone; the control that undoes it is where it goes on.
  if (isEverybody || value !== undefined) segmentChoice.focus();
  if (button?.id !== 'longest') return;
  const today = dayAt(Date.now());
  go({ days: 'own', from: addDays(today, 1 - LONGEST_DAYS), to: today });
});
for (const [name, isOfComments] of [
  ['ratings', true],
  ['reason', true],
  ['state', false],
  ['contacts-of', false],
] as const) {
  find(name, HTMLElement).addEventListener('change', () => {
    if (looked === undefined) return;
    view = { ...view, ...filtersChosen() };
    history.replaceState(null, '', writeView(view) || location.pathname + location.search);
    looked = { ...looked, view };
    void (isOfComments ? showComments(looked, false) : showContacts(looked, false));
  });
}
find('more', HTMLButtonElement).addEventListener('click', () => looked && void showComments(looked, true));
find('more-contacts', HTMLButtonElement).addEventListener(
  'click',
  () => looked && void showContacts(looked, true),
);
const contactList = find('contact-list', HTMLElement);
contactList.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement) void handleContact(key, event.target, true);
});
contactList.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.form === null) return;
  void handleContact(key, target.form, target.classList.contains('handled'));
});
closeAfterUse(find('save', HTMLDetailsElement));
find('save-days', HTMLButtonElement).addEventListener('click', () => looked && saveDays(looked.results));
answers.addEventListener('click', () => void downloadAnswers());
find('print', HTMLButtonElement).addEventListener('click', () => print());
rememberBox.addEventListener('change', () => remember(key, rememberBox.checked));
find('leave', HTMLButtonElement).addEventListener('click', () => {
  forgetKey();
  askForKey('The key is forgotten.');
});
addEventListener('popstate', () => {
  // A link with a key, opened where another one was.
  if (hasKey()) return begin();
  if (key === '') return;
  view = { ...readView(location.hash), project: projectId };
  void refresh();
});

function begin(): void {
  const { key: taken, problem } = takeKey();
  if (taken === undefined) askForKey(problem ?? '');
  else void open(taken).then(() => problem && say(problem, true));
}
begin();
