import type { Binding } from '../../../sdk/browser/canvass.ts';
import { element, find } from './find.ts';
import { canvass, person } from './shop.ts';

interface Message {
  readonly from: 'person' | 'agent';
  readonly text: string;
  readonly binding?: Binding;
}

const messages = find('#messages', HTMLDivElement);
const text = find('[name="text"]', HTMLInputElement);
const NEXT = ['How much water?', 'Where is my order?', 'Can I send it back?'];

async function show(init?: RequestInit): Promise<void> {
  const told = await fetch(`/demo/messages?${new URLSearchParams({ respondentId: person })}`, init);
  const conversation: readonly Message[] = await told.json();
  for (const { from, text: said, binding } of conversation.slice(messages.childElementCount)) {
    const thumbs = element('div');
    const line = element('p', said);
    line.dir = 'auto';
    const message = element('article', line, thumbs);
    message.className = from;
    messages.append(message);
    // The server stores bindings, so thumbs survive a reload.
    if (binding) canvass.bind(binding, thumbs);
  }
  scrollTo(0, document.body.scrollHeight);
}

const next = () => NEXT.shift() ?? '';

async function say(said: string): Promise<void> {
  if (said) await show({ method: 'POST', body: said });
  text.value ||= next();
}

find('#say', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const said = text.value.trim();
  text.value = '';
  void say(said);
});
try {
  await show();
  await say(messages.childElementCount === 0 ? next() : '');
} finally {
  find('button', HTMLButtonElement).disabled = false;
}
