import type { SurveyType } from './wire.ts';

/** Surveys by their slugs, as `canvass survey types` writes them of a survey file. */
export type AnySurveys = Record<string, { readonly type: SurveyType; readonly reasons: string }>;

/** Codes of the surveys' reasons; any text where nobody has said which. */
export type ReasonOf<Surveys extends AnySurveys = AnySurveys> = Surveys[SlugOf<Surveys>]['reasons'];

/** Slugs that there are; any text where nobody has said which. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;
