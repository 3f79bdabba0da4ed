import type { Strings } from '../../../shared/words/strings.ts';
import type { Emitter } from './events.ts';
import type { Follow } from './message-rating.ts';
import type { Binding, SurveyType, Traits } from './survey.ts';

/** What every client is made with. */
export interface ClientOptions {
  /** The project's publishable key. */
  readonly key: string;
  /** Address of the service: where `/v1/…` is. */
  readonly baseUrl: string;
  /** Who the person is to you; without it a random id of this device is used. */
  readonly userId?: string | undefined;
  readonly traits?: Traits | undefined;
  /** Proves the `userId`, where the project requires that (docs/identity.md). */
  readonly userToken?: UserToken | undefined;
  /** BCP 47 tag; default: the page's `lang`, else the browser's language. */
  readonly locale?: string | undefined;
  /**
   * `false` writes nothing to `localStorage`: no device id, nothing to send later; all is forgotten with the page.
   * Default `true`.
   */
  readonly storage?: boolean | undefined;
  /** An `auto` survey waits for a pause this long in typing, pointing and scrolling, milliseconds. Default 2,000. */
  readonly idleMs?: number | undefined;
  /** Logs to the console what is asked, what is not, and why. Loads a further file. Default `false`. */
  readonly debug?: boolean | undefined;
}

/**
 * A JWT that your server signed for the person, or a function that fetches one: it is called each time the service is
 * asked what may be asked, so the token is always fresh, and once more when the service refuses what it gave.
 */
export type UserToken = string | (() => string | Promise<string>);

/** The client of a page; with the types of its surveys it takes their slugs alone. */
export interface Canvass<Surveys extends AnySurveys = AnySurveys> {
  /**
   * Says who the person is, or with `null` that nobody is signed in. Traits replace those known before; the token stays
   * until there is another one or another person.
   */
  identify(userId: string | null | undefined, traits?: Traits, userToken?: UserToken): void;
  /**
   * Asks this survey now, if this person may be asked it and no other survey is open. An `inline` survey goes into the
   * element whose attribute `data-canvass` is the slug.
   */
  show(slug: SlugOf<Surveys>): void;
  /**
   * Takes a session-bound token for its survey, in place of the service's own. `undefined` does nothing.
   *
   * @param place of a survey of type `thumbs`: the element of the page that its two buttons go into, such as one under a
   *   message. They show what was chosen, change it and take it back. On the device that rated it, a message needs no
   *   token for that: the ids of its binding are enough. Or, for buttons of the page's own and a survey of any type, a
   *   function: it is told what is known of the message's rating, now and at each change, and how to change it.
   */
  bind(binding: Binding | undefined, place?: Element | Follow): void;
  /**
   * Says that something has happened in the page, such as `order-paid`: counted for the visit, so that surveys wait for it.
   * Nothing is sent.
   *
   * @param event a name of `^[a-z][a-z0-9-]{0,63}$`
   */
  track(event: string): void;
  /** Shows an active survey, whether the person may be asked or not. No token is used and nothing is stored. */
  preview(slug: SlugOf<Surveys>): void;
  /** @returns a function that stops listening */
  on: Emitter['on'];
  /** Takes everything away again. A drafted answer is still sent. */
  destroy(): void;
}

/** How the widget looks, and what it says. */
export interface Appearance {
  /** Default `auto`: the `color-scheme` of the page. */
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Words in place of the widget's own, which it has in 21 languages. */
  readonly strings?: Partial<Strings> | undefined;
}

/** Surveys by their slugs, as `canvass survey types` writes them of a survey file. */
export type AnySurveys = Record<string, { readonly type: SurveyType; readonly reasons: string }>;

/** Codes of the surveys' reasons; any text where nobody has said which. */
export type ReasonOf<Surveys extends AnySurveys = AnySurveys> = Surveys[SlugOf<Surveys>]['reasons'];

/** Slugs that there are; any text where nobody has said which. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;
