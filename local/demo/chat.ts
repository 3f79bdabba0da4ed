/** The chat of the demo, on the side of its server: a model that is none, and a token minted for each of its replies. */

import { randomUUID } from 'node:crypto';
import { REPLIES } from './words/chat-words.ts';

/** Asks the service with the secret key. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Conversations, one a person, as long as the process lives. */
export function createChat(ask: Ask) {
  const conversations = new Map<string, readonly object[]>();
  const read = (respondentId: string) => conversations.get(respondentId) ?? [];

  async function say(respondentId: string, body: string): Promise<readonly object[]> {
    const said: { readonly text: string; readonly lang: string } = JSON.parse(body);
    const session = { sessionId: `chat-${respondentId}`, traceId: randomUUID(), observationId: randomUUID() };
    const minted = await ask('/v1/sdk/tokens', {
      method: 'POST',
      body: JSON.stringify({ respondentId, surveySlug: 'reply', taskType: 'plant-care', ...session }),
    });
    // A reply without thumbs is better than none.
    const { bindings = {} }: { bindings?: Record<string, object> } = JSON.parse(await minted.text());
    const spoken = REPLIES.find(([about]) => about.test(said.text))?.[1];
    const text = spoken?.[said.lang] ?? spoken?.en;
    const reply = { from: 'agent', text, binding: bindings.reply };
    conversations.set(respondentId, [...read(respondentId), { from: 'person', text: said.text }, reply]);
    return read(respondentId);
  }
  return { read, say };
}
