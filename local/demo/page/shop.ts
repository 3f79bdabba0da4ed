/** The shop's page: a customer of the SDK, with controls to see it at work. */

import type { Canvass } from '../../../sdk/browser/canvass.ts';
import type { BootstrapReply, Survey } from '../../../sdk/browser/wire.ts';
import { details, element } from './element.ts';
import { type Exchange, watchFetch } from './watched-fetch.ts';

interface Settings {
  readonly publishableKey: string;
}

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  new URL('/demo/canvass.mjs', location.href).href
);

const settings: Settings = JSON.parse(document.documentElement.dataset.settings ?? '{}');
const people = ['ann', 'ben', 'chloe'];
const TRAITS = { plan: 'demo' };

function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}

const control = (name: string) => find(`[name="${name}"]`, HTMLSelectElement);
const person = control('person');
const survey = control('survey');
const presentation = control('presentation');
const language = control('language');
const scheme = control('scheme');
const requests = find('#requests', HTMLOListElement);
const offer = find('#offer', HTMLParagraphElement);
const stored = find('#stored', HTMLDivElement);
const events = find('#events', HTMLDivElement);
const place = find('#place', HTMLDivElement);

function wantedPresentation(): Survey['presentation'] | undefined {
  const { value } = presentation;
  return value === 'corner' || value === 'inline' || value === 'banner' ? value : undefined;
}

/** Offers the surveys that are active now: they may be applied or archived while the page is open. */
function listSurveys(listed: readonly Survey[]): void {
  // What is bound to a message is shown in the chat.
  const surveys = listed.filter(({ repeat }) => repeat !== 'observation');
  const before = [...survey.options].map(({ value }) => value);
  const active = surveys.map(({ slug }) => slug);
  if (before.join() === active.join()) return;
  const chosen = survey.value;
  survey.replaceChildren(
    ...surveys.map(({ slug, type }) => {
      const option = element('option', `${slug} (${type.toUpperCase()})`);
      option.value = slug;
      option.selected = slug === chosen;
      return option;
    }),
  );
  place.dataset.canvass = survey.value;
}

function tellOffer({ surveys = [], suppression = [], showTokens = {} }: Partial<BootstrapReply>): void {
  const offered = surveys.filter(({ id }) => showTokens[id]).map(({ slug }) => slug);
  const seen = surveys.filter(({ id }) => suppression.includes(id)).map(({ slug }) => slug);
  offer.textContent =
    offered.length > 0
      ? `${person.value} may be asked: ${offered.join(', ')}.`
      : `${person.value} may be asked nothing now${seen.length > 0 ? `, having seen ${seen.join(', ')}` : ''}: the quiet period is a week.`;
}

async function showStored(): Promise<void> {
  const respondent = person.value;
  const reply = await fetch(`/demo/stored?respondentId=${encodeURIComponent(respondent)}`);
  const { responses = [], dismissals = [] } = await reply.json();
  if (respondent !== person.value) return;
  const rows = [...responses, ...dismissals];
  stored.replaceChildren(
    ...rows.map((row) =>
      details('rating' in row ? `${row.surveySlug}: ${row.rating}` : `${row.surveySlug}: dismissed`, row),
    ),
    ...(rows.length > 0 ? [] : [element('p', `Nothing of ${respondent} yet.`)]),
  );
}

interface Event {
  readonly 'detail-type': string;
  readonly detail: { readonly surveySlug?: string | null; readonly rating?: number | null };
}

function tellEvent(event: Event): string {
  const { surveySlug, rating } = event.detail;
  return [event['detail-type'], surveySlug, rating].filter((part) => part != null).join(' ');
}

let shownEvents = '';

/** What is shown already stays, so that an event that was opened stays open. */
async function showEvents(): Promise<void> {
  const told = await (await fetch('/demo/events')).text();
  if (told === shownEvents) return;
  shownEvents = told;
  const last: Event[] = JSON.parse(told);
  events.replaceChildren(
    ...last.map((event) => details(tellEvent(event), event)),
    ...(last.length > 0 ? [] : [element('p', 'None yet.')]),
  );
}

/** An event comes soon after what it tells of. */
const EVENT_DELAYS_MS = [300, 1_000, 3_000];

function watchEvents(): void {
  for (const delay of EVENT_DELAYS_MS) setTimeout(showEvents, delay);
}

function watched({ path, sent, status, reply }: Exchange): void {
  requests.prepend(element('li', '', details(`${status ?? 'no reply:'} ${path}`, { sent, reply })));
  if (Object(sent).userId !== person.value || !status) return;
  if (path.endsWith('/bootstrap')) {
    const told: Partial<BootstrapReply> = { ...Object(reply) };
    if (told.surveys) listSurveys(told.surveys);
    tellOffer(told);
  } else {
    void showStored();
    watchEvents();
    // What may be asked has changed; the client asks the service again when it is told who is here.
    canvass?.identify(person.value, TRAITS);
  }
}

watchFetch(wantedPresentation, watched);

let canvass: Canvass | undefined;

/** A client as the controls say. */
function open(): Canvass {
  canvass?.destroy();
  canvass = createCanvass({
    key: settings.publishableKey,
    baseUrl: location.origin,
    userId: person.value,
    traits: TRAITS,
  });
  return canvass;
}

function dress(): void {
  const { documentElement } = document;
  documentElement.lang = language.value;
  documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr';
  documentElement.style.colorScheme = scheme.value;
}

function renew(): void {
  dress();
  place.dataset.canvass = survey.value;
  open();
  void showStored();
}

for (const name of people) person.append(element('option', name));
find('#definitions', HTMLAnchorElement).href = `/v1/definitions?key=${settings.publishableKey}`;
find('#somebody', HTMLButtonElement).addEventListener('click', () => {
  person.append(element('option', `visitor-${Math.random().toString(36).slice(2, 8)}`));
  person.selectedIndex = person.length - 1;
  renew();
});
const controls = find('#controls', HTMLFormElement);
controls.addEventListener('change', renew);
controls.addEventListener('submit', (event) => {
  event.preventDefault();
  open().show(survey.value);
});
renew();
void showEvents();
