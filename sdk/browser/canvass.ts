import { createClient } from './client.ts';
import { fetchAgain } from './fetch-again.ts';
import type { Canvass, ClientOptions } from './options.ts';
import type { Loaders } from './parts.ts';
import type { AnySurveys } from './typed-surveys.ts';
import type { Appearance } from './widget-options.ts';

export type { Strings } from '../../shared/words/strings.ts';
export type { AnswerDetail, Ask } from './ask.ts';
export type { CanvassError, Events, Reason } from './events.ts';
export type { MessageRating, RatingDetail } from './message-rating.ts';
export type { Canvass, ClientOptions, UserToken } from './options.ts';
export type { LocalisedSurvey } from './texts.ts';
export type { AnySurveys, ReasonOf, SlugOf } from './typed-surveys.ts';
export type { Appearance } from './widget-options.ts';
export type { Binding, Survey, Traits } from './wire.ts';

/** What a client with the widget is made with. */
export type CanvassOptions = ClientOptions & Appearance;

const PARTS: Loaders = {
  widget: () => import('./widget.ts'),
  bare: () => import('./bare.ts'),
  kit: () => import('./kit.ts'),
  debug: () => import('./debug.ts'),
  conditions: () => import('./conditions.ts'),
  thumbs: () => import('./thumbs/thumbs.ts'),
  asked: () => import('./thumbs/asked.ts'),
  own: () => import('./thumbs/own.ts'),
};

/**
 * The client with the widget, which is fetched when a survey is first about to be shown.
 *
 * @example
 * const canvass = createCanvass({ key: 'svc_pk_…', baseUrl: 'https://surveys.example.com', userId: 'u-42' });
 * canvass.show('after-checkout');
 */
export function createCanvass<Surveys extends AnySurveys = AnySurveys>(
  options: CanvassOptions,
): Canvass<Surveys> {
  return createClient(options, fetchAgain(PARTS));
}
