/** Decision 141. */

/** Older surveys count as `apply`. */
export const SURVEY_SOURCES = ['apply', 'console'] as const;
export type SurveySource = (typeof SURVEY_SOURCES)[number];

export interface ChangeNote {
  /** Absent: each keeps its source, as when the command line pauses it. */
  readonly source?: SurveySource | undefined;
  /** A key id, an email address, or `operator`. */
  readonly by: string;
  readonly at: string;
}

export interface SurveyMark extends Required<Pick<ChangeNote, 'by' | 'at'>> {
  readonly source: SurveySource;
  /** The revision of all surveys together. */
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
/** A read unit each, or five if all change 49 whole surveys. */
export const CHANGES_SHOWN = 10;
