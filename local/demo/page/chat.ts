/** A chat with an agent, with thumbs under each of its replies. */

import type { Binding } from '../../../sdk/browser/canvass.ts';
import { element, find } from './find.ts';
import { canvass, person, speak } from './frame.ts';

interface Message {
  readonly from: 'person' | 'agent';
  readonly text: string;
  readonly binding?: Binding;
}

speak({
  de: [
    'Pflanzenpflege',
    'Ihre Frage',
    'Senden',
    'Von Menschen geschrieben, nach einem Ihrer Wörter gewählt: Hier läuft kein Modell.',
  ],
  ar: ['العناية بالنباتات', 'سؤالك', 'إرسال', 'كتبها أشخاص وتُختار بحسب كلمة منك: لا يعمل هنا أي نموذج.'],
});
const messages = find('#messages', HTMLDivElement);
const text = find('[name="text"]', HTMLInputElement);

/** What to ask next, so that Send alone makes a conversation. */
const QUESTIONS = ['How often does a fern need water?', 'Where is my order?', 'Can I send a plant back?'];
function suggest(): void {
  text.value = QUESTIONS.shift() ?? '';
}

async function show(init?: RequestInit): Promise<void> {
  const respondentId = person;
  const told = await fetch(`/demo/messages?${new URLSearchParams({ respondentId })}`, init);
  const conversation: readonly Message[] = await told.json();
  for (const { from, text: said, binding } of conversation.slice(messages.childElementCount)) {
    const thumbs = element('div');
    const line = element('p', said);
    line.dir = 'auto';
    const message = element('article', line, thumbs);
    message.className = from;
    messages.append(message);
    // The server has kept it with the message, so it is the same after a reload.
    if (binding) canvass.bind(binding, thumbs);
  }
  scrollTo(0, document.body.scrollHeight);
}

find('#say', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const said = text.value.trim();
  suggest();
  if (said) void show({ method: 'POST', body: JSON.stringify({ text: said }) });
});
await show();
suggest();
find('button', HTMLButtonElement).disabled = false;
