/** The chat of the demo, on the side of its server: a model that is none, and a token minted for each of its replies. */

import { randomUUID } from 'node:crypto';
import type { DemoProject } from './demo-project.ts';

const REPLIES: readonly (readonly [RegExp, string])[] = [
  [/water|dry|brown/i, 'Twice a week, when the soil is dry to a finger. Let no water stand in the bowl.'],
  [/light|sun|window/i, 'Bright shade is best: a north or east window. Sun at noon burns its leaves.'],
  [/return|refund|broken|back/i, 'Yes, within 14 days. We collect it, and pay you back a day after.'],
  [/order|parcel|deliver/i, 'Order 1042 came on Tuesday, at 10:40. Your neighbour took it in.'],
  [/(?:)/, 'I know plants, and your order. Would you like to hear about water, light, delivery or returns?'],
];

/** Conversations, one a person, as long as the process lives. @param url of the service, once it runs */
export function createChat({ secretKey }: DemoProject, url: () => string) {
  const conversations = new Map<string, readonly object[]>();
  const read = (respondentId: string) => conversations.get(respondentId) ?? [];

  async function say(respondentId: string, said: string): Promise<readonly object[]> {
    const session = { sessionId: `chat-${respondentId}`, traceId: randomUUID(), observationId: randomUUID() };
    const minted = await fetch(`${url()}/v1/sdk/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({ respondentId, surveySlug: 'reply', taskType: 'plant-care', ...session }),
    });
    // A reply without thumbs is better than none.
    const { bindings = {} }: { bindings?: Record<string, object> } = JSON.parse(await minted.text());
    const text = REPLIES.find(([about]) => about.test(said))?.[1] ?? '';
    const reply = { from: 'agent', text, binding: bindings.reply };
    conversations.set(respondentId, [...read(respondentId), { from: 'person', text: said }, reply]);
    return read(respondentId);
  }
  return { read, say };
}
