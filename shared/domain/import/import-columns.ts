/** Headings are compared in lower case without surrounding spaces. The heading of an answer is its question. */

import { knownQuestions } from '../surveys/questions.ts';
import { hasScale, type Survey, type SurveyContent, type SurveyType } from '../surveys/survey.ts';
import { answerColumn } from './answer-cells.ts';

export const IMPORT_FIELDS = ['email', 'respondent_id', 'rating', 'text', 'at', 'id'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** The chosen heading for a field that the file does not have. */
export const NO_COLUMN = 'none';

export interface ImportColumns extends Readonly<Partial<Record<ImportField, number>>> {
  /** The header of our own export. */
  readonly own?: readonly string[] | undefined;
  /** Columns of answers to questions after the rating, by the question's id. */
  readonly answers?: Readonly<Record<string, number>> | undefined;
  /** The column with all answers in JSON. */
  readonly allAnswers?: number | undefined;
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
 *   and, for the rows below, davemosk/FinSL-signbank, docs/validation_result_model.md.
 * - SurveyMonkey and Typeform: not documented; header lines of exports in public repositories.
 */
const HEADINGS: Readonly<Record<ImportField, string>> = {
  email: `email, email address, e-mail, e-mail address, recipientemail, recipient email, person email, $email,
    person.properties.email, properties.email`,
  respondent_id: `respondent_id, user_id, user id, userid, external_id, external id, externalreference,
    external data reference, distinct_id, distinct id`,
  rating: 'rating, score, nps score, nps, csat, ces, answer, $survey_response, properties.$survey_response',
  text: `text, comment, comments, feedback, feedback text, verbatim, $survey_response_1,
    properties.$survey_response_1`,
  at: `at, submit date (utc), submitted at, submitted_at, recordeddate, recorded date, response date, responded at,
    end date, enddate, created at, created_at, date submitted, date created, timestamp, date`,
  id: 'id, response id, responseid, response_id, respondent id, token, uuid, survey response id, #',
};

/** These name a person only in files without another column for the person. */
const OF_RESPONDENT = ['respondentid', 'respondent id'];
const OF_SURVEYMONKEY = 'collector id';

const QUESTIONS: Readonly<Partial<Record<ImportField, RegExp>>> = {
  rating: /how (?:likely|satisfied|easy)|recommend|how would you feel/,
  text: /\bwhy\b|reason|improve|better|tell us more|anything else/,
};
/** Qualtrics derives this column from the NPS question. */
const NPS_GROUP = /^(.+)_nps_group$/;
/** Qualtrics writes times in the time zone of the account, and names it below their headings. */
const ZONE = /"timeZone":"([^"]+)"/;

type AskedSurvey = Pick<SurveyContent, 'type' | 'question'>;

function headingsOf(field: ImportField, type: SurveyType, asked: string): readonly string[] {
  const known = HEADINGS[field].split(/,\s+/);
  if (type === 'choice' && field === 'rating') return ['choice', ...known, asked];
  if (type === 'open' && field === 'text')
    return ['text', 'answer', '$survey_response', 'properties.$survey_response', asked, ...known];
  return known;
}

function find(
  headings: readonly string[],
  questions: readonly string[],
  field: ImportField,
  { type, question }: AskedSurvey,
): number {
  const asked = question.trim().toLowerCase();
  const isScale = field === 'rating' && hasScale(type);
  const ofNps = headings.map((heading) => NPS_GROUP.exec(heading)?.[1] ?? '').filter(Boolean);
  const names = [...headingsOf(field, type, asked), ...(isScale ? ofNps : [])];
  const named = names.map((name) => headings.indexOf(name)).find((index) => index >= 0);
  if (named !== undefined) return named;
  const isOne = (text: string): boolean =>
    QUESTIONS[field]?.test(text) === true && (field === 'rating' ? isScale : text !== asked);
  const index = headings.findIndex(isOne);
  return index >= 0 ? index : questions.findIndex(isOne);
}

const inLowerCase = (headings: readonly string[]) => headings.map((heading) => heading.trim().toLowerCase());

/** Rows of headings below the first: in Qualtrics' files the questions and a row of JSON, in SurveyMonkey's one row. */
export function headingsBelow(
  header: readonly string[],
  [second = [], third = []]: readonly (readonly string[])[],
) {
  const isQualtrics = third.some((cell) => cell.startsWith('{"ImportId"'));
  const isSurveyMonkey = second[inLowerCase(header).indexOf(OF_SURVEYMONKEY)] === '';
  return {
    rows: isQualtrics ? 2 : Number(isSurveyMonkey),
    questions: isQualtrics ? second : [],
    zones: isQualtrics ? third.map((cell) => ZONE.exec(cell)?.[1]) : [],
  };
}

/**
 * A survey of type `open` has no column for the rating.
 * @param chosen headings that the operator chose; they override detected ones
 * @param questions below the headings; they are examined if no heading is a question
 * @returns the columns, or why they are insufficient
 */
export function importColumns(
  header: readonly string[],
  chosen: Readonly<Partial<Record<ImportField, string>>>,
  survey: Pick<Survey, 'content' | 'questionsEver'>,
  questions: readonly string[] = [],
): ImportColumns | { readonly problem: string } {
  const headings = inLowerCase(header);
  const columns: Partial<Record<ImportField, number>> = {};
  const { content } = survey;
  const asked = new Map(knownQuestions(survey).map((question) => [answerColumn(question), question.id]));
  const others = headings.map((heading) => (asked.has(heading) ? '' : heading));
  const answered = content.type === 'open' ? 'text' : 'rating';
  for (const field of IMPORT_FIELDS) {
    if (field === 'rating' && answered !== field) continue;
    const name = chosen[field]?.trim().toLowerCase();
    if (name === NO_COLUMN && !headings.includes(name)) continue;
    const index =
      name === undefined ? find(others, inLowerCase(questions), field, content) : headings.indexOf(name);
    if (name !== undefined && index < 0) return { problem: `there is no column "${chosen[field]}"` };
    if (index >= 0) columns[field] = index;
  }
  const isPersonNeeded = columns.email === undefined && columns.respondent_id === undefined;
  if (isPersonNeeded && chosen.respondent_id === undefined && !headings.includes(OF_SURVEYMONKEY)) {
    const index = headings.findIndex((heading) => OF_RESPONDENT.includes(heading));
    if (index >= 0) columns.respondent_id = index;
    if (index >= 0 && columns.id === index) delete columns.id;
  }
  const isPersonMissing = columns.email === undefined && columns.respondent_id === undefined;
  if (columns[answered] !== undefined && !isPersonMissing) {
    const answers = headings.flatMap((heading, index) => {
      const id = asked.get(heading);
      return id === undefined ? [] : [[id, index] as const];
    });
    const all = asked.size > 0 ? headings.indexOf('answers') : -1;
    return {
      ...columns,
      ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
      ...(all >= 0 && { allAnswers: all }),
      ...(isOwnExport(header) && { own: header }),
    };
  }
  const [field, is] =
    columns[answered] === undefined ? [answered, `a ${answered}`] : ['email', 'email or respondent_id'];
  const shown = header.slice(0, 30).map((heading) => `"${heading.trim()}"`);
  return {
    problem: `no column is ${is}; name one with --column ${field}=HEADING (there is ${shown.join(', ')})`,
  };
}
