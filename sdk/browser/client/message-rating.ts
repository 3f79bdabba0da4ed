import type { Binding } from './survey.ts';

/** What a rating of a message may bring. */
export interface RatingDetail<Reason extends string = string> {
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** Codes of the survey's reasons, of a low rating. */
  readonly reasons?: readonly Reason[] | undefined;
}

/** What is known of a message's rating, and how to change it. */
export interface MessageRating<Reason extends string = string> {
  /** What this person chose, on this device; absent where nothing, or where it was taken back. */
  readonly rating?: number | undefined;
  /** Whether the service has yet to take it. */
  readonly pending: boolean;
  /** Rates the message, or changes what it was rated; what is left out is cleared. */
  readonly rate: (rating: number, detail?: RatingDetail<Reason>) => void;
  /** Takes the rating back. */
  readonly withdraw: () => void;
}

/** Told of a message's rating; `false` ends that. */
export type Follow = (known: MessageRating) => unknown;

export interface OwnButtons {
  /** Rates a message, or changes what it was rated: on the survey's scale, of thumbs 0 or 1. Another call replaces all. */
  rate(binding: Binding, rating: number, detail?: RatingDetail): void;
  /** Takes the rating of a message back. */
  withdraw(binding: Binding): void;
  /** What this person rated the message on this device, known at once and after a reload; absent where they did not. */
  ratingOf(binding: Binding | undefined): number | undefined;
}
