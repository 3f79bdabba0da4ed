import type { LocalisedSurvey } from './survey.ts';

/** What may go with a rating. */
export interface AnswerDetail {
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** The person asks to be contacted. */
  readonly followUpRequested?: boolean | undefined;
  /** Where somebody whom the page has not named can be reached, at most 256 bytes. */
  readonly contact?: string | undefined;
  /** Codes of the survey's `reasons`, any number; kept where the rating is low. */
  readonly reasons?: readonly string[] | undefined;
}

/**
 * One survey put to one person, until it is answered or dismissed. A show-token is good for one submission, so rating,
 * text and request to be contacted go out together; calls after the end do nothing.
 */
export interface Ask {
  /** The survey, its texts in the page's language. */
  readonly survey: LocalisedSurvey;
  /** Whether there is a draft. */
  readonly drafted: boolean;
  /** Whether the page has not said who the person is: to be contacted, they must leave an address. */
  readonly anonymous: boolean;
  /**
   * Reports that the survey was on screen for a second: call it then, where the page draws the survey itself. Once for a
   * show-token, however often it is called; not where the project records no shows. It is not tried again.
   */
  shown(): void;
  /**
   * Keeps a rating that the person has chosen while they may still change it or add to it. It is sent as it is when the
   * page is left, when `dismiss` is called, and after ten minutes without another call; what comes later than that is not
   * sent. It outlives a crash of the page: the next page, or another tab, sends it then.
   */
  draft(rating: number, detail?: AnswerDetail | undefined): void;
  /** Sends the answer and ends the ask. */
  answer(rating: number, detail?: AnswerDetail | undefined): void;
  /** Ends the ask: with the draft as the answer if there is one, else as a dismissal. */
  dismiss(): void;
}
