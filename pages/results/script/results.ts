/** The page of results: takes a key, offers the surveys, shows what the report shows, and who wrote what. */

import type * as z from 'zod/mini';
import type { ResultsReply, surveysReply } from '../../../shared/contract/results-schemas.ts';
import { addDays, countDays, dayAt } from '../../../shared/domain/days.ts';
import { type Html, html } from '../../html.ts';
import { readDistribution } from '../charts/distribution-chart.ts';
import { readTrend } from '../charts/trend-chart.ts';
import { compareWords } from '../comparison.ts';
import { formatCount } from '../figures.ts';
import { surveySection } from '../sections.ts';
import { ask, Refused } from './ask.ts';
import { choose, chosen, find, show } from './dom.ts';
import { saveAnswers, saveDays } from './downloads.ts';
import {
  filtersAsked,
  filtersChosen,
  handleContact,
  hidePeople,
  type Looked,
  offerFilters,
  showComments,
  showContacts,
} from './people.ts';
import { readPoints } from './read-points.ts';
import { forgetKey, isRemembered, keepKey, keyProblem, remember, takeKey } from './reader-key.ts';
import { DEFAULT_DAYS, readView, type View, writeView } from './view.ts';

type Surveys = z.output<ReturnType<typeof surveysReply>>;
type Survey = Surveys['surveys'][number];

const LONGEST_DAYS = 400;

const [keyForm, choice] = [find('key-form', HTMLFormElement), find('choice', HTMLFormElement)];
const keyField = find('key', HTMLInputElement);
const [notice, status, again] = [
  find('notice', HTMLElement),
  find('status', HTMLElement),
  find('again', HTMLButtonElement),
];
const shown = find('results', HTMLElement);
const [survey, segment] = [find('survey', HTMLSelectElement), find('segment', HTMLSelectElement)];
const compare = find('compare', HTMLSelectElement);
const [days, own] = [find('days', HTMLFieldSetElement), find('own', HTMLElement)];
const [from, to] = [find('from', HTMLInputElement), find('to', HTMLInputElement)];
const [keyTools, rememberBox] = [find('key-tools', HTMLElement), find('remember', HTMLInputElement)];
const [menu, answers] = [find('save', HTMLDetailsElement), find('save-answers', HTMLButtonElement)];
const project = find('project', HTMLElement);

let key = '';
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
  forgetKey();
  clear();
  for (const part of [choice, keyTools]) part.hidden = true;
  keyForm.hidden = false;
  showProject({ name: 'Survey results', accent: null });
  document.title = 'Survey results';
  say(problem, problem !== '');
  keyField.focus();
}

function explain(error: unknown): void {
  if (error instanceof Refused && error.status === 401) {
    askForKey(error.message);
    return;
  }
  say(error instanceof Error ? error.message : String(error), true);
  again.hidden = error instanceof Refused && error.status === 400;
}

const chosenSurvey = (): Survey | undefined => surveys.find(({ slug }) => slug === view.survey) ?? surveys[0];

/** The days that are asked for: those chosen, or up to today. */
function spanOf({ days: length, from: first, to: last }: View): { from: string; to: string } {
  const today = dayAt(Date.now());
  if (length !== 'own') return { from: addDays(today, 1 - Number(length)), to: today };
  const end = last ?? today;
  return { from: first ?? addDays(end, 1 - Number(DEFAULT_DAYS)), to: end };
}

/** What is wrong with the days, before anybody is asked. */
function spanProblem(span: { from: string; to: string }): string | undefined {
  if (span.from > span.to) return 'The first day is after the last one.';
  return countDays(span) > LONGEST_DAYS ? `These are more than ${LONGEST_DAYS} days.` : undefined;
}

/** The controls as the view has them. */
function drawControls(): void {
  const { id, segments = [] } = chosenSurvey() ?? {};
  survey.value = id ?? '';
  const names = segments.map((name) => html`<option value="${name}">By ${name}</option>`);
  show(segment, html`<option value="">All people</option>${names}`);
  segment.value = segments.includes(view.segment ?? '') ? (view.segment ?? '') : '';
  choose(days, view.days);
  own.hidden = view.days !== 'own';
  const span = spanOf(view);
  const before = countDays(span);
  show(
    compare,
    html`<option value="">${before > 1 ? `vs. ${before} days before` : 'vs. the day before'}</option><option value="none">Not compared</option>`,
  );
  compare.value = view.compare === 'none' ? 'none' : '';
  [from.value, to.value] = [span.from, span.to];
}

const BUCKETS = [
  ['', 'Auto'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

function trendTools(): Html {
  const buttons = BUCKETS.map(
    ([value, text]) =>
      html`<label><input type="radio" name="by" value="${value}"><span>${text}</span></label>`,
  );
  return html`<fieldset class="choices" id="by"><legend>Trend by</legend>${buttons}</fieldset>`;
}

/** What to do where nobody answered. */
function emptyState(of: Survey | undefined, { dismissals, shows }: ResultsReply): Html {
  const seen =
    shows === null || dismissals === null
      ? ''
      : `It was shown ${formatCount(shows)} times and dismissed ${formatCount(dismissals)} times. `;
  if (of !== undefined && of.responses > 0)
    return html`<div class="card empty"><h3>No answers in these days</h3><p>${seen}${formatCount(of.responses)} people answered it at other times.</p><div><button type="button" id="longest">Show the last ${LONGEST_DAYS} days</button></div></div>`;
  const what =
    of?.status === 'active'
      ? 'It is active: answers appear here within seconds after people give them.'
      : `It is ${of?.status ?? 'not active'}, so nobody is asked now.`;
  return html`<div class="card empty"><h3>Nobody has answered yet</h3><p>${seen}${what}</p></div>`;
}

function draw(reply: ResultsReply, of: Survey | undefined): void {
  const opened = [...shown.querySelectorAll('details[open]')].map(({ id }) => id);
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  const wasBy = focused?.closest('#by') !== null && focused !== null;
  const breakdowns = reply.segments ? [{ name: segment.value, rows: reply.segments }] : [];
  const isEmpty = reply.responses === 0;
  const empty = isEmpty ? { empty: emptyState(of, reply) } : {};
  const compared = compareWords(reply);
  show(shown, surveySection(reply, breakdowns, { trendTools: trendTools(), compared, ...empty }));
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  const readings = { trend: readTrend(reply), distribution: readDistribution(reply) };
  for (const plot of shown.querySelectorAll<HTMLElement>('.plot')) {
    if (plot.dataset.chart === 'trend') readPoints(plot, 'Trend', readings.trend);
    else readPoints(plot, 'Distribution', readings.distribution);
  }
  const by = document.getElementById('by');
  if (by !== null) choose(by, view.by ?? '');
  if (wasBy) by?.querySelector<HTMLInputElement>('input:checked')?.focus();
}

async function refresh(): Promise<void> {
  drawControls();
  asked += 1;
  const mine = asked;
  const span = spanOf(view);
  const problem = spanProblem(span);
  if (problem !== undefined) {
    clear();
    return say(problem, true);
  }
  const of = chosenSurvey();
  shown.setAttribute('aria-busy', 'true');
  say(looked === undefined ? 'Reading…' : '');
  try {
    const compared = view.compare === 'none' ? undefined : 'previous';
    const query = { surveyId: of?.id, ...span, by: view.by, segment: segment.value, compare: compared };
    const reply = await ask<ResultsReply>(key, '/v1/results', query);
    if (mine !== asked) return;
    const { segments = [], segmentSources: sources = {} } = of ?? {};
    looked = { key, results: reply, segments, sources, view };
    draw(reply, of);
    say('');
    document.title = `${of?.slug ?? ''} · ${project.textContent}`;
    offerFilters(looked);
    if (reply.responses === 0 && of?.responses === 0) hidePeople();
    else await Promise.all([showComments(looked, false), showContacts(looked, false)]);
  } catch (error) {
    if (mine !== asked) return;
    clear();
    explain(error);
  } finally {
    if (mine === asked) shown.removeAttribute('aria-busy');
  }
}

/** Shows another view; the address holds it, and Back leads to the one before. */
function go(change: Partial<View>): void {
  view = { ...view, ...change };
  const address = writeView(view) || location.pathname + location.search;
  history.pushState(null, '', address);
  if (looked !== undefined) looked = { ...looked, view };
  void refresh();
}

async function open(given: string): Promise<void> {
  const candidate = given.trim();
  const problem = keyProblem(candidate);
  if (problem !== undefined) return askForKey(problem);
  const wasRemembered = isRemembered();
  say('Reading…');
  let reply: Surveys;
  try {
    reply = await ask<Surveys>(candidate, '/v1/surveys');
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return askForKey(error.message);
    say(error instanceof Error ? error.message : '', true);
    again.hidden = false;
    again.onclick = () => void open(candidate);
    return;
  }
  key = candidate;
  surveys = reply.surveys;
  keepKey(key);
  if (wasRemembered) remember(key, true);
  rememberBox.checked = wasRemembered;
  showProject(reply.project);
  keyField.value = '';
  keyForm.hidden = true;
  keyTools.hidden = false;
  again.onclick = () => void refresh();
  if (surveys.length === 0) {
    say('');
    const words = 'Surveys are written in a file, which somebody with access to the service applies.';
    return show(shown, html`<div class="card empty"><h2>No surveys yet</h2><p>${words}</p></div>`);
  }
  show(survey, html`${surveys.map(({ id, slug }) => html`<option value="${id}">${slug}</option>`)}`);
  view = readView(location.hash);
  choice.hidden = false;
  await refresh();
  const isUnknown = view.survey !== undefined && !surveys.some(({ slug }) => slug === view.survey);
  if (isUnknown) say(`There is no survey ${view.survey} here; this is ${chosenSurvey()?.slug}.`, true);
}

async function downloadAnswers(): Promise<void> {
  if (looked === undefined) return;
  const { results, segments, sources } = looked;
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
survey.addEventListener('change', () =>
  go({
    survey: surveys.find(({ id }) => id === survey.value)?.slug,
    segment: undefined,
    ratings: undefined,
    reason: undefined,
  }),
);
segment.addEventListener('change', () => go({ segment: segment.value || undefined }));
compare.addEventListener('change', () => go({ compare: compare.value || undefined }));
days.addEventListener('change', () => {
  const length = chosen(days);
  go(length === 'own' ? { days: length, ...spanOf(view) } : { days: length, from: undefined, to: undefined });
  if (length === 'own') from.focus();
});
own.addEventListener('change', () => go({ from: from.value || undefined, to: to.value || undefined }));
shown.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'by') go({ by: target.value || undefined });
});
shown.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.id !== 'longest') return;
  const today = dayAt(Date.now());
  go({ days: 'own', from: addDays(today, 1 - LONGEST_DAYS), to: today });
});
for (const [name, isOfComments] of [
  ['ratings', true],
  ['reason', true],
  ['state', false],
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
menu.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLButtonElement) menu.open = false;
});
menu.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Node && !menu.contains(target)) menu.open = false;
});
find('save-days', HTMLButtonElement).addEventListener('click', () => looked && saveDays(looked.results));
answers.addEventListener('click', () => void downloadAnswers());
find('print', HTMLButtonElement).addEventListener('click', () => print());
rememberBox.addEventListener('change', () => remember(key, rememberBox.checked));
find('leave', HTMLButtonElement).addEventListener('click', () => askForKey('The key is forgotten.'));
addEventListener('popstate', () => {
  if (key === '') return;
  const taken = readView(location.hash);
  view = taken;
  void refresh();
});

const start = takeKey();
if (start.key === undefined) askForKey(start.problem ?? '');
else void open(start.key);
