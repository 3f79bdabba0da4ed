/** Hides cells below the project's minimum from callers without access to comments (docs/contract.md §17.8). */

import type { ResultSpan, ResultStore } from '../../shared/data/results/result-store.ts';
import { type Project, type ProjectSettings, smallestCellOf } from '../../shared/domain/project.ts';
import type { DayCounts } from '../../shared/domain/results/results.ts';
import {
  type CellRule,
  cellRule,
  dayCells,
  readSpan,
  valueCells,
} from '../../shared/domain/results/small-cells.ts';
import type { SegmentDay } from '../../shared/domain/results/value-results.ts';
import type { Segment } from '../../shared/domain/surveys/segments.ts';
import { type CallerKey, callerMay } from '../runtime/incoming-request.ts';

/** Returns undefined if every number may be shown. @param now milliseconds since the epoch */
export function ruleForAll(project: Project, now: number): CellRule | undefined {
  const least = smallestCellOf(project);
  return least > 1 ? cellRule(least, now) : undefined;
}

export const cellRuleOf = (settings: ProjectSettings, key: CallerKey, now: number): CellRule | undefined =>
  callerMay(key, 'comments', settings) ? undefined : ruleForAll(settings.project, now);

export interface ShownCells {
  days(span: ResultSpan, spend?: (units: number) => void): Promise<DayCounts[]>;
  segment(span: ResultSpan, segment: Segment): Promise<SegmentDay[]>;
}

export function shownCells(store: ResultStore, rule: CellRule | undefined): ShownCells {
  if (rule === undefined) {
    return {
      days: (span, spend) => store.days(span, spend),
      segment: (span, { name }) => store.segment(span, name),
    };
  }
  return {
    async days(span, spend) {
      const read = readSpan(span, rule);
      const days = read === undefined ? [] : await store.days({ ...span, ...read }, spend);
      return dayCells(days, span, rule);
    },
    async segment(span, segment) {
      const read = readSpan(span, rule);
      if (read === undefined) return valueCells(segment, { days: [], all: [] }, span, rule);
      const where = { ...span, ...read };
      const [days, all] = await Promise.all([store.segment(where, segment.name), store.days(where)]);
      return valueCells(segment, { days, all }, span, rule);
    },
  };
}
