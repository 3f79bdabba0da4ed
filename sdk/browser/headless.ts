import { askerOf } from './client/asker.ts';
import { createClient } from './client/client.ts';
import type { OwnButtons } from './client/message-rating.ts';
import type { AnySurveys, Canvass as Asking, ClientOptions } from './client/options.ts';
import { createOutbox } from './client/outbox.ts';
import { type Client, fetchAgain, type Loaders } from './client/parts.ts';
import { mount, ownMessage } from './thumbs/own-buttons.ts';
import { findRating } from './thumbs/ratings.ts';
import { spoken } from './widget/page-language.ts';

export type { AnswerDetail, Ask } from './client/ask.ts';
export type { CanvassError, Events, Reason } from './client/events.ts';
export type { MessageRating, RatingDetail } from './client/message-rating.ts';
export type { AnySurveys, ClientOptions, SlugOf, UserToken } from './client/options.ts';
export { type Binding, isLowScore, type LocalisedSurvey, type Survey, type Traits } from './client/survey.ts';

/** The client, with ratings by buttons of the page's own. */
export interface Canvass<Surveys extends AnySurveys = AnySurveys> extends Asking<Surveys>, OwnButtons {}

/** The page draws what is asked, so all of it is here. */
const asking = async () => ({
  createAsker: async (client: Client) => askerOf(client, { createOutbox, spoken }),
});

const PARTS: Loaders = {
  widget: asking,
  bare: asking,
  kit: () => import('./client/kit.ts'),
  debug: () => import('./client/debug.ts'),
  conditions: () => import('./client/conditions.ts'),
  thumbs: () => import('./thumbs/thumbs.ts'),
  asked: () => import('./thumbs/thumbs-survey.ts'),
  own: async () => ({ mount }),
};

/** All of it is at hand, so that what is clicked is kept before anything can take the page away. */
function createOwnButtons(client: Client): OwnButtons {
  const { storage, eligibility, signal } = client;
  /** Tokens of ratings that an earlier page left on their way. */
  const resumed = new Set<string>();
  return {
    rate: (binding, ...given) => ownMessage(client, binding)?.rate(...given),
    withdraw: (binding) => ownMessage(client, binding)?.withdraw(),
    ratingOf(binding) {
      if (!binding?.surveyId) return undefined;
      const kept = findRating(storage, eligibility.markOf({ id: binding.surveyId }), binding);
      // On a server nothing is bound. Elsewhere the message is this person's from now on.
      const message = signal.aborted ? undefined : ownMessage(client, binding);
      if (kept?.open && !resumed.has(kept.binding.showToken)) {
        resumed.add(kept.binding.showToken);
        message?.resume();
      }
      return kept?.rating;
    },
  };
}

/**
 * The client without the widget: the page draws each `ask` itself, and ends it with `answer` or `dismiss`. Who is asked
 * what and when, one survey at a time, delivery and retries are the same. Messages are rated with buttons of the page's own
 * by `rate`, `withdraw` and `ratingOf`.
 *
 * @example
 * const canvass = createCanvass({ key: 'svc_pk_…', baseUrl: 'https://surveys.example.com' });
 * canvass.on('ask', (ask) => myDialog(ask.survey.question, (rating) => ask.answer(rating)));
 */
export function createCanvass<Surveys extends AnySurveys = AnySurveys>(
  options: ClientOptions,
): Canvass<Surveys> {
  return createClient(options, fetchAgain(PARTS), createOwnButtons);
}
