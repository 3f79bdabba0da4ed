/** The page of results: asks for a reader key, offers the surveys, and shows what the report shows. */

import type * as z from 'zod/mini';
import type {
  Comment,
  CommentsReply,
  ResultsReply,
  surveysReply,
} from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { comment, surveySection } from '../sections.ts';
import { BYTE_ORDER_MARK, csvLine } from '../write-csv.ts';
import { ask, Refused } from './ask.ts';
import { forgetKey, keepKey, keyProblem, takeKey } from './reader-key.ts';

type Surveys = z.output<ReturnType<typeof surveysReply>>['surveys'];

function find<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`no ${id}`);
}

const forms = { key: find('key-form', HTMLFormElement), choice: find('choice', HTMLFormElement) };
const [keyField, status, shown] = [
  find('key', HTMLInputElement),
  find('status', HTMLElement),
  find('results', HTMLElement),
];
const [survey, segment, by] = [
  find('survey', HTMLSelectElement),
  find('segment', HTMLSelectElement),
  find('by', HTMLSelectElement),
];
const [from, to] = [find('from', HTMLInputElement), find('to', HTMLInputElement)];
const filters = find('filters', HTMLFormElement);
const [lowest, highest] = [find('lowest', HTMLInputElement), find('highest', HTMLInputElement)];
const said = find('comments', HTMLElement);
const [list, more, download] = [
  find('comment-list', HTMLOListElement),
  find('more', HTMLButtonElement),
  find('download', HTMLButtonElement),
];

let key = '';
let surveys: Surveys = [];
let results: ResultsReply | undefined;
let cursor: string | undefined;
/** Count questions, so that a late answer to an earlier one is not shown. */
let asked = 0;
let commentsAsked = 0;

const show = (element: Element, content: Html): void => {
  element.innerHTML = content.text;
};

function say(text: string): void {
  status.textContent = text;
}

/** Empties the page: what it shows may be of another survey than the one that is chosen now. */
function clear(): void {
  results = undefined;
  show(shown, html``);
  said.hidden = true;
  clearComments();
}

function clearComments(): void {
  list.replaceChildren();
  more.hidden = true;
}

function askForKey(problem: string): void {
  key = '';
  asked += 1;
  commentsAsked += 1;
  forgetKey();
  clear();
  forms.choice.hidden = true;
  forms.key.hidden = false;
  say(problem);
  keyField.focus();
}

/** A key that is refused at its first question is of no use; at a later one it may be that it shows no comments. */
function explain(error: unknown): void {
  if (error instanceof Refused && error.status === 401) askForKey(error.message);
  else say(error instanceof Error ? error.message : String(error));
}

/** The person of a comment, where somebody may write to them. */
function whom({ contact, followUpRequested, respondentId }: Comment): Html {
  const address = contact ?? (followUpRequested === true ? respondentId : null);
  return address === null ? html`` : html`<p class="about">To contact: <bdi>${address}</bdi></p>`;
}

async function showComments(isMore: boolean): Promise<void> {
  if (results === undefined) return;
  const mine = ++commentsAsked;
  const query = {
    surveyId: results.survey.id,
    from: results.from,
    to: results.to,
    ratingMin: lowest.value,
    ratingMax: highest.value,
    cursor: isMore ? cursor : undefined,
  };
  try {
    const reply = await ask<CommentsReply>(key, '/v1/results/comments', query);
    if (mine !== commentsAsked) return;
    const items = document.createElement('template');
    show(items, html`${reply.comments.map((each) => comment(each, whom(each)))}`);
    if (!isMore) list.replaceChildren();
    list.append(items.content);
    cursor = reply.nextCursor;
    more.hidden = cursor === undefined;
    said.hidden = false;
    say('');
  } catch (error) {
    if (mine !== commentsAsked) return;
    if (!isMore) clearComments();
    if (error instanceof Refused && error.status === 401) said.hidden = true;
    else explain(error);
  }
}

async function showResults(): Promise<void> {
  const mine = ++asked;
  commentsAsked += 1;
  say('Reading…');
  const query = {
    surveyId: survey.value,
    from: from.value,
    to: to.value,
    by: by.value,
    segment: segment.value,
  };
  try {
    const reply = await ask<ResultsReply>(key, '/v1/results', query);
    if (mine !== asked) return;
    results = reply;
    [from.value, to.value] = [reply.from, reply.to];
    const tables = reply.segments ? [{ name: segment.value, rows: reply.segments }] : [];
    show(shown, surveySection(reply, tables, html``));
    say('');
    await showComments(false);
  } catch (error) {
    if (mine !== asked) return;
    clear();
    explain(error);
  }
}

function offerSegments(): void {
  const names = surveys.find(({ id }) => id === survey.value)?.segments ?? [];
  show(segment, html`<option value="">none</option>${names.map((name) => html`<option>${name}</option>`)}`);
}

async function open(given: string): Promise<void> {
  const candidate = given.trim();
  const problem = keyProblem(candidate);
  if (problem !== undefined) return askForKey(problem);
  say('Reading…');
  try {
    ({ surveys } = await ask<{ surveys: Surveys }>(candidate, '/v1/surveys'));
  } catch (error) {
    return askForKey(error instanceof Error ? error.message : '');
  }
  key = candidate;
  keepKey(key);
  keyField.value = '';
  forms.key.hidden = true;
  if (surveys.length === 0) return say('The project has no surveys yet.');
  show(
    survey,
    html`${surveys.map(({ id, slug, question }) => html`<option value="${id}">${slug}: ${question}</option>`)}`,
  );
  offerSegments();
  forms.choice.hidden = false;
  await showResults();
}

/** The numbers on the screen, a line for each bucket. */
function toCsv({ series, distribution }: ResultsReply): string {
  const ratings = distribution.map(({ rating }) => rating);
  const head = ['from', 'to', 'responses', 'dismissals', 'shows', 'score', 'low', 'high'];
  const lines = series.map((point) => [
    ...[point.from, point.to, point.responses, point.dismissals, point.shows],
    ...[point.score?.value ?? null, point.score?.low ?? null, point.score?.high ?? null],
    ...point.distribution.map(({ count }) => count),
  ]);
  return (
    BYTE_ORDER_MARK +
    [[...head, ...ratings.map((rating) => `rating ${rating}`)], ...lines].map(csvLine).join('')
  );
}

function save(): void {
  if (results === undefined) return;
  const { survey: of, from: first, to: last } = results;
  const address = URL.createObjectURL(new Blob([toCsv(results)], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: `${of.slug}-${first}-${last}.csv`,
  });
  link.click();
  URL.revokeObjectURL(address);
}

forms.key.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(keyField.value);
});
survey.addEventListener('change', offerSegments);
for (const event of ['change', 'submit'])
  forms.choice.addEventListener(event, (happened) => {
    happened.preventDefault();
    void showResults();
  });
for (const event of ['change', 'submit'])
  filters.addEventListener(event, (happened) => {
    happened.preventDefault();
    void showComments(false);
  });
more.addEventListener('click', () => void showComments(true));
download.addEventListener('click', save);
find('leave', HTMLButtonElement).addEventListener('click', () => askForKey('The key is forgotten.'));

const start = takeKey();
if (start === undefined) askForKey('');
else void open(start);
