/** The chat of the demo, on the side of its server: a model that is none, and a token minted for each of its replies. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { DemoProject } from './demo-project.ts';

/** The survey of {@link DEMO_SURVEYS} that is under each reply. */
const REPLY_SURVEY = 'reply';

export interface Message {
  readonly id: string;
  readonly from: 'person' | 'agent';
  readonly text: string;
  /** As mint gave it, for the page's `bind`. */
  readonly binding?: Readonly<Record<string, unknown>> | undefined;
}

export interface Chat {
  readonly read: (respondentId: string) => readonly Message[];
  /** Says something to the agent, who replies. */
  readonly say: (respondentId: string, text: string) => Promise<readonly Message[]>;
}

const minted = z.object({ bindings: z.record(z.string(), z.record(z.string(), z.unknown())) });

const REPLIES: readonly (readonly [RegExp, string])[] = [
  [
    /water|dry|brown/i,
    'A maidenhair fern wants moist soil, never wet. Water it when the top feels dry to a finger.',
  ],
  [/light|sun|window/i, 'Bright shade is best: a north or east window, and no sun at noon.'],
  [
    /order|parcel|deliver/i,
    'Order 1042 was delivered on Tuesday: one maidenhair fern and one low clay bowl.',
  ],
  [
    /return|refund|broken/i,
    'You can return a plant within 14 days. A broken pot is replaced without a return.',
  ],
];
const OTHERWISE = 'I know about plants, pots and your order. Ask me about water, light, delivery or returns.';

/** The model, stubbed. */
const replyTo = (text: string): string => REPLIES.find(([about]) => about.test(text))?.[1] ?? OTHERWISE;

/**
 * Conversations, one a person, as long as the process lives.
 *
 * @param url of the service, once it runs
 */
export function createChat({ secretKey }: DemoProject, url: () => string): Chat {
  const conversations = new Map<string, readonly Message[]>();
  const read = (respondentId: string) => conversations.get(respondentId) ?? [];

  async function mint(respondentId: string, observationId: string): Promise<Message['binding']> {
    const reply = await fetch(`${url()}/v1/sdk/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({
        respondentId,
        surveySlug: REPLY_SURVEY,
        sessionId: `chat-${respondentId}`,
        traceId: randomUUID(),
        observationId,
        taskType: 'plant-care',
      }),
    });
    // A reply without thumbs is better than none.
    const { data } = minted.safeParse(await reply.json());
    return data?.bindings[REPLY_SURVEY];
  }

  return {
    read,
    async say(respondentId, text) {
      const id = randomUUID();
      const binding = await mint(respondentId, id);
      const said: Message = { id: randomUUID(), from: 'person', text };
      const messages = [
        ...read(respondentId),
        said,
        { id, from: 'agent' as const, text: replyTo(text), binding },
      ];
      conversations.set(respondentId, messages);
      return messages;
    },
  };
}
