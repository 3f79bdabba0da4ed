/** Results of the questions after the rating (docs/contract.md §17.2). */

import type { QuestionKind } from '../answers/answer.ts';
import { knownQuestions } from '../surveys/questions.ts';
import { type KnownQuestion, listedFirst, type Survey } from '../surveys/survey.ts';
import type { Reached } from './contribution.ts';
import type { Cell } from './results.ts';
import { meanScore, type ScoreBase, type Share, shareOf } from './score.ts';

/** The state of a question, the place of a choice, or a number of its scale. */
export type QuestionCounter = Reached | number;

export interface QuestionDay extends Cell {
  /** By the place of the question. */
  readonly counts: readonly {
    readonly question: number;
    readonly of: QuestionCounter;
    readonly count: number;
  }[];
  /** Choices that are shown together, because each has too few answers. */
  readonly few?: readonly {
    readonly question: number;
    readonly places: readonly number[];
    readonly count: number;
  }[];
  /** The places of questions whose numbers are too small to be shown. */
  readonly withheld?: readonly number[];
}

export interface QuestionResult {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly text: string;
  readonly asked: number;
  readonly answered: number;
  readonly skipped: number;
  readonly notReached: number;
  readonly choices?: {
    readonly code: string;
    readonly label: string;
    readonly count: number;
    /** Null if nobody answered, or if some of the answers are counted in `few`. */
    readonly share: Share | null;
  }[];
  readonly few?: { readonly codes: string[]; readonly count: number };
  readonly score?: ScoreBase | null;
  readonly distribution?: { readonly value: number; readonly count: number }[];
  readonly reworded?: string;
  readonly withheld?: true;
}

/** Counts never go below zero, because an erasure may be counted shortly before its answer. */
export function questionCounts(days: readonly QuestionDay[], place: number): (of: QuestionCounter) => number {
  const sums = new Map<QuestionCounter, number>();
  for (const { question, of, count } of days.flatMap(({ counts }) => counts))
    if (question === place) sums.set(of, (sums.get(of) ?? 0) + count);
  return (of) => Math.max(0, sums.get(of) ?? 0);
}

type Questions = Pick<Survey, 'content' | 'questionsEver'>;

function choiceResults(
  { choices = [] }: KnownQuestion,
  listed: readonly string[],
  days: readonly QuestionDay[],
  place: number,
): Pick<QuestionResult, 'choices' | 'few'> {
  const countOf = questionCounts(days, place);
  const answered = countOf('answered');
  const merged = days.flatMap(({ few = [] }) => few.filter(({ question }) => question === place));
  const isFew = (nth: number) => merged.some(({ places }) => places.includes(nth));
  const counted = choices
    .map(({ code, label }, nth) => {
      const count = countOf(nth);
      const share = answered === 0 || isFew(nth) ? null : shareOf(Math.min(count, answered), answered);
      return { code, label, count, share };
    })
    .filter(({ code, count }) => count > 0 || listed.includes(code));
  const codes = choices.filter((_, nth) => isFew(nth)).map(({ code }) => code);
  const count = merged.reduce((sum, few) => sum + few.count, 0);
  const ordered = listedFirst(counted, listed, ({ code }) => code);
  return { choices: ordered, ...(codes.length > 0 && { few: { codes, count } }) };
}

function scaleResults(
  { min = 0, max = 0 }: KnownQuestion,
  countOf: (of: QuestionCounter) => number,
): Pick<QuestionResult, 'score' | 'distribution'> {
  const distribution = Array.from({ length: max - min + 1 }, (_, nth) => ({
    value: min + nth,
    count: countOf(min + nth),
  }));
  const values = new Map(distribution.map(({ value, count }) => [value, count]));
  return { score: meanScore(values, { min, max }), distribution };
}

/** The questions that the survey lists, in its order, followed by earlier ones that have answers. */
export function questionResults(survey: Questions, days: readonly QuestionDay[]): QuestionResult[] {
  const listed = survey.content.questions ?? [];
  const ids = listed.map(({ id }) => id);
  const found = knownQuestions(survey)
    .map((question, place): QuestionResult => {
      const { id, kind, text, reworded } = question;
      const countOf = questionCounts(days, place);
      const [answered, skipped, notReached] = [
        countOf('answered'),
        countOf('skipped'),
        countOf('notReached'),
      ];
      const codes = listed.find((each) => each.id === id)?.choices?.map(({ code }) => code) ?? [];
      return {
        ...{ id, kind, text, asked: answered + skipped + notReached, answered, skipped, notReached },
        ...(question.choices && choiceResults(question, codes, days, place)),
        ...(kind === 'scale' && scaleResults(question, countOf)),
        ...(reworded !== undefined && { reworded }),
        ...(days.some(({ withheld }) => withheld?.includes(place)) && { withheld: true }),
      };
    })
    .filter(({ id, answered }) => answered > 0 || ids.includes(id));
  return listedFirst(found, ids, ({ id }) => id);
}
