/** Headings are compared in lower case without surrounding spaces. The heading of an answer is its question. */

import { hasScale, type SurveyContent, type SurveyType } from '../surveys/survey.ts';

export const IMPORT_FIELDS = ['email', 'respondent_id', 'rating', 'text', 'at', 'id'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** The chosen heading for a field that the file does not have. */
export const NO_COLUMN = 'none';

export interface ImportColumns extends Readonly<Partial<Record<ImportField, number>>> {
  /** The header of our own export. */
  readonly own?: readonly string[] | undefined;
}

export const isOwnExport = (header: readonly string[]): boolean =>
  ['kind', 'surveyId', 'respondentId', 'rating'].every((name) => header.includes(name));

/**
 * Headings by field, the most specific ones first. SurveyMonkey's Respondent ID identifies a response. Sources:
 *
 * - Canvass: `results export`.
 * - Delighted: not documented; the fields of https://delighted.com/docs/api/listing-survey-responses in words.
 * - Formbricks: `getResponsesJson` in formbricks/formbricks, apps/web/lib/response/utils.ts.
 * - Hotjar: no documentation found; `Date Submitted` is unverified.
 * - PostHog: https://posthog.com/docs/surveys/events.
 * - Qualtrics: https://www.qualtrics.com/support/survey-platform/data-and-analysis-module/data/download-data/understanding-your-dataset/
 * - SurveyMonkey and Typeform: not documented; header lines of exports in public repositories.
 */
const HEADINGS: Readonly<Record<ImportField, readonly string[]>> = {
  email: [
    'email',
    'email address',
    'e-mail',
    'e-mail address',
    'recipientemail',
    'recipient email',
    'person email',
    '$email',
    'person.properties.email',
    'properties.email',
  ],
  respondent_id: [
    'respondent_id',
    'user_id',
    'user id',
    'userid',
    'external_id',
    'external id',
    'externalreference',
    'external data reference',
    'distinct_id',
    'distinct id',
  ],
  rating: [
    'rating',
    'score',
    'nps score',
    'nps',
    'csat',
    'ces',
    'answer',
    '$survey_response',
    'properties.$survey_response',
  ],
  text: [
    'text',
    'comment',
    'comments',
    'feedback',
    'feedback text',
    'verbatim',
    '$survey_response_1',
    'properties.$survey_response_1',
  ],
  at: [
    'at',
    'submit date (utc)',
    'submitted at',
    'submitted_at',
    'recordeddate',
    'recorded date',
    'response date',
    'responded at',
    'end date',
    'enddate',
    'created at',
    'created_at',
    'date submitted',
    'date created',
    'timestamp',
    'date',
  ],
  id: [
    'id',
    'response id',
    'responseid',
    'response_id',
    'respondent id',
    'token',
    'uuid',
    'survey response id',
    '#',
  ],
};

/** These name a person only in files without another column for the person. */
const OF_RESPONDENT = ['respondentid', 'respondent id'];
const OF_SURVEYMONKEY = 'collector id';

const RATING_QUESTION = /how (?:likely|satisfied|easy)|recommend|how would you feel/;
const TEXT_QUESTION = /\bwhy\b|reason|improve|better|tell us more|anything else/;
/** Qualtrics derives this column from the NPS question. */
const NPS_GROUP = /^(.+)_nps_group$/;

export interface ColumnProblem {
  readonly problem: string;
}

type AskedSurvey = Pick<SurveyContent, 'type' | 'question'>;

function headingsOf(field: ImportField, type: SurveyType, asked: string): readonly string[] {
  if (type === 'choice' && field === 'rating') return ['choice', ...HEADINGS.rating, asked];
  if (type === 'open' && field === 'text')
    return ['text', 'answer', '$survey_response', 'properties.$survey_response', asked, ...HEADINGS.text];
  return HEADINGS[field];
}

function find(headings: readonly string[], field: ImportField, { type, question }: AskedSurvey): number {
  const asked = question.trim().toLowerCase();
  for (const name of headingsOf(field, type, asked)) {
    const index = headings.indexOf(name);
    if (index >= 0) return index;
  }
  if (field === 'rating' && hasScale(type)) {
    const question = headings
      .map((heading) => NPS_GROUP.exec(heading)?.[1])
      .find((name) => name !== undefined);
    const named = question === undefined ? -1 : headings.indexOf(question);
    return named >= 0 ? named : headings.findIndex((heading) => RATING_QUESTION.test(heading));
  }
  const isText = (heading: string): boolean => TEXT_QUESTION.test(heading) && heading !== asked;
  return field === 'text' ? headings.findIndex(isText) : -1;
}

/**
 * A survey of type `open` has no column for the rating.
 * @param chosen headings that the operator chose; they override detected ones
 * @returns the columns, or why they are insufficient
 */
export function importColumns(
  header: readonly string[],
  chosen: Readonly<Partial<Record<ImportField, string>>>,
  survey: AskedSurvey,
): ImportColumns | ColumnProblem {
  const headings = header.map((heading) => heading.trim().toLowerCase());
  const columns: Partial<Record<ImportField, number>> = {};
  const answered = survey.type === 'open' ? 'text' : 'rating';
  for (const field of IMPORT_FIELDS) {
    if (field === 'rating' && answered !== field) continue;
    const name = chosen[field]?.trim().toLowerCase();
    if (name === NO_COLUMN && !headings.includes(name)) continue;
    const index = name === undefined ? find(headings, field, survey) : headings.indexOf(name);
    if (name !== undefined && index < 0) return { problem: `there is no column "${chosen[field]}"` };
    if (index >= 0) columns[field] = index;
  }
  const isPersonNeeded = columns.email === undefined && columns.respondent_id === undefined;
  if (isPersonNeeded && chosen.respondent_id === undefined && !headings.includes(OF_SURVEYMONKEY)) {
    const index = headings.findIndex((heading) => OF_RESPONDENT.includes(heading));
    if (index >= 0) columns.respondent_id = index;
    if (index >= 0 && columns.id === index) delete columns.id;
  }
  const shown = header
    .slice(0, 30)
    .map((heading) => `"${heading.trim()}"`)
    .join(', ');
  if (columns[answered] === undefined) {
    return {
      problem: `no column is a ${answered}; name one with --column ${answered}=HEADING (there is ${shown})`,
    };
  }
  if (columns.email === undefined && columns.respondent_id === undefined) {
    return {
      problem: `no column is email or respondent_id; name one with --column email=HEADING (there is ${shown})`,
    };
  }
  return isOwnExport(header) ? { ...columns, own: header } : columns;
}
