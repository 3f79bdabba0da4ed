/** What stands around a customer's page: what is asked there, of whom and how, what was stored, what left. */

import { TYPES } from '../../../sdk/browser/client/eligibility.ts';
import type { BootstrapReply, Survey } from '../../../sdk/browser/client/survey.ts';
import { stickyHash } from '../../../sdk/browser/client/targeting.ts';
import { find, nameOf } from './find.ts';
import { list, type Row } from './lines.ts';
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
/** Why nothing was asked. */
let refused = '';
/** Since when it is about this visitor, as an event tells a time. */
let [about, since] = ['', ''];
/** Surveys that this visitor has seen. */
const shown = new Set<string>();

/** Adds what is not among the options: a visitor, or a survey of which the service has yet to tell. */
function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  if (select.selectedIndex < 0) select.append(new Option(nameOf(value), value, false, true));
}

/** Opens the customer's page as the controls say; their state is in its address, and in that of this page. */
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

/** Eligibility the surveys that are active now: they may be applied or archived while the page is open. */
function tellOffer({ surveys = [], suppression = [], showTokens = {} }: Partial<BootstrapReply>): void {
  const { value } = survey;
  listed = surveys;
  // What is bound to a message is shown in the chat.
  const options = surveys.filter(({ repeat }) => repeat !== 'observation');
  survey.replaceChildren(
    ...options.map(({ slug, type }) => {
      const typeName = type === 'thumbs' ? 'Thumbs' : type.toUpperCase();
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

/** Somebody who is in the sample of the survey that is chosen; of one in a hundred, 2,000 are enough to find them. */
function newVisitor(): string {
  const { id = '', samplePercent = 100 } = chosen();
  const visitors = Array.from({ length: 2_000 }, () => `visitor-${Math.random().toString(36).slice(2, 6)}`);
  return visitors.find((visitor) => stickyHash(visitor, id) % 100 < samplePercent) ?? '';
}

const read = async (path: string, init?: RequestInit) => (await fetch(path, init)).json();

/** Shows what holds now, of whom it is about now. */
async function renew(): Promise<void> {
  const userId = person.value;
  const [offers, { responses = [], dismissals = [] }, events] = await Promise.all([
    read('/v1/sdk/bootstrap', { method: 'POST', body: JSON.stringify({ key, userId, types: TYPES }) }),
    read(`/demo/stored?${new URLSearchParams({ respondentId: userId })}`),
    read('/demo/events'),
  ]);
  if (userId !== person.value) return;
  tellOffer(offers);
  list('#stored', [...responses, ...dismissals], userId);
  const left: readonly { 'detail-type': string; detail: Row }[] = events;
  const told = left.map(({ 'detail-type': type, detail }) => ({ type, ...detail }));
  // Those of others would stand in between. An impression carries no person, so the page tells what this one saw.
  const own = told.filter(({ respondentId, surveySlug = '', at }) =>
    respondentId ? respondentId === userId : at >= since && shown.has(surveySlug),
  );
  list('#events', own, userId);
}

/** Answers are delivered behind the page, and an event comes soon after what it tells of. */
function renewSoon(): void {
  for (const delay of [0, 500, 1_500, 5_000, 20_000]) setTimeout(renew, delay);
}

addEventListener('message', ({ origin, data }: MessageEvent<Partial<Told>>) => {
  // A modal dialog is what waits; it comes by itself.
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
