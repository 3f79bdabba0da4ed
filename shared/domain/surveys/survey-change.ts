/** Who changed surveys last, and where (decision 141). */

/** The command line, or a browser; surveys from before this was noted are the command line's. */
export const SURVEY_SOURCES = ['apply', 'console'] as const;
export type SurveySource = (typeof SURVEY_SOURCES)[number];

/** On whose behalf surveys are written. */
export interface ChangeNote {
  /** Absent: each survey keeps the one that it has, as when the command line pauses one. */
  readonly source?: SurveySource | undefined;
  /** A key's id, a person's e-mail, or `operator`. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** What a survey, and the order of all, keep of their last change. */
export interface SurveyMark extends Required<Pick<ChangeNote, 'by' | 'at'>> {
  readonly source: SurveySource;
  /** Of the project's surveys as one set, once this was written. */
  readonly revision: number;
}

/** A survey of a change by its slug, with names of fields and no texts. */
export interface ChangedSurvey {
  readonly slug: string;
  readonly action: 'created' | 'updated';
  readonly fields: readonly string[];
}

export interface SurveySetChange extends SurveyMark {
  readonly surveys: readonly ChangedSurvey[];
  readonly isReordered: boolean;
}

/** The last changes of a project that are kept. */
export const CHANGES_KEPT = 50;
/** Of these, what a page shows: one read unit each, or five where all of them changed 49 surveys whole. */
export const CHANGES_SHOWN = 10;
