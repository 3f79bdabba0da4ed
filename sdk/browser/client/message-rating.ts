import type { Binding, QuestionAnswers } from './survey.ts';

/** Optional details of a message's rating. */
export interface RatingDetail<Reason extends string = string> {
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** Codes of the survey's reasons for a low rating. */
  readonly reasons?: readonly Reason[] | undefined;
  /** Answers to the survey's questions. Thumbs have none. */
  readonly answers?: QuestionAnswers | undefined;
}

/** An answer that is not stored and will not be sent again, with the person's words, so that your page can keep them. */
export interface Refusal {
  /** Id of the survey. */
  readonly surveyId: string;
  /** Absent for a withdrawal. */
  readonly rating?: number | undefined;
  /** The person's text. */
  readonly text?: string | undefined;
  /** Codes of the reasons that the person chose. */
  readonly reasons?: readonly string[] | undefined;
  /** Answers to the questions after the rating. */
  readonly answers?: QuestionAnswers | undefined;
  /** The rated message, without the slug if the service refused it. Absent for a survey. */
  readonly binding?: { readonly [Field in keyof Binding]?: Binding[Field] | undefined } | undefined;
  /** The service's error code. Absent if the service did not send one, or was not asked. */
  readonly code?: string | undefined;
  /**
   * Tells the person, in the page's language. Absent if the client itself did not take the rating: the binding is
   * incomplete or belongs to another person, or the client has ended.
   */
  readonly sentence?: string | undefined;
}

/**
 * What became of a rating. `waiting`: it is kept on this device and sent again later; the event `refused` reports if the
 * service then refuses it. `not-asked`: there is no binding, because the person may not be asked. If a later choice
 * replaces a rating before it is sent, this is about the later one.
 */
export type Delivery =
  | { readonly status: 'stored' | 'waiting' | 'not-asked' }
  | (Refusal & { readonly status: 'refused' });

/** The rating of a message, and how to change it. */
export interface MessageRating<Reason extends string = string> {
  /** The rating that this person chose on this device. Absent if there is none, or if it was withdrawn. */
  readonly rating?: number | undefined;
  /** Whether the service has yet to store the rating. */
  readonly pending: boolean;
  /**
   * Rates the message or replaces its rating. Details that you omit are cleared. The promise tells what became of the
   * rating after the first attempt to store it, and never rejects.
   */
  readonly rate: (rating: number, detail?: RatingDetail<Reason>) => Promise<Delivery>;
  /** Withdraws the rating. */
  readonly withdraw: () => void;
}

/** Receives a message's rating. Return `false` to stop. */
export type Follow = (known: MessageRating) => unknown;

/** Ratings of messages from your own buttons. */
export interface OwnButtons {
  /**
   * Rates a message or replaces its rating, on the survey's scale (thumbs: 0 or 1). Details that you omit are cleared.
   * The rating is kept on this device before the call returns. The promise tells what became of it after the first
   * attempt to store it. Without a binding, it is `not-asked`, and the console warns once.
   */
  rate(binding: Binding | undefined, rating: number, detail?: RatingDetail): Promise<Delivery>;
  /** Withdraws the rating of a message. */
  withdraw(binding: Binding): void;
  /** The rating of the message on this device, also after a reload; absent if not rated. */
  ratingOf(binding: Binding | undefined): number | undefined;
}
