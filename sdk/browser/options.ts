import type { Ask } from './ask.ts';
import type { Emitter } from './events.ts';
import type { openAsk } from './open-ask.ts';
import type { Appearance } from './widget-options.ts';
import type { Session, Traits } from './wire.ts';

export interface ClientOptions {
  /** The project's publishable key. */
  readonly key: string;
  /** Address of the service: where `/v1/…` is. */
  readonly baseUrl: string;
  /** Who the person is to you; without it a random id of this device is used. */
  readonly userId?: string | undefined;
  readonly traits?: Traits | undefined;
  /** BCP 47 tag; default: the page's `lang`, else the browser's language. */
  readonly locale?: string | undefined;
  /**
   * `false` writes nothing to `localStorage`: no device id, nothing to send later; all is forgotten with the page.
   * Default `true`.
   */
  readonly storage?: boolean | undefined;
  /** An `auto` survey waits for a pause this long in typing, pointing and scrolling, milliseconds. Default 2,000. */
  readonly idleMs?: number | undefined;
}

/** A session-bound token as the server minted it, with the values it attests. */
export interface Binding extends Session {
  readonly surveyId: string;
  readonly showToken: string;
  readonly sessionId: string;
  readonly taskType?: string;
}

export interface Canvass {
  /** Says who the person is, or with `null` that nobody is signed in. Traits replace those known before. */
  identify(userId: string | null | undefined, traits?: Traits): void;
  /**
   * Asks this survey now, if this person may be asked it and no other ask is open. An `inline` survey goes into the
   * element whose attribute `data-canvass` is the slug.
   */
  show(slug: string): void;
  /** Takes a session-bound token for its survey, in place of the service's own. */
  bind(binding: Binding): void;
  /** @returns a function that stops listening */
  on: Emitter['on'];
  /** Takes everything away again. A drafted answer is still sent. */
  destroy(): void;
}

/** What is needed only when a survey is about to be shown. */
export interface Kit {
  readonly openAsk: typeof openAsk;
  /**
   * Draws an ask; without it the page does, on `ask`. Returns what it drew: the client removes that when the ask is over
   * before the person says so, and `signal` removes even the thanks.
   */
  readonly present?: (
    ask: Ask,
    into: Element,
    options: ClientOptions & Appearance,
    signal: AbortSignal,
  ) => Element;
}
