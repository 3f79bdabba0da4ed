import type { RatingDetail } from '../client/message-rating.ts';
import type { KeptRating } from '../client/storage.ts';
import type { Binding, Survey } from '../client/survey.ts';

/** A message that this person can rate: thumbs and buttons of the page's own are made of it. */
export interface Message {
  /** With the token that stores the rating, where there is one. */
  readonly binding: KeptRating['binding'];
  /** What is kept of its rating. */
  readonly latest: () => KeptRating | undefined;
  /** Whether the person is still the one whom the token was made for, as far as the page has said. */
  readonly isTheirs: () => boolean;
  /**
   * Keeps and delivers what the person says now; no rating: it is taken back.
   *
   * @returns whether it was said: not by another person, and not the same again
   */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  /** Delivers what an earlier page knew and had not sent. */
  readonly resume: () => void;
}

/** The messages of a page. */
export interface Messages {
  /** The surveys that the service lists, asked for once; undefined where they cannot be had, which is told. */
  readonly list: () => Promise<readonly Survey[] | undefined>;
  /** @param owner who was signed in when the page bound it; somebody who signs in where nobody was has it still */
  readonly messageOf: (survey: Pick<Survey, 'id'>, bound: Binding, owner?: string) => Message;
  /**
   * @param heard told whenever a rating is another one, of the message with this token or of any; `false`: nobody is there
   *   any more
   */
  readonly hear: (heard: (showToken?: string) => boolean) => void;
}
