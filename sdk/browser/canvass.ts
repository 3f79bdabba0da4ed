import { createClient } from './client/client.ts';
import { fetchAgain, type Loaders } from './client/modules.ts';
import type { AnySurveys, Appearance, Canvass, ClientOptions } from './client/options.ts';

export type { Strings } from '../../shared/words/strings.ts';
export type { AnswerDetail, Ask } from './client/ask.ts';
export type { CanvassError, Events, Reason } from './client/events.ts';
export type { Delivery, MessageRating, RatingDetail, Refusal } from './client/message-rating.ts';
export type {
  AnySurveys,
  Appearance,
  Canvass,
  ClientOptions,
  ReasonOf,
  SlugOf,
  UserToken,
} from './client/options.ts';
export type { Binding, LocalisedSurvey, Survey, Traits } from './client/survey.ts';

/** Options of the client with the widget. */
export type CanvassOptions = ClientOptions & Appearance;

const MODULES: Loaders = {
  widget: () => import('./widget/widget.ts'),
  bare: () => import('./widget/bare.ts'),
  kit: () => import('./client/kit.ts'),
  debug: () => import('./client/debug.ts'),
  refused: () => import('./client/refused.ts'),
  conditions: () => import('./client/conditions.ts'),
  thumbs: () => import('./thumbs/thumbs.ts'),
  asked: () => import('./thumbs/thumbs-survey.ts'),
  own: () => import('./thumbs/own-buttons.ts'),
};

/**
 * Creates the client with the widget. It loads the widget when a survey is about to be shown for the first time.
 *
 * @example
 * const canvass = createCanvass({ key: 'svc_pk_…', baseUrl: 'https://surveys.example.com', userId: 'u-42' });
 * canvass.show('after-checkout');
 */
export function createCanvass<Surveys extends AnySurveys = AnySurveys>(
  options: CanvassOptions,
): Canvass<Surveys> {
  return createClient(options, fetchAgain(MODULES));
}
