/** A chat with an agent, with thumbs under each of its replies. */

import type { Binding } from '../../../sdk/browser/canvass.ts';
import { details, element } from './element.ts';

interface Message {
  readonly id: string;
  readonly from: 'person' | 'agent';
  readonly text: string;
  readonly binding?: Binding;
}

const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  new URL('/demo/canvass.mjs', location.href).href
);

const { publishableKey: key }: { publishableKey: string } = JSON.parse(
  document.documentElement.dataset.settings ?? '{}',
);
const people = ['ann', 'ben', 'chloe'];

function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}

const messages = find('#messages', HTMLDivElement);
const stored = find('#stored', HTMLDivElement);
const person = find('[name="person"]', HTMLSelectElement);
const text = find('#text', HTMLInputElement);
const chatOf = (respondentId: string) => `/demo/messages?${new URLSearchParams({ respondentId })}`;

const canvass = createCanvass({ key, baseUrl: location.origin });

function show(conversation: readonly Message[]): void {
  for (const { id, from, text: said, binding } of conversation) {
    if (document.getElementById(id)) continue;
    const place = element('div');
    place.className = 'thumbs';
    const message = element('article', '', element('p', said), ...(binding ? [place] : []));
    message.id = id;
    message.className = from;
    messages.append(message);
    // The server has kept it with the message, so it is the same after a reload.
    if (binding) canvass.bind(binding, place);
  }
}

async function showStored(): Promise<void> {
  const respondentId = person.value;
  const reply = await fetch(`/demo/stored?${new URLSearchParams({ respondentId })}`);
  const { responses = [] } = await reply.json();
  if (respondentId !== person.value) return;
  const ratings = responses.filter(({ surveySlug }: { surveySlug: string }) => surveySlug === 'reply');
  stored.replaceChildren(
    ...ratings.map((row: { rating: number | null }) => details(`reply: ${row.rating ?? 'taken back'}`, row)),
    ...(ratings.length > 0 ? [] : [element('p', `No rating of ${respondentId} yet.`)]),
  );
}

async function enter(): Promise<void> {
  canvass.identify(person.value);
  messages.replaceChildren();
  void showStored();
  const respondentId = person.value;
  const conversation: Message[] = await (await fetch(chatOf(respondentId))).json();
  if (respondentId === person.value) show(conversation);
}

async function say(): Promise<void> {
  const said = text.value.trim();
  if (!said) return;
  text.value = '';
  const reply = await fetch(chatOf(person.value), { method: 'POST', body: JSON.stringify({ text: said }) });
  show(await reply.json());
}

// A rating is delivered behind the click.
const originalFetch = window.fetch;
window.fetch = async (input, init) => {
  const response = await originalFetch(input, init);
  if (/\/v1\/sdk\/re(sponses|visions)$/.test(String(input))) void showStored();
  return response;
};

for (const name of people) person.append(element('option', name));
person.addEventListener('change', () => void enter());
find('#say', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void say();
});
await enter();
