/** See decision 141. */

/** Older surveys count as `apply`. */
export const SURVEY_SOURCES = ['apply', 'console'] as const;
export type SurveySource = (typeof SURVEY_SOURCES)[number];

export interface ChangeNote {
  /** If absent, each survey keeps its source, for example when the command line pauses it. */
  readonly source?: SurveySource | undefined;
  /** A key id, an email address, or `operator`. */
  readonly by: string;
  readonly at: string;
}

export interface SurveyMark extends Required<Pick<ChangeNote, 'by' | 'at'>> {
  readonly source: SurveySource;
  /** The revision of the project's whole set of surveys. */
  readonly revision: number;
}

/** Names fields but contains no texts. */
export interface ChangedSurvey {
  readonly slug: string;
  readonly action: 'created' | 'updated';
  readonly fields: readonly string[];
}

export interface SurveySetChange extends SurveyMark {
  readonly surveys: readonly ChangedSurvey[];
  readonly isReordered: boolean;
}

export const CHANGES_KEPT = 50;
/** Reading the changes takes a read unit each, or five if each changes 49 whole surveys. */
export const CHANGES_SHOWN = 10;
