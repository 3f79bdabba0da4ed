/** Asks a survey, and shows stored answers and events. */

import { CAPABILITIES } from '../../../sdk/browser/client/eligibility.ts';
import type { BootstrapReply, Survey } from '../../../sdk/browser/client/survey.ts';
import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import { element, find, nameOf } from './find.ts';
import type { Told } from './shop.ts';

const control = (name: string) => find(`[name="${name}"]`, HTMLSelectElement);
const controls = find('#controls', HTMLFormElement);
const frame = find('iframe', HTMLIFrameElement);
const offer = find('#offer', HTMLParagraphElement);
const [survey, person] = [control('survey'), control('person')];
const { key = '' } = document.documentElement.dataset;
const classes = document.body.classList;
const page = location.pathname === '/demo/chat' ? 'chat' : 'shop';

let listed: readonly Survey[] = [];
let refused = '';
/** The visitor, and the time (ISO) since which events are listed. */
let [about, since] = ['', ''];
const shown = new Set<string>();

/** The service may not have sent the option yet. */
function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  if (select.selectedIndex < 0) select.append(new Option(nameOf(value), value, false, true));
}

/** The address stores the state of the controls. */
function open(ask = page === 'shop' ? survey.value : ''): void {
  refused = '';
  classes.remove('answering');
  classes.toggle('asking', ask !== '');
  if (about !== person.value) {
    [about, since] = [person.value, new Date().toISOString()];
    shown.clear();
  }
  const state = new URLSearchParams([...new FormData(controls)].map(([name, value]) => [name, `${value}`]));
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#bar a')) link.search = `${state}`;
  history.replaceState(null, '', `?${state}`);
  frame.className = control('device').value;
  document.documentElement.style.colorScheme = control('scheme').value;
  frame.contentWindow?.location.replace(`/demo/${page}.html?${state}&ask=${ask}`);
  renewSoon();
}

function tellOffer({ surveys = [], suppression = [], showTokens = {} }: Partial<BootstrapReply>): void {
  const { value } = survey;
  listed = surveys;
  const options = surveys.filter(({ repeat, trigger }) => repeat !== 'observation' && trigger !== 'person');
  survey.replaceChildren(
    ...options.map(({ slug, type }) => {
      const typeName = ['thumbs', 'choice', 'open'].includes(type) ? nameOf(type) : type.toUpperCase();
      return new Option(`${typeName} · ${nameOf(slug)}`, slug, false, slug === value);
    }),
  );
  const named = (ids: readonly string[]) =>
    surveys.flatMap(({ id, slug }) => (ids.includes(id) ? nameOf(slug) : [])).join(', ');
  const [offered, seen] = [named(Object.keys(showTokens)), named(suppression)];
  const none = ` nothing now${seen && `, having seen ${seen}`}: the quiet period is a week.`;
  const may = `${nameOf(person.value)} may be asked${offered ? `: ${offered}.` : none}`;
  offer.textContent = page === 'chat' ? 'Press a thumb, or write to the agent.' : refused || may;
  classes.toggle('refused', refused !== '');
  classes.toggle('unasked', page === 'shop' && (refused !== '' || offered === ''));
}

const chosen = (): Partial<Survey> => listed.find(({ slug }) => slug === survey.value) ?? {};

function whyNot(reason: string): string {
  const name = nameOf(person.value);
  const whys: Readonly<Record<string, string>> = {
    'no-place': 'This page has no place for it.',
    page: 'It is meant for other pages.',
    targeting: 'It is meant for others: choose another plan.',
    'sampled-out': `It asks ${chosen().samplePercent} of 100, and ${name} is not among them. Press New visitor.`,
  };
  return whys[reason] ?? `${name} is in a quiet period, and is not asked. Press New visitor.`;
}

/** Finds a visitor in the survey's sample. 2,000 tries suffice for 1 percent. */
function newVisitor(): string {
  const { id = '', samplePercent = 100 } = chosen();
  const visitors = Array.from({ length: 2_000 }, () => `visitor-${Math.random().toString(36).slice(2, 6)}`);
  return visitors.find((visitor) => stickyHash(visitor, id) % 100 < samplePercent) ?? '';
}

interface Row {
  readonly at: string;
  readonly type?: string;
  readonly respondentId?: string;
  readonly surveySlug?: string;
  readonly surveyType?: string;
  /** Null if the rating was withdrawn, absent if the survey was dismissed. */
  readonly rating?: number | null;
  readonly text?: string;
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  thumbs: ['thumb down', 'thumb up'],
  pmf: ['not disappointed', 'somewhat disappointed', 'very disappointed'],
};
const MOST: Readonly<Record<string, number>> = { nps: 10, csat: 5, ces: 7 };

function lineOf(row: Row, person: string): string {
  const { type, respondentId = person, surveySlug = '', surveyType = '', rating, text } = row;
  const verb = rating === undefined ? 'closed' : rating === null ? 'took back' : 'answered';
  const choices = listed.find(({ slug }) => slug === surveySlug)?.choices;
  const label = choices?.find((choice) => choice.rating === rating)?.label;
  const said = label ?? WORDS[surveyType]?.[rating ?? 0] ?? `${rating} of ${MOST[surveyType]}`;
  const words = said.replaceAll(' ', '\u00a0');
  const rated = typeof rating === 'number' && surveyType !== 'open' ? `: ${words}` : '';
  const begun = type === undefined ? `${nameOf(respondentId)} ${verb}` : `${type} ·`;
  return `${begun} ${nameOf(surveySlug)}${rated}${text ? `, “${text}”` : ''}`;
}

function momentOf(at: string): string {
  const moment = new Date(at);
  if (moment.toDateString() === new Date().toDateString()) return moment.toLocaleTimeString('en-GB');
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/**
 * Groups equal rows, newest first, and keeps open rows open.
 * @param person the respondent of rows that name none
 */
function list(selector: string, rows: readonly Row[], person: string): void {
  const found = find(selector, HTMLDivElement);
  const opened = [...found.querySelectorAll<HTMLElement>('[open]')].map(({ dataset }) => dataset.line);
  const sorted = rows.toSorted((a, b) => b.at.localeCompare(a.at));
  const lines = [...Map.groupBy(sorted, (row) => lineOf(row, person))].map(([line, equal]) => {
    const told = `${line}${equal.length > 1 ? ` ×${equal.length}` : ''}`;
    const time = element('time', momentOf(equal[0]?.at ?? ''));
    const whole = equal.map((row) => JSON.stringify(row, null, 2)).join('\n');
    const made = element('details', element('summary', time, ` ${told}`), element('pre', whole));
    made.dataset.line = line;
    made.toggleAttribute('open', opened.includes(line));
    return made;
  });
  const nothing = `Nothing from ${nameOf(person)} yet.`;
  found.replaceChildren(...(lines.length > 0 ? lines : [element('p', nothing)]));
}

const read = async (path: string, init?: RequestInit) => (await fetch(path, init)).json();

/** Ignores late replies about another visitor. */
async function renew(): Promise<void> {
  const userId = person.value;
  const [offers, { responses = [], dismissals = [] }, events] = await Promise.all([
    read('/v1/sdk/bootstrap', { method: 'POST', body: JSON.stringify({ key, userId, types: CAPABILITIES }) }),
    read(`/demo/stored?${new URLSearchParams({ respondentId: userId })}`),
    read('/demo/events'),
  ]);
  if (userId !== person.value) return;
  tellOffer(offers);
  list('#stored', [...responses, ...dismissals], userId);
  const left: readonly { 'detail-type': string; detail: Row }[] = events;
  const told = left.map(({ 'detail-type': type, detail }) => ({ type, ...detail }));
  // Impressions do not identify anybody, so the page reports its own.
  const own = told.filter(({ respondentId, surveySlug = '', at }) =>
    respondentId ? respondentId === userId : at >= since && shown.has(surveySlug),
  );
  list('#events', own, userId);
}

/** Answers are sent in the background, and their events follow later. */
function renewSoon(): void {
  for (const delay of [0, 500, 1_500, 5_000, 20_000]) setTimeout(renew, delay);
}

addEventListener('message', ({ origin, data }: MessageEvent<Partial<Told>>) => {
  // A modal dialog must be closed first.
  if (origin !== location.origin || data.person !== person.value || data.reason === 'not-due') return;
  if (data.shown) {
    shown.add(data.shown);
    return;
  }
  if (data.reason) refused = whyNot(data.reason);
  else classes.toggle('answering', data.isUsed ?? false);
  if (data.isUsed) return;
  classes.remove('asking');
  renewSoon();
});
find('#somebody', HTMLButtonElement).addEventListener('click', () => {
  choose(person, newVisitor());
  open();
});
document.addEventListener('change', () => open());
controls.addEventListener('submit', (event) => {
  event.preventDefault();
  open();
});

classes.add(page);
find(`#bar a[href="${location.pathname}"]`, HTMLAnchorElement).ariaCurrent = 'page';
for (const [name, value] of new URLSearchParams(location.search))
  if (controls.elements.namedItem(name) instanceof HTMLSelectElement) choose(control(name), value);
open('');
