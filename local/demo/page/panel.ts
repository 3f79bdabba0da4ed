/** What stands around a customer's page: who looks at it and how, what is asked there, what was stored, what left. */

import { stickyHash } from '../../../sdk/browser/targeting.ts';
import type { BootstrapReply, Survey } from '../../../sdk/browser/wire.ts';
import { find } from './find.ts';
import { list, type Row } from './lines.ts';

/** What the page tells of: a reply of the service, or why nothing was asked. */
export interface Exchange {
  readonly person: string;
  readonly path: string;
  readonly reply: Partial<BootstrapReply>;
  readonly notShown: string;
}

const control = (name: string) => find(`[name="${name}"]`, HTMLSelectElement);
const controls = find('#controls', HTMLFormElement);
const frame = find('iframe', HTMLIFrameElement);
const offer = find('#offer', HTMLParagraphElement);
const somebody = find('#somebody', HTMLButtonElement);
const [survey, person] = [control('survey'), control('person')];

let listed: readonly Survey[] = [];

/** Adds what is not among the options: a visitor, or a survey of which the service has yet to tell. */
function choose(select: HTMLSelectElement, value: string): void {
  if (![...select.options].some((option) => option.value === value)) select.append(new Option(value));
  select.value = value;
}

/** Opens the customer's page as the controls say; their state is in its address, and in that of this page. */
function open(ask = ''): void {
  const state = new URLSearchParams([...new FormData(controls)].map(([name, value]) => [name, `${value}`]));
  history.replaceState(null, '', `/?${state}`);
  const { value: page } = control('page');
  frame.className = control('device').value;
  document.documentElement.style.colorScheme = control('scheme').value;
  frame.contentWindow?.location.replace(`/demo/${page}.html?${state}&ask=${ask}`);
  void showStored();
}

/** Offers the surveys that are active now: they may be applied or archived while the page is open. */
function listSurveys(surveys: readonly Survey[]): void {
  const { value } = survey;
  listed = surveys;
  // What is bound to a message is shown in the chat.
  const options = surveys
    .filter(({ repeat }) => repeat !== 'observation')
    .map(({ slug, type }) => new Option(`${slug} (${type.toUpperCase()})`, slug, false, slug === value));
  survey.replaceChildren(...options);
}

function tellOffer({ surveys = [], suppression = [], showTokens = {} }: Partial<BootstrapReply>): void {
  const slugsOf = (ids: readonly string[]) =>
    surveys.flatMap(({ id, slug }) => (ids.includes(id) ? [slug] : [])).join(', ');
  const offered = slugsOf(Object.keys(showTokens));
  const seen = slugsOf(suppression);
  const none = ` nothing now${seen && `, having seen ${seen}`}: the quiet period is a week.`;
  offer.textContent = `${person.value} may be asked${offered ? `: ${offered}.` : none}`;
}

const WHY: Readonly<Record<string, string>> = {
  'no-place': 'This page has no place for it: choose corner or banner.',
  'other-open': 'Another survey is open: answer it, or close it.',
  targeting: 'It is meant for others: choose another plan.',
};

function heard({ origin, source, data }: MessageEvent<Partial<Exchange>>): void {
  if (origin !== location.origin || source !== frame.contentWindow || data.person !== person.value) return;
  const { path = '', reply, notShown } = data;
  // A modal dialog is what waits; it comes by itself.
  if (notShown && notShown !== 'not-due') {
    const { samplePercent } = listed.find(({ slug }) => slug === survey.value) ?? {};
    const other =
      notShown === 'sampled-out'
        ? `It asks ${samplePercent} of 100, and ${person.value} is not among them. Press Somebody new.`
        : `${person.value} is in a quiet period, and is not asked. Press Somebody new.`;
    offer.textContent = WHY[notShown] ?? other;
    somebody.classList.toggle('wanted', !WHY[notShown]);
  }
  if (reply?.surveys) {
    listSurveys(reply.surveys);
    if (!somebody.matches('.wanted')) tellOffer(reply);
  } else if (path) {
    void showStored();
    // An event comes soon after what it tells of.
    for (const delay of [300, 1_000, 3_000]) setTimeout(showEvents, delay);
  }
}

const newVisitor = (): string => `visitor-${Math.random().toString(36).slice(2, 8)}`;
/** Enough to find one of a hundred. */
const MOST_VISITORS = 2_000;

/** Somebody who is in the sample of the survey that is chosen. */
function newInSample(): string {
  const chosen = listed.find(({ slug }) => slug === survey.value);
  if (chosen === undefined) return newVisitor();
  const { id, samplePercent = 100 } = chosen;
  const visitors = Array.from({ length: MOST_VISITORS }, newVisitor);
  return visitors.find((visitor) => stickyHash(visitor, id) % 100 < samplePercent) ?? newVisitor();
}

async function showStored(): Promise<void> {
  const respondentId = person.value;
  const reply = await fetch(`/demo/stored?${new URLSearchParams({ respondentId })}`);
  const { responses = [], dismissals = [] }: Record<string, Row[]> = await reply.json();
  if (respondentId !== person.value) return;
  list('#stored', [...responses, ...dismissals], `Nothing of ${respondentId} yet.`, respondentId);
}

let shownEvents = '';

/** What is shown already stays, so that an event that was opened stays open. */
async function showEvents(): Promise<void> {
  const told = await (await fetch('/demo/events')).text();
  if (told === shownEvents) return;
  shownEvents = told;
  const events: { 'detail-type': string; detail: Row }[] = JSON.parse(told);
  list(
    '#events',
    events.map(({ 'detail-type': type, detail }) => ({ type, ...detail })),
    'None yet.',
  );
}

find('#definitions', HTMLAnchorElement).search = `key=${document.documentElement.dataset.key}`;
for (const [name, value] of new URLSearchParams(location.search))
  if (controls.elements.namedItem(name) instanceof HTMLSelectElement) choose(control(name), value);
if (location.pathname === '/demo/chat') choose(control('page'), 'chat');
const renew = (ask?: string) => {
  somebody.classList.remove('wanted');
  open(ask);
};
addEventListener('message', heard);
somebody.addEventListener('click', () => {
  choose(person, newInSample());
  renew();
});
document.addEventListener('change', () => renew());
controls.addEventListener('submit', (event) => {
  event.preventDefault();
  if (control('page').value === 'chat' && control('presentation').value !== 'banner')
    choose(control('presentation'), 'corner');
  renew(survey.value);
});
renew();
void showEvents();
