/** Loaded on demand, except in `headless`, which bundles it. Thumbs of the same message show the same rating. */

import type { Follow, MessageRating } from '../client/message-rating.ts';
import type { Client, Message } from '../client/modules.ts';
import { createOutbox } from '../client/outbox.ts';
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
export function ownMessage(client: Client, bound: Partial<Binding>, owner?: string): OwnMessage | undefined {
  const { emit, options, eligibility, signal } = client;
  const { surveyId, sessionId = '' } = bound;
  const missing = (name: string): undefined => {
    emit('error', { missing: [name] });
  };
  if (!surveyId) return missing('surveyId');
  const { messageOf, hear } = messagesOf(client, createOutbox);
  const message = messageOf({ id: surveyId }, { ...bound, surveyId, sessionId }, owner);
  const { binding, latest, resume } = message;

  const say: Message['say'] = (...given) => {
    if (signal.aborted) return false;
    const lacks = !binding.showToken ? 'showToken' : !binding.sessionId && 'sessionId';
    if (lacks) missing(lacks);
    return !lacks && message.say(...given);
  };
  const rate: MessageRating['rate'] = (rating, detail = {}) => {
    if (say(rating, detail)) emit('rated', { rating, ...detail, binding });
  };
  const withdraw = async () => {
    if (!say(undefined)) return;
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
