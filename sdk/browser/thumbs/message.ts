import type { RatingDetail } from '../client/message-rating.ts';
import type { KeptRating } from '../client/storage.ts';
import type { Binding, Survey } from '../client/survey.ts';

/** A message that this person can rate, with thumbs or the page's own buttons. */
export interface Message {
  /** Includes the token that stores the rating, if there is one. */
  readonly binding: KeptRating['binding'];
  readonly latest: () => KeptRating | undefined;
  /** Whether the token still belongs to the current person. */
  readonly isTheirs: () => boolean;
  /**
   * Stores and delivers a rating; undefined withdraws it.
   *
   * @returns false for another person or an unchanged rating
   */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  /** Delivers what an earlier page had not sent. */
  readonly resume: () => void;
}

export interface Messages {
  /** The listed surveys, fetched once; undefined after an error, which is reported. */
  readonly list: () => Promise<readonly Survey[] | undefined>;
  /** @param owner who was signed in when the page bound it; a person who signs in later keeps an anonymous message */
  readonly messageOf: (survey: Pick<Survey, 'id'>, bound: Binding, owner?: string) => Message;
  /** @param heard called after each change, with the token if it concerns one message; returns `false` to stop */
  readonly hear: (heard: (showToken?: string) => boolean) => void;
}
