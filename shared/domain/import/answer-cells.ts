/** Answers to the questions after the rating, in the columns `answers.ID` of a CSV file (docs/contract.md §6.12). */

import type { AnswerValue } from '../answers/answer.ts';
import { knownQuestions } from '../surveys/questions.ts';
import { type KnownQuestion, listedFirst, type Survey } from '../surveys/survey.ts';

const SKIPPED = '-';
const LIKE_SKIPPED = /^\\*-$/;

export const answerColumn = ({ id }: Pick<KnownQuestion, 'id'>): string => `answers.${id}`;

/** All that the survey ever had: those of the survey file in their order, then the others. */
export function exportedQuestions(survey: Pick<Survey, 'content' | 'questionsEver'>): KnownQuestion[] {
  const listed = survey.content.questions?.map(({ id }) => id) ?? [];
  return listedFirst(knownQuestions(survey), listed, ({ id }) => id);
}

/** Codes contain no spaces. A text like the mark of a skipped question gets a backslash. */
export function answerCell(value: AnswerValue | undefined): string | number | null {
  if (value === undefined) return null;
  if (value === null) return SKIPPED;
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' && LIKE_SKIPPED.test(value) ? `\\${value}` : value;
}

/** The inverse of `answerCell`. A cell that does not fit the kind stays text. */
export function answerInCell(cell: string, { kind }: Pick<KnownQuestion, 'kind'>): AnswerValue | undefined {
  const said = kind === 'text' ? cell : cell.trim();
  if (said === '') return undefined;
  if (said === SKIPPED) return null;
  if (kind === 'many') return said.split(/\s+/);
  if (kind === 'scale') return /^\d{1,2}$/.test(said) ? Number(said) : said;
  return LIKE_SKIPPED.test(said) ? said.slice(1) : said;
}
