/** Records of survey changes (decision 141). */

/** Surveys older than this record count as `apply`. */
export const SURVEY_SOURCES = ['apply', 'console'] as const;
export type SurveySource = (typeof SURVEY_SOURCES)[number];

export interface ChangeNote {
  /** If absent, each survey keeps its source, as when the command line pauses it. */
  readonly source?: SurveySource | undefined;
  /** A key id, an email address, or `operator`. */
  readonly by: string;
  readonly at: string;
}

/** The last change of a survey, or of the order. */
export interface SurveyMark extends Required<Pick<ChangeNote, 'by' | 'at'>> {
  readonly source: SurveySource;
  /** Revision of the project's surveys as a set after this change. */
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

/** Changes kept per project. */
export const CHANGES_KEPT = 50;
/** Changes on a page: one read unit each, or five if all of them changed 49 whole surveys. */
export const CHANGES_SHOWN = 10;
