/** Hides cells below the project's minimum from callers without access to comments (docs/contract.md §17.8). */

import type { ResultSpan, ResultStore } from '../../shared/data/results/result-store.ts';
import { type Project, type ProjectSettings, smallestCellOf } from '../../shared/domain/project.ts';
import type { QuestionDay } from '../../shared/domain/results/question-results.ts';
import type { DayCounts } from '../../shared/domain/results/results.ts';
import {
  type CellRule,
  cellRule,
  dayCells,
  noValues,
  questionCells,
  readSpan,
  shownTotal,
  valueCells,
} from '../../shared/domain/results/small-cells.ts';
import type { SegmentDay } from '../../shared/domain/results/value-results.ts';
import { knownQuestions } from '../../shared/domain/surveys/questions.ts';
import { type Segment, segmentsInCells } from '../../shared/domain/surveys/segments.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { type CallerKey, callerMay } from '../runtime/incoming-request.ts';

/** Returns undefined if every number may be shown. @param now milliseconds since the epoch */
export function ruleForAll(project: Project, now: number): CellRule | undefined {
  const least = smallestCellOf(project);
  return least > 1 ? cellRule(least, now) : undefined;
}

export const cellRuleOf = (settings: ProjectSettings, key: CallerKey, now: number): CellRule | undefined =>
  callerMay(key, 'comments', settings) ? undefined : ruleForAll(settings.project, now);

/** The responses to a survey over all time. */
export const shownResponses = (
  { totals }: ProjectSettings,
  surveyId: string,
  rule: CellRule | undefined,
): number => shownTotal(Math.max(0, totals.answered?.get(surveyId) ?? 0), rule);

export interface ShownCells {
  days(span: ResultSpan, spend?: (units: number) => void): Promise<DayCounts[]>;
  segment(span: ResultSpan, segment: Segment): Promise<SegmentDay[]>;
  questions(span: ResultSpan): Promise<QuestionDay[]>;
}

export function shownCells(
  store: ResultStore,
  survey: Pick<Survey, 'segments' | 'content' | 'questionsEver'>,
  rule: CellRule | undefined,
): ShownCells {
  if (rule === undefined) {
    return {
      days: (span, spend) => store.days(span, spend),
      segment: (span, { name }) => store.segment(span, name),
      questions: (span) => store.questions(span),
    };
  }
  const [shown] = segmentsInCells(survey.segments);
  return {
    async days(span, spend) {
      const read = readSpan(span, rule);
      const days = read === undefined ? [] : await store.days({ ...span, ...read }, spend);
      return dayCells(days, span, rule, shown === undefined);
    },
    async segment(span, segment) {
      if (segment.name !== shown?.name) return noValues(span);
      const read = readSpan(span, rule);
      if (read === undefined) return valueCells(segment, { days: [], all: [] }, span, rule);
      const where = { ...span, ...read };
      const [days, all] = await Promise.all([store.segment(where, segment.name), store.days(where)]);
      return valueCells(segment, { days, all }, span, rule);
    },
    async questions(span) {
      const read = readSpan(span, rule);
      if (read === undefined) return [];
      const where = { ...span, ...read };
      const [days, all] = await Promise.all([store.questions(where), store.days(where)]);
      return questionCells(knownQuestions(survey), { days, all }, span, rule);
    },
  };
}
