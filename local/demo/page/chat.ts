/** A chat with an agent, with thumbs under each of its replies. */

import type { Binding } from '../../../sdk/browser/canvass.ts';
import { ask, createCanvass, element, find, key, person, showStored, watchFetch } from './page.ts';

interface Message {
  readonly from: 'person' | 'agent';
  readonly text: string;
  readonly binding?: Binding;
}

const messages = find('#messages', HTMLDivElement);
const text = find('[name="text"]', HTMLInputElement);
const canvass = createCanvass({
  key,
  baseUrl: location.origin,
  // A chat asks nothing by itself: it would stand beside the question under a thumb.
  idleMs: 86_400_000,
});

async function show(init?: RequestInit): Promise<void> {
  const conversation: readonly Message[] = (await ask('/demo/messages', init)) ?? [];
  for (const { from, text: said, binding } of conversation.slice(messages.childElementCount)) {
    const thumbs = element('div');
    const message = element('article', said, thumbs);
    message.className = from;
    messages.append(message);
    // The server has kept it with the message, so it is the same after a reload.
    if (binding) canvass.bind(binding, thumbs);
  }
}

async function enter(): Promise<void> {
  canvass.identify(person.value);
  messages.replaceChildren();
  void showStored();
  await show();
}

// A rating is delivered behind the click.
watchFetch(({ path }) => {
  if (/\/re(sponses|visions)$/.test(path)) void showStored();
});
person.addEventListener('change', enter);
find('#say', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const said = text.value.trim();
  text.value = '';
  if (said) void show({ method: 'POST', body: JSON.stringify({ text: said }) });
});
await enter();
