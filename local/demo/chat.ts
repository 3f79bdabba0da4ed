/** The chat of the demo, on the side of its server: a model that is none, and a token minted for each of its replies. */

import { randomUUID } from 'node:crypto';
import type { DemoProject } from './demo-project.ts';

/** Words of a question, and what is said to it in each language. */
const REPLIES: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [
    /water|gieße|أسقي/i,
    {
      en: 'Twice a week, when the soil is dry to a finger. Let no water stand in the bowl.',
      de: 'Zweimal in der Woche, wenn die Erde trocken ist. In der Schale soll kein Wasser stehen.',
      ar: 'مرتين في الأسبوع، عندما تجف التربة. لا تترك ماءً راكدًا في الوعاء.',
    },
  ],
  [
    /back|return|zurück|إرجاع/i,
    {
      en: 'Yes, within 14 days. We collect it, and pay you back a day after.',
      de: 'Ja, 14 Tage lang. Wir holen sie ab und erstatten am Tag danach.',
      ar: 'نعم، خلال 14 يومًا. نستلمه منك ونعيد المبلغ في اليوم التالي.',
    },
  ],
  [
    /(?:)/,
    {
      en: 'Order 1042 came on Tuesday, at 10:40. Your neighbour took it in.',
      de: 'Bestellung 1042 kam am Dienstag um 10:40 Uhr. Ihr Nachbar hat sie angenommen.',
      ar: 'وصل الطلب 1042 يوم الثلاثاء في الساعة 10:40، واستلمه جارك.',
    },
  ],
];

/** Conversations, one a person, as long as the process lives. @param url of the service, once it runs */
export function createChat({ secretKey }: DemoProject, url: () => string) {
  const conversations = new Map<string, readonly object[]>();
  const read = (respondentId: string) => conversations.get(respondentId) ?? [];

  async function say(respondentId: string, said: string, language: string): Promise<readonly object[]> {
    const session = { sessionId: `chat-${respondentId}`, traceId: randomUUID(), observationId: randomUUID() };
    const minted = await fetch(`${url()}/v1/sdk/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({ respondentId, surveySlug: 'reply', taskType: 'plant-care', ...session }),
    });
    // A reply without thumbs is better than none.
    const { bindings = {} }: { bindings?: Record<string, object> } = JSON.parse(await minted.text());
    const text = REPLIES.find(([about]) => about.test(said))?.[1][language];
    const reply = { from: 'agent', text, binding: bindings.reply };
    conversations.set(respondentId, [...read(respondentId), { from: 'person', text: said }, reply]);
    return read(respondentId);
  }
  return { read, say };
}
