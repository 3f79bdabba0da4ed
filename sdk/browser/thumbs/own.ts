/** What is fetched where a message is bound to buttons of the page's own. Thumbs for the same message show the same. */

import type { Follow, MessageRating } from '../message-rating.ts';
import type { Client } from '../parts.ts';
import type { Binding } from '../wire.ts';

/** Tells the page's own buttons what is known of a message's rating, and takes what they say. */
export async function mount(
  client: Client,
  bound: Partial<Binding> | undefined,
  follow: Follow,
): Promise<void> {
  if (!bound) return;
  const { emit, options, offers, signal, load } = client;
  const { surveyId, sessionId = '' } = bound;
  const [{ messagesOf }, { kit }] = await Promise.all([load('thumbs'), load('kit')]);
  const { messageOf, hear } = messagesOf(client, kit);
  const missing = (name: string) => emit('error', { missing: [name] });
  if (!surveyId) return missing('surveyId');
  const message = messageOf({ id: surveyId }, { ...bound, surveyId, sessionId });
  const { binding, latest } = message;

  /** @returns whether it is said anew */
  const say = (...[rating, detail = {}]: Parameters<typeof message.say>): boolean => {
    // The token is of the person before.
    if (signal.aborted || !message.isTheirs()) return false;
    const lacks = !binding.showToken ? 'showToken' : !binding.sessionId && 'sessionId';
    if (lacks) {
      missing(lacks);
      return false;
    }
    const before = latest();
    const is = (...said: unknown[]) => JSON.stringify(said);
    const isSame =
      is(rating, detail.text, detail.reasons) === is(before?.rating, before?.text, before?.reasons);
    if (!isSame) message.say(rating, detail);
    return !isSame;
  };
  const rate: MessageRating['rate'] = (rating, detail = {}) => {
    if (say(rating, detail)) emit('rated', { rating, ...detail, binding });
  };
  const withdraw = async () => {
    if (!say(undefined)) return;
    const { surveys } = (await offers.fetch())?.data ?? {};
    const survey = surveys?.find(({ id }) => id === surveyId);
    emit('withdrawn', { survey: survey && (await kit.spoken(survey, options)), binding });
  };
  const tell = (showToken = binding.showToken): boolean => {
    if (signal.aborted) return false;
    if (showToken !== binding.showToken) return true;
    const { rating, open = false } = latest() ?? {};
    try {
      return follow({ rating, pending: open, rate, withdraw }) !== false;
    } catch (cause) {
      emit('error', { cause });
      return false;
    }
  };
  if (tell()) hear(tell);
  // A page that was left may have known more than it had sent.
  message.resume();
}
