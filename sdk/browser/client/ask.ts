import type { LocalisedSurvey, QuestionAnswers } from './survey.ts';

/** Optional details of an answer. */
export interface AnswerDetail {
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** The person wants to be contacted. */
  readonly followUpRequested?: boolean | undefined;
  /** An address of a person whom the page has not identified; at most 256 bytes. */
  readonly contact?: string | undefined;
  /** Codes of the survey's `reasons`; kept if the rating is low. */
  readonly reasons?: readonly string[] | undefined;
  /** Answers to the survey's `questions`. Those that the rating does not ask are dropped. */
  readonly answers?: QuestionAnswers | undefined;
}

/**
 * One survey shown to one person, until it is answered or dismissed. A show-token stores one submission, so the rating,
 * text and contact request are sent together. Later calls do nothing.
 */
export interface Ask {
  /** The survey, with its texts in the page's language. */
  readonly survey: LocalisedSurvey;
  /** Whether `draft` kept a rating. */
  readonly drafted: boolean;
  /** Whether the page has not identified the person. To be contacted, they must then enter an address. */
  readonly anonymous: boolean;
  /**
   * Reports that the survey was visible for a second. Call it if your page draws the survey. It is sent once per
   * show-token and not retried, and not at all if the project does not record impressions.
   */
  shown(): void;
  /**
   * Keeps a rating that the person may still change. It is sent when the person leaves the page, when you call
   * `dismiss`, or after ten minutes without another call. After a crash, the next page or another tab sends it. Later
   * changes are sent only with `answers`, as a revision.
   */
  draft(rating: number, detail?: AnswerDetail | undefined): void;
  /** Sends the answer and ends the ask. */
  answer(rating: number, detail?: AnswerDetail | undefined): void;
  /** Ends the ask. Sends the draft as the answer if there is one, otherwise a dismissal. */
  dismiss(): void;
}
