/** What a trait is compared with, as somebody types it: `10` is a number, `pro` a text, `"10"` a text as well. */

import type { TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import { type SurveyType, TYPES } from '../../../shared/domain/surveys/survey.ts';

type Operand = NonNullable<TargetingRule['value']>;
type Scalar = string | number | boolean | null;

/** Texts that would be read as something else, so they stand in quotes. */
const isAmbiguous = (text: string): boolean => readScalar(text) !== text || /^".*"$|[,]/.test(text);

function readScalar(typed: string): Scalar {
  const text = typed.trim();
  const quoted = /^"(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** Commas within quotes are the text's own. */
const partsOf = (typed: string): string[] =>
  (typed.match(/("[^"]*"|[^,])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

/** Undefined where nothing is typed. */
export function readOperand(op: TargetingRule['op'], typed: string): Operand | undefined {
  if (typed.trim() === '') return undefined;
  return op === 'in' ? partsOf(typed).map(readScalar) : (readScalar(typed) ?? undefined);
}

/** Texts alone, of a list with commas. */
export const readList = (typed: string): string[] =>
  partsOf(typed).map((part) => /^"(.*)"$/s.exec(part)?.[1] ?? part);

export const writeList = (texts: readonly string[]): string =>
  texts.map((text) => (/^".*"$|,/s.test(text) ? `"${text}"` : text)).join(', ');

const writeScalar = (value: Scalar): string =>
  typeof value === 'string' && isAmbiguous(value) ? `"${value}"` : String(value);

export const writeOperand = (value: TargetingRule['value']): string =>
  value === undefined ? '' : [value].flat().map(writeScalar).join(', ');

/** How many answers there are. */
export const answersOf = (type: SurveyType): number => TYPES[type].scale.max - TYPES[type].scale.min + 1;

/** A text for each answer, lowest first; empty where there is none. */
export function spreadWords(type: SurveyType, values: readonly string[] = []): string[] {
  const count = answersOf(type);
  const isOfEnds = values.length === 2 && count > 2;
  return Array.from({ length: count }, (_, at) =>
    isOfEnds ? ((at === 0 ? values[0] : at === count - 1 ? values[1] : '') ?? '') : (values[at] ?? ''),
  );
}

/**
 * As the survey has them once one is typed.
 * @param before as it has them: what is of the ends alone stays so until another one is typed
 * @returns undefined where none is left
 */
export function typedWords(
  type: SurveyType,
  before: readonly string[] | undefined,
  at: number,
  text: string,
): string[] | undefined {
  const next = spreadWords(type, before).map((each, place) => (place === at ? text : each));
  if (next.every((each) => each === '')) return undefined;
  const isOfEnds = before?.length === 2 && next.slice(1, -1).every((each) => each === '');
  return isOfEnds ? [next[0] ?? '', next.at(-1) ?? ''] : next;
}

/** A year that is being typed is 2, 20 and 202 before it is 2026. */
const FIRST_YEAR = 1900;

/** @param text ISO 8601 @returns empty where it is no time */
export function toLocal(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @returns ISO 8601; undefined of an empty control, 'unfinished' while a year is being typed */
export function typedTime(typed: string): string | undefined {
  const time = new Date(typed);
  if (Number.isNaN(time.getTime())) return undefined;
  return time.getFullYear() < FIRST_YEAR ? 'unfinished' : time.toISOString();
}
