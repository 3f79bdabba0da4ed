import type { Strings } from '../../../shared/words/strings.ts';
import type { Emitter } from './events.ts';
import type { Follow } from './message-rating.ts';
import type { Binding, SurveyType, Traits } from './survey.ts';

/** Options of every client. */
export interface ClientOptions {
  /** The project's publishable key. */
  readonly key: string;
  /** Address of the service. A `/v1` at its end is ignored. */
  readonly baseUrl: string;
  /** Your id of the person, as text that is not blank. Defaults to a random id of this device. */
  readonly userId?: string | undefined;
  /** Describe the person, for targeting and breakdowns. */
  readonly traits?: Traits | undefined;
  /** Proves the `userId`, if the project requires that (docs/identity.md). */
  readonly userToken?: UserToken | undefined;
  /** BCP 47 tag. Defaults to the page's `lang`, or else the browser's language. */
  readonly locale?: string | undefined;
  /**
   * `false` writes nothing to `localStorage`: there is no device id, and unsent answers are lost with the page. Default
   * `true`.
   */
  readonly storage?: boolean | undefined;
  /** Milliseconds without typing, pointing or scrolling before an `auto` survey appears. Default 2,000. */
  readonly idleMs?: number | undefined;
  /** Logs to the console which surveys are shown or not, and why. Loads one more file. Default `false`. */
  readonly debug?: boolean | undefined;
}

/**
 * A JWT that your server signed for the person, or a function that fetches one. The function is called for each request
 * for surveys, so the token is always fresh, and once more if the service refuses the token.
 */
export type UserToken = string | (() => string | Promise<string>);

/** The client of a page. With the types of your surveys, it accepts only their slugs. */
export interface Canvass<Surveys extends AnySurveys = AnySurveys> {
  /**
   * Identifies the person, or with `null` signs them out. An id that names nobody also signs them out, with an `error`. Traits replace the earlier ones. The token stays until you
   * pass another token or person.
   */
  identify(userId: string | null | undefined, traits?: Traits, userToken?: UserToken): void;
  /**
   * Asks this survey now, if this person may be asked and no other survey is open. An `inline` survey is drawn into the
   * element whose attribute `data-canvass` is the slug.
   */
  show(slug: SlugOf<Surveys>): void;
  /**
   * Opens a survey with `trigger: person`, as a click on an element with the attribute `data-canvass-open` does. The
   * service allows ten answers per person and day. An opener that starts with the attribute `hidden` appears once its
   * survey can be opened.
   *
   * @returns `false` if nobody can be recognized: there is no user, and `storage` is `false`
   */
  open(slug: SlugOf<Surveys>): boolean;
  /**
   * Uses a session-bound token for its survey instead of the service's own. `undefined` does nothing.
   *
   * @param place for a survey of type `thumbs`: the element for its two buttons, such as one under a message. They
   *   show the rating, change it and withdraw it. On the device that rated the message, the ids of the binding are
   *   enough and no token is needed. For your own buttons and a survey of any type, pass a function: it receives the
   *   message's rating, now and after each change, and how to change it.
   */
  bind(binding: Binding | undefined, place?: Element | Follow): void;
  /**
   * Records an event of the page, such as `order-paid`, for surveys that wait for it. It counts for this visit and is
   * not sent.
   *
   * @param event a name that matches `^[a-z][a-z0-9-]{0,63}$`
   */
  track(event: string): void;
  /** Shows an active survey, whether or not the person may be asked. It uses no token and stores nothing. */
  preview(slug: SlugOf<Surveys>): void;
  /** @returns a function that stops listening */
  on: Emitter['on'];
  /** Removes everything from the page. A drafted answer is still sent. */
  destroy(): void;
}

/** Theme and texts of the widget. */
export interface Appearance {
  /** Default `auto`: the page's `color-scheme`. */
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Replaces texts of the widget, which has its own in 21 languages. */
  readonly strings?: Partial<Strings> | undefined;
}

/** Surveys by slug, as `canvass survey types` generates them from a survey file. */
export type AnySurveys = Record<string, { readonly type: SurveyType; readonly reasons: string }>;

/** Codes of the surveys' reasons; any text if the surveys are not typed. */
export type ReasonOf<Surveys extends AnySurveys = AnySurveys> = Surveys[SlugOf<Surveys>]['reasons'];

/** Slugs of the surveys; any text if the surveys are not typed. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;
