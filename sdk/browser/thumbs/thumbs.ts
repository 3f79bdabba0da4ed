/** What is fetched where a survey of type `thumbs` is bound to a message, or asked. */

import type { AnswerDetail } from '../ask.ts';
import type { Client } from '../parts.ts';
import type { KeptRating } from '../storage.ts';
import { languageOf, localise } from '../texts.ts';
import type { Binding, Survey } from '../wire.ts';
import { createControl } from './control.ts';
import { createDelivery } from './delivery.ts';
import { createRatings, type Shared } from './ratings.ts';
import { wordsFor } from './words.ts';

export { present } from './present.ts';

const shared = new WeakMap<Client, Shared>();

export function sharedBy(client: Client): Shared {
  const known = shared.get(client);
  if (known) return known;
  const views = new Map<Element, () => void>();
  const redraw = () => {
    for (const [host, show] of views) {
      if (client.signal.aborted) host.remove();
      if (host.isConnected) show();
      else views.delete(host);
    }
  };
  const ratings = createRatings(client.storage);
  const made: Shared = { ratings, views, deliver: createDelivery(client, ratings, redraw) };
  shared.set(client, made);
  // Another tab may have changed one.
  addEventListener('storage', redraw, client);
  client.signal.addEventListener('abort', redraw);
  return made;
}

export async function listedSurveys(client: Client, kept: Shared): Promise<readonly Survey[] | undefined> {
  // Undefined is a word that is forgotten meanwhile, since the person has answered something.
  while (!kept.surveys && !client.signal.aborted) {
    const reply = await client.offers.fetch();
    if (!reply) continue;
    const { status, data, cause } = reply;
    if (!data.surveys) {
      client.emit('error', { status, code: data.error?.code, cause });
      return undefined;
    }
    kept.surveys = data.surveys;
  }
  return kept.surveys;
}

/**
 * Puts thumbs into the page: what the person has chosen for this message is pressed, a click chooses, and another click on
 * the same thumb takes it back. A binding without a token, of a message that has been rated, shows the rating of this
 * device and can still change it.
 */
export async function mount(client: Client, bound: Binding | undefined, place: Element): Promise<void> {
  if (!bound) return;
  const { options, person, emit, signal, offers } = client;
  const slug = bound.slug ?? bound.surveyId;
  // Such as all bindings that were minted, in place of one of them.
  if (!slug) return emit('error', { missing: ['surveyId'] });
  const all = sharedBy(client);
  const { ratings, deliver, views } = all;
  const listed = await listedSurveys(client, all);
  const found = listed?.find(({ id, slug }) => id === bound.surveyId || slug === bound.slug);
  if (!listed || signal.aborted) return;
  if (found?.type !== 'thumbs')
    return emit('notshown', { slug, reason: found ? 'not-thumbs' : 'unknown-slug' });
  const survey = localise(found, languageOf(options.locale));
  const mark = offers.markOf(survey);
  const { showToken, sessionId } = bound;
  const kept = ratings.find(mark, bound);
  if (!kept && !showToken) return emit('notshown', { slug, reason: 'no-token' });
  if (!kept && !sessionId) return emit('error', { missing: ['sessionId'] });
  const binding = kept?.binding ?? { ...bound, surveyId: survey.id, showToken: showToken ?? '' };
  const { words, dress } = await wordsFor(survey, options);
  const { name } = person;

  const chosen = (): KeptRating =>
    ratings.find(mark, binding) ?? { mark, binding, known: -1, at: 0, open: false };
  const keep = (rating: number | undefined, { text, reasons }: AnswerDetail = {}) => {
    ratings.keep({ ...chosen(), rating, text, reasons, at: Date.now(), open: true });
    show();
    deliver({ mark, binding });
  };
  const choose = (rating: number | undefined, detail?: AnswerDetail) => {
    keep(rating, detail);
    if (rating === undefined) emit('withdrawn', { survey, binding });
    else emit('answered', { survey, rating, binding });
  };
  const control = createControl(survey, words, (rating) => {
    // The token is of the person before.
    if (person.name !== name && name) return control.host.remove();
    control.endMore();
    const isTakenBack = chosen().rating === rating;
    choose(isTakenBack ? undefined : rating);
    const { followUpQuestion, reasons } = survey;
    const asksMore = rating === 0 && !isTakenBack && (followUpQuestion || reasons);
    control.say((asksMore && followUpQuestion) || '');
    if (!asksMore) return;
    const isDown = () => chosen().rating === 0;
    void control.askMore(
      (detail) => {
        if (!(detail?.text || detail?.reasons) || !isDown()) return control.say('');
        choose(0, detail);
        control.say(words.thanks, true);
      },
      // Chosen is said, whether or not it is sent.
      (detail) => isDown() && keep(0, detail),
    );
  });
  const { host, panel } = control;
  const show = () => control.press(chosen().rating);

  dress(panel);
  for (const before of place.querySelectorAll(':scope > canvass-survey')) before.remove();
  for (const other of views.keys()) if (!other.isConnected) views.delete(other);
  if (signal.aborted) return;
  place.append(host);
  views.set(host, show);
  show();
  // A page that was left may have known more than it had sent.
  deliver({ mark, binding });
}
