import type { Ask } from './ask.ts';
import type { RatingDetail } from './message-rating.ts';
import type { Binding, LocalisedSurvey } from './survey.ts';

/** What a client tells, by the name of the event. */
export interface Events {
  /** A survey is being asked: draw it (own interface) or know that the widget shows it. */
  readonly ask: Ask;
  /** The widget has drawn the survey. With an own interface the page draws it, on `ask`. */
  readonly shown: { readonly survey: LocalisedSurvey };
  /** A survey that `show` named, or one that asks by itself, is not on screen now. */
  readonly notshown: NotShown;
  /** The person answered. Delivery goes on behind this; what can never be delivered comes as `error`. */
  readonly answered: Ended;
  /** The person rated a message with buttons of the page's own. */
  readonly rated: Rated;
  /** The person took the rating of a message back. */
  readonly withdrawn: Withdrawn;
  /** The person dismissed the survey. */
  readonly dismissed: Ended;
  /** Something failed. Nothing was shown and nothing thrown because of it. */
  readonly error: CanvassError;
}

/**
 * Why a survey is not on screen:
 *
 * - `unknown-slug`: the service lists no active survey of that name
 * - `suppressed`: the person has answered or dismissed it
 * - `no-token`: the service lets this person not be asked now (quiet period, cap, maximum), or the survey needs `bind`,
 *   or the project a `userToken`
 * - `targeting`: the person's traits do not fit
 * - `sampled-out`: the person is not in the sample
 * - `page`: the address is none of its pages
 * - `no-place`: the page has no element for this inline survey
 * - `other-open`: another survey is on screen
 * - `not-thumbs`: it was bound to an element of the page, which only a survey of type `thumbs` can be
 * - `not-due`: it waits for its event, its delay, a pause in input, the end of a modal dialog, and its turn
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
  readonly slug: string;
  readonly reason: Reason;
}

/** What became of an ask. */
export interface Ended {
  readonly survey: LocalisedSurvey;
  /** Absent when the survey was dismissed. */
  readonly rating?: number;
  /** Of thumbs: which message. */
  readonly binding?: Binding;
}

export interface Rated extends RatingDetail {
  readonly rating: number;
  /** Which message. */
  readonly binding: Binding;
}

export interface Withdrawn {
  /** Undefined where buttons of the page's own took it back, and the service cannot be asked or lists it no more. */
  readonly survey: LocalisedSurvey | undefined;
  readonly rating?: undefined;
  /** Which message. */
  readonly binding: Binding;
}

/** What failed: at the service, on the way there, or in the page. */
export interface CanvassError {
  /** HTTP status; 0 when no reply came. */
  readonly status?: number;
  /** The service's error code (docs/contract.md §4); absent where the reply has none, so may be of something in between. */
  readonly code?: string | undefined;
  /**
   * Of `token_mismatch`: the session fields that came without a value, though the token may attest one. Without a status:
   * what a binding lacks.
   */
  readonly missing?: readonly string[] | undefined;
  /** What was thrown: by the network, by a reply that is no JSON, by the page's token function, or by a fault. */
  readonly cause?: unknown;
}

/** Who listens, and who tells. */
export interface Emitter<Told = Events> {
  /** @returns a function that stops listening */
  readonly on: <E extends keyof Told>(event: E, listener: (detail: Told[E]) => void) => () => void;
  /** Tells the listeners soon: each as a task of its own, so that what one throws stops nothing here. */
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
