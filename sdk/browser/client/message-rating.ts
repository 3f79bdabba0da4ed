import type { Binding } from './survey.ts';

/** Optional details of a message's rating. */
export interface RatingDetail<Reason extends string = string> {
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** Codes of the survey's reasons for a low rating. */
  readonly reasons?: readonly Reason[] | undefined;
}

/** The rating of a message, and how to change it. */
export interface MessageRating<Reason extends string = string> {
  /** The rating that this person chose on this device. Absent if there is none, or if it was withdrawn. */
  readonly rating?: number | undefined;
  /** Whether the service has yet to store the rating. */
  readonly pending: boolean;
  /** Rates the message or replaces its rating. Details that you omit are cleared. */
  readonly rate: (rating: number, detail?: RatingDetail<Reason>) => void;
  /** Withdraws the rating. */
  readonly withdraw: () => void;
}

/** Receives a message's rating. Return `false` to stop. */
export type Follow = (known: MessageRating) => unknown;

export interface OwnButtons {
  /**
   * Rates a message or replaces its rating, on the survey's scale (thumbs: 0 or 1). Details that you omit are cleared.
   */
  rate(binding: Binding, rating: number, detail?: RatingDetail): void;
  /** Withdraws the rating of a message. */
  withdraw(binding: Binding): void;
  /** The rating of the message on this device, also after a reload; absent if not rated. */
  ratingOf(binding: Binding | undefined): number | undefined;
}
