'use client';

import { useChat } from '@ai-sdk/react';
import { CanvassProvider, Feedback } from '@canvass-surveys/react';
import { useEffect } from 'react';
import type { Message } from './api/chat/route';

const baseUrl = process.env.NEXT_PUBLIC_CANVASS_URL ?? '';
const clientKey = process.env.NEXT_PUBLIC_CANVASS_KEY ?? '';

export default function Chat() {
  const { messages, sendMessage, setMessages } = useChat<Message>({ id: 'session-1' });
  useEffect(() => {
    fetch('/api/chat')
      .then((reply) => reply.json())
      .then((kept) => setMessages((now) => (now.length > 0 ? now : kept)));
  }, [setMessages]);
  return (
    <CanvassProvider baseUrl={baseUrl} clientKey={clientKey} userId="ann">
      {messages.map(({ id, parts, metadata }) => (
        <article key={id}>
          {parts.map((part) => (part.type === 'text' ? part.text : ''))}
          <Feedback binding={metadata?.binding} />
        </article>
      ))}
      <form action={(form) => void sendMessage({ text: String(form.get('text')) })}>
        <input name="text" aria-label="Message" />
      </form>
    </CanvassProvider>
  );
}
