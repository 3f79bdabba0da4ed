import type { Ask } from './ask.ts';
import type { RatingDetail, Refusal } from './message-rating.ts';
import type { Binding, LocalisedSurvey } from './survey.ts';

/** Events of a client, by name. */
export interface Events {
  /** A survey is being asked. Without the widget, draw it now. */
  readonly ask: Ask;
  /** The widget has drawn the survey. Without the widget, listen to `ask` instead. */
  readonly shown: { readonly survey: LocalisedSurvey };
  /** A survey that `show` named, or an `auto` survey, is not on screen now. */
  readonly notshown: NotShown;
  /**
   * The person answered. Delivery continues in the background; an answer that cannot be delivered is reported as
   * `error`.
   */
  readonly answered: Ended;
  /** The person rated a message with your own buttons. */
  readonly rated: Rated;
  /** The person withdrew the rating of a message. */
  readonly withdrawn: Withdrawn;
  /** The person dismissed the survey. */
  readonly dismissed: Ended;
  /** The service refused an answer of this person for good. An `error` reports it as well, without the person's words. */
  readonly refused: Refusal;
  /** Something failed. Nothing was shown or thrown. */
  readonly error: CanvassError;
}

/**
 * Why a survey is not on screen:
 *
 * - `unknown-slug`: no active survey has that slug
 * - `suppressed`: the person has answered or dismissed it
 * - `no-token`: the service does not allow this person to be asked now (quiet period, cap, maximum), or the survey
 *   needs `bind`, or the project requires a `userToken`
 * - `targeting`: the person's traits do not match
 * - `sampled-out`: the person is not in the sample
 * - `page`: the survey is not meant for this page
 * - `no-place`: the page has no element for this inline survey
 * - `other-open`: another survey is on screen
 * - `not-thumbs`: it was bound to an element of the page, but its type is not `thumbs`
 * - `not-due`: it waits for its event, its delay, a pause in input, the end of a modal dialog, or its turn
 */
export type Reason =
  | 'unknown-slug'
  | 'suppressed'
  | 'no-token'
  | 'targeting'
  | 'sampled-out'
  | 'page'
  | 'no-place'
  | 'other-open'
  | 'not-thumbs'
  | 'not-due';

/** A survey that is not on screen, and why. */
export interface NotShown {
  /** Slug of the survey. */
  readonly slug: string;
  /** Why it is not on screen. */
  readonly reason: Reason;
}

/** How an ask ended. */
export interface Ended {
  /** The survey, with its texts in the page's language. */
  readonly survey: LocalisedSurvey;
  /** Absent if the survey was dismissed. */
  readonly rating?: number;
  /** The rated message, for thumbs. */
  readonly binding?: Binding;
}

/** A rating of a message from your own buttons. */
export interface Rated extends RatingDetail {
  /** On the survey's scale; thumbs: 0 or 1. */
  readonly rating: number;
  /** The rated message. */
  readonly binding: Binding;
}

/** A withdrawn rating of a message. */
export interface Withdrawn {
  /** Undefined if your own buttons withdrew it and the service does not list the survey or cannot be reached. */
  readonly survey: LocalisedSurvey | undefined;
  /** Always absent. */
  readonly rating?: undefined;
  /** The message. */
  readonly binding: Binding;
}

/** A failure of the service, the network or the page. */
export interface CanvassError {
  /** HTTP status; 0 if no reply arrived. */
  readonly status?: number;
  /** The service's error code (docs/contract.md §4). A reply without one may come from a proxy. */
  readonly code?: string | undefined;
  /**
   * For `token_mismatch`: the session fields that came without a value, though the token may attest one. Without a
   * status: what a binding lacks.
   */
  readonly missing?: readonly string[] | undefined;
  /** The error thrown by the network, the page's token function or a bug, or while parsing a reply. */
  readonly cause?: unknown;
}

/** Reports events. */
export interface Emitter<Told = Events> {
  /** @returns a function that stops listening */
  readonly on: <E extends keyof Told>(event: E, listener: (detail: Told[E]) => void) => () => void;
  /** In a task per listener, so that errors in one do not affect the client. */
  readonly emit: <E extends keyof Told>(event: E, detail: Told[E]) => void;
}

export function createEmitter<Told extends Events = Events>(): Emitter<Told> {
  const listeners = new Set<(event: keyof Told, detail: never) => void>();
  return {
    on(event, listener) {
      const hear = (told: keyof Told, detail: never) => told === event && listener(detail);
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    emit(event, detail) {
      for (const hear of listeners) queueMicrotask(() => hear(event, detail as never));
    },
  };
}
