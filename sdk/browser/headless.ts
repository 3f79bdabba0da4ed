import { askerOf } from './client/asker.ts';
import { createClient } from './client/client.ts';
import type { OwnButtons } from './client/message-rating.ts';
import { type Client, fetchAgain, type Loaders } from './client/modules.ts';
import type { AnySurveys, Canvass as Asking, ClientOptions } from './client/options.ts';
import { createOutbox } from './client/outbox.ts';
import { mount, ownMessage } from './thumbs/own-buttons.ts';
import { findRating } from './thumbs/ratings.ts';
import { spoken } from './widget/page-language.ts';

export type { AnswerDetail, Ask } from './client/ask.ts';
export type { CanvassError, Events, Reason } from './client/events.ts';
export type { Delivery, MessageRating, RatingDetail, Refusal } from './client/message-rating.ts';
export type { AnySurveys, ClientOptions, SlugOf, UserToken } from './client/options.ts';
export { type Binding, isLowScore, type LocalisedSurvey, type Survey, type Traits } from './client/survey.ts';

/** The client without the widget, with ratings for your own buttons. */
export interface Canvass<Surveys extends AnySurveys = AnySurveys> extends Asking<Surveys>, OwnButtons {}

/** Bundled, because the page draws every ask. */
const asking = async () => ({
  mount: async (client: Client) => askerOf(client, { createOutbox, spoken }),
});

const MODULES: Loaders = {
  widget: asking,
  bare: asking,
  kit: () => import('./client/kit.ts'),
  debug: () => import('./client/debug.ts'),
  refused: () => import('./client/refused.ts'),
  conditions: () => import('./client/conditions.ts'),
  thumbs: () => import('./thumbs/thumbs.ts'),
  asked: () => import('./thumbs/thumbs-survey.ts'),
  own: async () => ({ mount }),
};

/** Clicks must be stored before the page unloads, so this code is not loaded on demand. */
function createOwnButtons(client: Client): OwnButtons {
  const { storage, eligibility, signal, load } = client;
  /** Tokens whose ratings an earlier page did not send. */
  const resumed = new Set<string>();
  return {
    async rate(binding, rating, detail) {
      if (!binding) {
        void load('debug').then(({ notAsked }) => notAsked());
        return { status: 'not-asked' };
      }
      const refused = { status: 'refused', surveyId: binding.surveyId, rating, ...detail, binding } as const;
      return ownMessage(client, binding)?.rate(rating, detail) ?? refused;
    },
    withdraw: (binding) => ownMessage(client, binding)?.withdraw(),
    ratingOf(binding) {
      if (!binding?.surveyId) return undefined;
      const kept = findRating(storage, eligibility.markOf({ id: binding.surveyId }), binding);
      // On a server, nothing is bound. In a browser, this person now owns the message.
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
 * Creates a client without the widget: your page draws each `ask` and ends it with `answer` or `dismiss`. Eligibility,
 * timing, delivery and retries are the same. Rate messages from your own buttons with `rate`, `withdraw` and
 * `ratingOf`.
 *
 * @example
 * const canvass = createCanvass({ key: 'svc_pk_…', baseUrl: 'https://surveys.example.com' });
 * canvass.on('ask', (ask) => myDialog(ask.survey.question, (rating) => ask.answer(rating)));
 */
export function createCanvass<Surveys extends AnySurveys = AnySurveys>(
  options: ClientOptions,
): Canvass<Surveys> {
  return createClient(options, fetchAgain(MODULES), createOwnButtons);
}
