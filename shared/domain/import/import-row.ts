import { type GivenAnswer, MODEL_REQUESTED, TEXT_CHARACTERS } from '../answers/answer.ts';
import { HOUR, MINUTE } from '../duration.ts';
import { chooseAnswers, knownQuestions } from '../surveys/questions.ts';
import { isOnScale, knownChoices, type Survey, type SurveyType, scaleOf } from '../surveys/survey.ts';
import { answerInCell } from './answer-cells.ts';
import type { ImportColumns, ImportField } from './import-columns.ts';

export type DateOrder = 'mdy' | 'dmy';

export interface ImportedRow {
  /** A row has at least one of these. If it has both, they identify the same person. */
  readonly respondentId?: string | undefined;
  readonly email?: string | undefined;
  readonly rating: number;
  readonly text?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
  readonly id?: string | undefined;
  readonly answers?: readonly GivenAnswer[] | undefined;
  /** Paths of answers that do not fit the survey. */
  readonly dropped?: readonly string[] | undefined;
}

export interface RowProblem {
  readonly problem: string;
}

type AnsweredSurvey = Pick<Survey, 'content' | 'choicesEver' | 'questionsEver'>;

interface RowRules {
  readonly survey: AnsweredSurvey;
  readonly dateOrder?: DateOrder | undefined;
  /** As in `parseTime`. */
  readonly inUtc?: ReturnType<typeof clockOf> | undefined;
  /** Later answers are refused. */
  readonly now: number;
}

const IDENTIFIER_BYTES = 256;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$/;
const UNIX_MILLISECONDS = /^\d{12,13}$/;
const ZONE = /Z|UTC|[+-]\d\d(?::?\d\d)?|GMT(?:[+-]\d{1,2}(?::\d\d)?)?/.source;
const ISO = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)(?:[T ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)\\s?(${ZONE})?)?$`,
  'i',
);
const OFFSET = /([+-])(\d{1,2}):?(\d\d)?$/;
const NUMERIC = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap]m)?)?$/i;

function isoTime([, date = '', time = '00:00', zone = 'Z']: RegExpExecArray): number {
  const [, sign = '+', hours = '0', minutes = '00'] = OFFSET.exec(zone) ?? [];
  const offset = `${sign}${hours.padStart(2, '0')}:${minutes}`;
  // Formbricks writes midnight as 24:00, at least until 2026 (`hour12: false`).
  const clock = time.replace(/^24/, '00');
  const midnight = Date.parse(`${date}T00:00Z`);
  // `Date.parse` turns February 30 into a day of March.
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return isReal ? Date.parse(`${date}T${clock}${offset}`) : Number.NaN;
}

function numericTime(match: RegExpExecArray, order: DateOrder): number {
  const [, first = '', second = '', year = '', hour = '0', minute = '0', seconds = '0', half] = match;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  const isAfternoon = half?.toLowerCase() === 'pm';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  const [m, d] = [Number(month), Number(day)];
  const time = Date.UTC(Number(year), m - 1, d, hours, Number(minute), Number(seconds));
  const isReal = new Date(time).getUTCDate() === d && m >= 1 && m <= 12 && hours < 24;
  return isReal ? time : Number.NaN;
}

/**
 * @param zone its name in the IANA database
 * @returns a function that turns a time of the zone's clocks, given as if it were UTC, into UTC
 * @throws RangeError if there is no such zone
 */
export function clockOf(zone: string): (time: number) => number {
  const named = { timeZone: zone === 'Z' ? 'UTC' : zone, timeZoneName: 'longOffset' } as const;
  const format = new Intl.DateTimeFormat('en', named);
  function offsetAt(time: number): number {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = OFFSET.exec(name) ?? [];
    return Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  }
  return (time) => (Number.isNaN(time) ? time : time - offsetAt(time - offsetAt(time)));
}

/**
 * Accepts ISO 8601, a zone such as `GMT+8`, Unix time in seconds or milliseconds, or a date with day, month and year in
 * the given order.
 * @param inUtc of a time without a zone; by default, it is UTC
 * @returns NaN for anything else
 */
export function parseTime(text: string, dateOrder?: DateOrder, inUtc = (time: number) => time): number {
  if (UNIX_SECONDS.test(text)) return Math.floor(Number(text) * 1_000);
  if (UNIX_MILLISECONDS.test(text)) return Number(text);
  const iso = ISO.exec(text);
  if (iso !== null) return iso[3] === undefined ? inUtc(isoTime(iso)) : isoTime(iso);
  const numeric = NUMERIC.exec(text);
  return numeric === null || dateOrder === undefined ? Number.NaN : inUtc(numericTime(numeric, dateOrder));
}

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const LOOSE_DATE =
  /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}|\d{1,2}\/\d{1,2}\/\d\d)(?:[T ,].*)?$/;

/** True also for forms that `parseTime` refuses, such as `Sat Jun 15 2024`. False for Unix time. */
export const looksLikeTime = (text: string): boolean =>
  LOOSE_DATE.test(text) || (text.length <= 40 && MONTH.test(text) && /\b\d{4}\b/.test(text));

export const looksLikeUnixTime = (text: string): boolean =>
  UNIX_SECONDS.test(text) || UNIX_MILLISECONDS.test(text);

const THUMBS_UP = ['up', 'thumbs up', 'thumbs_up', 'true', 'yes', '👍'];
const THUMBS_DOWN = ['down', 'thumbs down', 'thumbs_down', 'false', 'no', '👎'];

/** Other tools export labels, in any language. The label of a listed choice comes before that of an earlier one. */
function choiceText(word: string, survey: AnsweredSurvey): string | undefined {
  const known = knownChoices(survey);
  const { choices = [], locales = {} } = survey.content;
  const names = [
    ...known.map(({ code }) => [code, code] as const),
    ...[...choices, ...known].map(({ code, label }) => [code, label] as const),
    ...Object.values(locales).flatMap((texts) => Object.entries(texts.choices ?? {})),
  ];
  const [named] = names.find(([, name]) => name.toLowerCase() === word) ?? [];
  const place = known.findIndex(({ code }) => code === named);
  return place < 0 ? undefined : String(place);
}

function ratingText(answer: string, type: SurveyType): string {
  const word = answer.toLowerCase();
  if (type !== 'thumbs') return answer;
  if (THUMBS_UP.includes(word)) return '1';
  return THUMBS_DOWN.includes(word) ? '0' : answer;
}

/** @param isNumber in our own export, whose codes have a column of their own */
function readRating(answer: string, isNumber: boolean, survey: AnsweredSurvey): number | RowProblem {
  const isChoice = survey.content.type === 'choice';
  const rating = isNumber
    ? answer
    : isChoice
      ? choiceText(answer.toLowerCase(), survey)
      : ratingText(answer, survey.content.type);
  if (rating !== undefined && /^\d{1,2}(?:\.0+)?$/.test(rating) && isOnScale(Number(rating), survey))
    return Number(rating);
  if (isChoice) {
    const codes = knownChoices(survey).map(({ code }) => code);
    return { problem: `has a choice that is not one of ${codes.join(', ')}` };
  }
  const { min, max } = scaleOf(survey);
  return { problem: `has a rating that is no whole number from ${min} to ${max}` };
}

function parseAnswers(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Named below.
  }
  // No question has this id, so all is dropped and named `answers`.
  return { '': json };
}

/** Any condition of the survey may have asked the questions. */
function readAnswers(
  cells: readonly string[],
  { own, answers = {}, allAnswers = -1 }: ImportColumns,
  survey: AnsweredSurvey,
  rating: number,
): Pick<ImportedRow, 'answers' | 'dropped'> {
  const json = cells[allAnswers]?.trim() ?? '';
  const sent = json === '' ? {} : parseAnswers(json);
  const inCells = knownQuestions(survey).flatMap((question) => {
    const cell = cells[answers[question.id] ?? -1] ?? '';
    const value = answerInCell(own === undefined ? cell.trim() : cell, question);
    return value === undefined ? [] : [[question.id, value] as const];
  });
  const chosen = chooseAnswers(survey, rating, { ...sent, ...Object.fromEntries(inCells) }, () => true);
  return { answers: chosen.answers, ...(chosen.dropped.length > 0 && { dropped: chosen.dropped }) };
}

const utf8 = new TextEncoder();
const isIdentifier = (text: string): boolean =>
  text.isWellFormed() && utf8.encode(text).length <= IDENTIFIER_BYTES;

export function importedRow(
  cells: readonly string[],
  columns: ImportColumns,
  { survey, dateOrder, inUtc, now }: RowRules,
): ImportedRow | RowProblem | { readonly skipped: 'dismissals' | 'withdrawn' } {
  const { own } = columns;
  const ofOwn = (name: string) => cells[own?.indexOf(name) ?? -1];
  if (ofOwn('kind') === 'dismissal') return { skipped: 'dismissals' };
  if (ofOwn('withdrawn') === 'true') return { skipped: 'withdrawn' };
  if (ofOwn('identityKind') === MODEL_REQUESTED)
    return { problem: 'was requested by a model, and an import would count it in the score' };
  const cell = (field: ImportField): string | undefined => {
    const index = columns[field];
    const written = index === undefined ? undefined : cells[index];
    // Our own export contains the stored text.
    const text = own === undefined ? written?.trim() : written;
    return text === '' ? undefined : text;
  };
  const [respondentId, email, id, written] = [cell('respondent_id'), cell('email'), cell('id'), cell('at')];
  if (respondentId === undefined && email === undefined)
    return { problem: 'has neither email nor respondent_id' };
  if (![respondentId, email, id].every((text) => text === undefined || isIdentifier(text)))
    return { problem: `has an email, respondent_id or id of more than ${IDENTIFIER_BYTES} bytes` };
  const isEmail = email !== undefined && EMAIL.test(email);
  if (respondentId === undefined && !isEmail) return { problem: 'has an invalid email address' };
  const text = cell('text')?.toWellFormed();
  const hasCode = survey.content.type === 'choice' && (ofOwn('choice') ?? '') !== '';
  const isOpen = survey.content.type === 'open';
  const answered = (isOpen ? undefined : cell('rating')) ?? (ofOwn('rating') || undefined);
  if (answered === undefined && !(isOpen && text !== undefined))
    return { problem: isOpen ? 'has no text' : 'has no rating' };
  const rating = readRating(answered ?? '0', isOpen || (own !== undefined && !hasCode), survey);
  if (typeof rating !== 'number') return rating;
  if (text !== undefined && Array.from(text).length > TEXT_CHARACTERS) {
    return { problem: `has a text of more than ${TEXT_CHARACTERS} characters` };
  }
  const at = written === undefined ? undefined : parseTime(written, dateOrder, inUtc);
  if (at !== undefined && Number.isNaN(at)) {
    const isNumeric = dateOrder === undefined && NUMERIC.test(written ?? '');
    return {
      problem: isNumeric
        ? 'has a date whose order is not said: --dates mdy or --dates dmy'
        : 'has a time that is not ISO 8601',
    };
  }
  if (at !== undefined && (at < 0 || at > now))
    return { problem: 'has a time in the future, or before 1970' };
  const answers = readAnswers(cells, columns, survey, rating);
  return { respondentId, email: isEmail ? email : undefined, rating, text, at, id, ...answers };
}

/**
 * The lines without id, time or text that an earlier version of the file may have had for this line. An import without
 * an id derives the stored id from the whole line.
 */
export function earlierForms({ id, ...row }: ImportedRow): ImportedRow[] {
  const silent = { ...row, text: undefined };
  const all = [row, silent, { ...row, at: undefined }, { ...silent, at: undefined }];
  const forms = new Map(all.map((form) => [formOf(form), form]));
  if (id === undefined) forms.delete(formOf(row));
  return [...forms.values()];
}

/** Two lines without an id that have the same form are one answer. */
export const formOf = ({ respondentId, email, at, rating, text }: ImportedRow): string =>
  JSON.stringify([respondentId ?? email?.toLowerCase(), at, rating, text]);
