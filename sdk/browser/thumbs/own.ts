/** What is fetched where a message is bound to buttons of the page's own. Thumbs for the same message show the same. */

import type { Follow, MessageRating, RatingDetail } from '../message-rating.ts';
import type { Client } from '../parts.ts';
import { languageOf, localise } from '../texts.ts';
import type { Binding } from '../wire.ts';
import type { Shared } from './ratings.ts';

/** By client: those who are told of ratings, of all messages or of the one with this token; false: they are gone. */
const told = new WeakMap<Client, Set<(token?: string) => boolean>>();

/** Hears of each rating that is kept, whoever keeps it: buttons, thumbs, what the service says. */
function hearersOf(client: Client, thumbs: Shared): Set<(token?: string) => boolean> {
  const known = told.get(client);
  if (known) return known;
  const hearers = new Set<(token?: string) => boolean>();
  told.set(client, hearers);
  const tell = (token?: string) => {
    for (const hear of hearers) if (client.signal.aborted || !hear(token)) hearers.delete(hear);
  };
  const { keep, forget } = thumbs.ratings;
  Object.assign(thumbs.ratings, {
    keep(rating: Parameters<typeof keep>[0]) {
      keep(rating);
      tell(rating.binding.showToken);
    },
    forget(rating: Parameters<typeof forget>[0]) {
      forget(rating);
      tell(rating.binding.showToken);
    },
  });
  addEventListener('storage', () => tell(), client);
  return hearers;
}

/** Tells the page's own buttons what is known of a message's rating, and takes what they say. */
export async function mount(
  client: Client,
  bound: Partial<Binding> | undefined,
  follow: Follow,
): Promise<void> {
  if (!bound) return;
  const { emit, options, person, offers, signal, load } = client;
  const { sharedBy, listedSurveys } = await load('thumbs');
  const thumbs = sharedBy(client);
  const { ratings, deliver, views } = thumbs;
  const hearers = hearersOf(client, thumbs);
  const { surveyId, showToken = '', sessionId = '' } = bound;
  const missing = (name: string) => emit('error', { missing: [name] });
  if (!surveyId) return missing('surveyId');
  const mark = offers.markOf({ id: surveyId });
  const known = () => ratings.find(mark, { surveyId, sessionId, ...bound });
  const binding = known()?.binding ?? { ...bound, surveyId, showToken, sessionId };
  const message = { mark, binding };
  const { name } = person;

  /** @returns whether it is said anew */
  const say = (rating: number | undefined, { text, reasons }: RatingDetail = {}): boolean => {
    // The token is of the person before.
    if (signal.aborted || (person.name !== name && name)) return false;
    const lacks = !binding.showToken ? 'showToken' : !binding.sessionId && 'sessionId';
    if (lacks) {
      missing(lacks);
      return false;
    }
    const before = known();
    const is = (...said: unknown[]) => JSON.stringify(said);
    if (is(rating, text, reasons) === is(before?.rating, before?.text, before?.reasons)) return false;
    const revision = before?.known ?? -1;
    ratings.keep({ ...message, known: revision, rating, text, reasons, at: Date.now(), open: true });
    for (const show of views.values()) show();
    deliver(message);
    return true;
  };
  const rate: MessageRating['rate'] = (rating, detail = {}) => {
    if (say(rating, detail)) emit('rated', { rating, ...detail, binding });
  };
  const withdraw = async () => {
    if (!say(undefined)) return;
    const found = (await listedSurveys(client, thumbs))?.find(({ id }) => id === surveyId);
    if (found) emit('withdrawn', { survey: localise(found, languageOf(options.locale)), binding });
  };
  const hear = (token = binding.showToken): boolean => {
    if (token !== binding.showToken) return true;
    const { rating, open = false } = known() ?? {};
    try {
      return follow({ rating, pending: open, rate, withdraw }) !== false;
    } catch (cause) {
      emit('error', { cause });
      return false;
    }
  };
  if (hear()) hearers.add(hear);
  // A page that was left may have known more than it had sent.
  deliver(message);
}
