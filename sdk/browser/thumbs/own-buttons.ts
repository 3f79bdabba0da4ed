/** Loaded on demand, except in `headless`, which bundles it. Thumbs of the same message show the same rating. */

import type { Delivery, Follow, MessageRating } from '../client/message-rating.ts';
import type { Client, Message } from '../client/modules.ts';
import { createOutbox } from '../client/outbox.ts';
import type { Reply } from '../client/post.ts';
import type { Binding } from '../client/survey.ts';
import { spoken } from '../widget/page-language.ts';
import { messagesOf } from './messages.ts';

export interface OwnMessage extends Pick<MessageRating, 'rate' | 'withdraw'>, Pick<Message, 'resume'> {
  readonly follow: (follow: Follow) => void;
}

/**
 * @param owner the person signed in when the page bound it
 * @returns undefined, with a reported error, if the binding names no survey
 */
export function ownMessage(
  client: Client,
  bound: Partial<Binding> | undefined,
  owner?: string,
): OwnMessage | undefined {
  const { emit, options, eligibility, signal } = client;
  const { surveyId, sessionId = '' } = bound ?? {};
  // Servers and React Native have no events of the page.
  if (signal.aborted) return undefined;
  const missing = (name: string): undefined => {
    emit('error', { missing: [name] });
  };
  if (!surveyId) return missing('surveyId');
  const { messageOf, hear } = messagesOf(client, createOutbox);
  const message = messageOf({ id: surveyId }, { ...bound, surveyId, sessionId }, owner);
  const { binding, latest, resume } = message;

  const mayChange = (): boolean => {
    if (signal.aborted) return false;
    const lacks = !binding.showToken ? 'showToken' : !binding.sessionId && 'sessionId';
    if (lacks) missing(lacks);
    return !lacks && message.isTheirs();
  };
  /** Resolves with the service's word on the latest choice. */
  const heard = () =>
    new Promise<Reply | undefined>((resolve) =>
      hear((showToken, _, reply) => {
        const isOver = showToken === binding.showToken && reply && (reply.retryMs || !latest()?.open);
        if (!isOver && !signal.aborted) return true;
        resolve(reply);
        return false;
      }),
    );
  const rate: MessageRating['rate'] = async (rating, detail = {}): Promise<Delivery> => {
    const refusal = { status: 'refused', surveyId, rating, ...detail, binding } as const;
    if (!mayChange()) return refusal;
    const isNew = message.say(rating, detail);
    if (isNew) emit('rated', { rating, ...detail, binding });
    if (!latest()?.open) return { status: 'stored' };
    const reply = isNew ? await heard() : undefined;
    if (!reply || reply.retryMs) return { status: 'waiting' };
    if (reply.status < 300) return { status: 'stored' };
    const words = await import('../widget/lost.ts').catch(() => undefined);
    return { ...refusal, code: reply.data.error?.code, sentence: words?.sentenceIn(options.locale) };
  };
  const withdraw = async () => {
    if (!mayChange() || !message.say(undefined)) return;
    const { surveys } = (await eligibility.fetch())?.data ?? {};
    const survey = surveys?.find(({ id }) => id === surveyId);
    emit('withdrawn', { survey: survey && (await spoken(survey, options)), binding });
  };
  return {
    rate,
    withdraw,
    resume,
    follow(follow) {
      let isHeard = true;
      const tell = (showToken = binding.showToken): boolean => {
        isHeard &&= !signal.aborted;
        if (!isHeard || showToken !== binding.showToken) return isHeard;
        const { rating, open = false } = latest() ?? {};
        try {
          isHeard = follow({ rating, pending: open, rate, withdraw }) !== false && isHeard;
        } catch (cause) {
          emit('error', { cause });
          isHeard = false;
        }
        return isHeard;
      };
      // A listener may choose a rating immediately.
      hear(tell);
      tell();
    },
  };
}

export async function mount(
  client: Client,
  bound: Partial<Binding> | undefined,
  follow: Follow,
  owner: string,
): Promise<void> {
  const message = bound && ownMessage(client, bound, owner);
  message?.follow(follow);
  // An earlier page may have left unsent ratings.
  message?.resume();
}
