/** What publishing would do, said before it is done. */

import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { wordsOfField } from './field-words.ts';
import { valueWords } from './value-words.ts';

export interface ChangeWords {
  readonly field: string;
  /** What it is called. */
  readonly name: string;
  /** Undefined where there was nothing. */
  readonly before?: string;
  readonly after?: string;
}

interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** Changes of fields, as a dry run lists them. */
export const changeWords = (changes: readonly FieldChange[]): ChangeWords[] =>
  changes.map(({ field, before, after }) => ({
    field,
    name: wordsOfField(field),
    ...(isThere(before) && { before: valueWords(field, before) }),
    ...(isThere(after) && { after: valueWords(field, after) }),
  }));

/** What a new survey says of itself; what is as it is of every survey goes without saying. */
const TOLD = [
  'status',
  'type',
  'question',
  'followUpQuestion',
  'reasons',
  'targeting',
  'samplePercent',
  'pages',
  'on',
  'repeat',
  'presentation',
  'startsAt',
  'endsAt',
  'thanks',
] as const;

/** A new survey field by field: a dry run knows only that it is made. */
export function newSurveyWords(survey: WrittenSurvey): ChangeWords[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(survey);
  const told = TOLD.flatMap((field) => fields.filter(([name]) => name === field));
  const languages = Object.entries(survey.locales ?? {}).map(
    ([tag, texts]) => [`locales.${tag}`, texts] as const,
  );
  const segments = Object.entries(survey.segments ?? {}).map(
    ([name, values]) => [`segments.${name}`, values] as const,
  );
  return changeWords([...told, ...languages, ...segments].map(([field, after]) => ({ field, after })));
}
