import { askingOf } from './asking.ts';
import { createClient } from './client.ts';
import { fetchAgain } from './fetch-again.ts';
import type { OwnButtons } from './message-rating.ts';
import type { Canvass as Client, ClientOptions } from './options.ts';
import { createOutbox } from './outbox.ts';
import { createOwnButtons } from './own-buttons.ts';
import type { Loaders, Client as Page } from './parts.ts';
import { spoken } from './spoken.ts';
import { mount } from './thumbs/own.ts';
import type { AnySurveys } from './typed-surveys.ts';

export type { AnswerDetail, Ask } from './ask.ts';
export type { CanvassError, Events, Reason } from './events.ts';
export { isLowScore } from './low-score.ts';
export type { MessageRating, RatingDetail } from './message-rating.ts';
export type { ClientOptions, UserToken } from './options.ts';
export type { LocalisedSurvey } from './texts.ts';
export type { AnySurveys, SlugOf } from './typed-surveys.ts';
export type { Binding, Survey, Traits } from './wire.ts';

/** The client, with ratings by buttons of the page's own. */
export interface Canvass<Surveys extends AnySurveys = AnySurveys> extends Client<Surveys>, OwnButtons {}

/** The page draws what is asked, so all of it is here. */
const asking = async () => ({
  createAsking: async (client: Page) => askingOf(client, { createOutbox, spoken }),
});

const PARTS: Loaders = {
  widget: asking,
  bare: asking,
  kit: () => import('./kit.ts'),
  debug: () => import('./debug.ts'),
  conditions: () => import('./conditions.ts'),
  thumbs: () => import('./thumbs/thumbs.ts'),
  asked: () => import('./thumbs/asked.ts'),
  own: async () => ({ mount }),
};

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
