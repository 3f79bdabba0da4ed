import { createCanvassClient, type MintTokensReply } from '@canvass-surveys/server';
import * as ai from 'ai';
import { model } from './model';

export type Message = ai.UIMessage<{ binding?: MintTokensReply['bindings'][string] }>;
const chats = new Map<string, Message[]>(); // With their bindings. Keep them in your database.
export const GET = () => Response.json(chats.get('session-1') ?? []);

export async function POST(request: Request) {
  const { id: sessionId, messages }: { id: string; messages: Message[] } = await request.json();
  const { NEXT_PUBLIC_CANVASS_URL: baseUrl = '', CANVASS_SECRET_KEY: secretKey = '' } = process.env;
  const canvass = createCanvassClient({ baseUrl, secretKey, deadlineMs: 2_000 });
  const turn = { sessionId, traceId: crypto.randomUUID(), observationId: ai.generateId() };
  // Undefined if this person may not be asked. A reply without thumbs is better than none.
  const ask = { respondentId: 'ann', surveySlug: 'reply', ...turn }; // Take the person from your login.
  const minted = await canvass.mintTokens(ask).catch((error) => void console.error(error));
  const { stream } = ai.streamText({ model, messages: await ai.convertToModelMessages(messages) });
  const replies = ai.toUIMessageStream({
    stream,
    originalMessages: messages,
    generateMessageId: () => turn.observationId,
    messageMetadata: () => ({ binding: minted?.bindings.reply }),
    onEnd: (ended) => void chats.set(sessionId, ended.messages),
  });
  return ai.createUIMessageStreamResponse({ stream: replies });
}
