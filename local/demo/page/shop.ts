/** The shop's page: a customer of the SDK, with controls to see it at work. */

import type { Canvass } from '../../../sdk/browser/canvass.ts';
import type { BootstrapReply, Survey } from '../../../sdk/browser/wire.ts';
import type { Exchange } from './page.ts';
import { createCanvass, find, key, lineOf, list, person, showStored, watchFetch } from './page.ts';

const TRAITS = { plan: 'demo' };

const control = (name: string) => find(`[name="${name}"]`, HTMLSelectElement);
const survey = control('survey');
const place = find('#place', HTMLDivElement);
let canvass: Canvass | undefined;

/** Offers the surveys that are active now: they may be applied or archived while the page is open. */
function listSurveys(surveys: readonly Survey[]): void {
  const { value } = survey;
  // What is bound to a message is shown in the chat.
  const options = surveys
    .filter(({ repeat }) => repeat !== 'observation')
    .map(({ slug, type }) => new Option(`${slug} (${type.toUpperCase()})`, slug, false, slug === value));
  survey.replaceChildren(...options);
  place.dataset.canvass = survey.value;
}

function tellOffer({ surveys = [], suppression = [], showTokens = {} }: Partial<BootstrapReply>): void {
  const slugsOf = (ids: readonly string[]) =>
    surveys.flatMap(({ id, slug }) => (ids.includes(id) ? [slug] : [])).join(', ');
  const offered = slugsOf(Object.keys(showTokens));
  const seen = slugsOf(suppression);
  const none = ` nothing now${seen && `, having seen ${seen}`}: the quiet period is a week.`;
  find('#offer', HTMLParagraphElement).textContent =
    `${person.value} may be asked${offered ? `: ${offered}.` : none}`;
}

interface Event {
  readonly 'detail-type': string;
  readonly detail: {
    readonly at: string;
    readonly respondentId?: string;
    readonly surveySlug?: string;
    readonly rating?: number;
  };
}

const tellEvent = ({ 'detail-type': type, detail }: Event): string =>
  lineOf(
    detail.at,
    detail.respondentId ?? 'somebody',
    detail.surveySlug ?? 'all',
    `${type} ${detail.rating ?? ''}`,
  );

let shownEvents = '';

/** What is shown already stays, so that an event that was opened stays open. */
async function showEvents(): Promise<void> {
  const told = await (await fetch('/demo/events')).text();
  if (told === shownEvents) return;
  shownEvents = told;
  list<Event>('#events', JSON.parse(told), tellEvent, 'None yet.');
}

function watched({ path, sent, reply }: Exchange): unknown {
  if (sent.userId === person.value && path.endsWith('/bootstrap')) {
    if (reply.surveys) listSurveys(reply.surveys);
    tellOffer(reply);
  } else if (sent.userId === person.value) {
    void showStored();
    // An event comes soon after what it tells of.
    for (const delay of [300, 1_000, 3_000]) setTimeout(showEvents, delay);
    // What may be asked has changed; the client asks the service again when it is told who is here.
    canvass?.identify(person.value, TRAITS);
  }
  // A demo shows each survey in each way, where a team says it once, in the survey's definition.
  const presentation = control('presentation').value;
  const surveys = reply.surveys?.map((each) => ({ ...each, presentation }));
  return presentation && surveys && { ...reply, surveys };
}

/** A client as the controls say. */
function begin(): Canvass {
  canvass?.destroy();
  canvass = createCanvass({ key, baseUrl: location.origin, userId: person.value, traits: TRAITS });
  return canvass;
}

function renew(): void {
  const { documentElement } = document;
  documentElement.lang = control('language').value;
  documentElement.dir = documentElement.lang === 'ar' ? 'rtl' : 'ltr';
  documentElement.style.colorScheme = control('scheme').value;
  place.dataset.canvass = survey.value;
  begin();
  void showStored();
}

watchFetch(watched);
find('#definitions', HTMLAnchorElement).search = `key=${key}`;
find('#phone', HTMLButtonElement).addEventListener('click', () => open('/', '', 'width=390,height=780'));
find('#somebody', HTMLButtonElement).addEventListener('click', () => {
  const visitor = `visitor-${Math.random().toString(36).slice(2, 8)}`;
  person.append(new Option(visitor, visitor, true, true));
  renew();
});
const controls = find('#controls', HTMLFormElement);
controls.addEventListener('change', renew);
controls.addEventListener('submit', (event) => {
  event.preventDefault();
  begin().show(survey.value);
});
renew();
void showEvents();
