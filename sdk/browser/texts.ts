import type { Survey, SurveyReason } from './wire.ts';

/** A survey with its texts in the page's language. */
export type LocalisedSurvey = Omit<Survey, 'reasons'> & {
  /** Their labels in that language, too. */
  readonly reasons?: SurveyReason[] | undefined;
  /** The key of `locales` whose texts are used; absent when they are the survey's own. */
  readonly language?: string;
};
