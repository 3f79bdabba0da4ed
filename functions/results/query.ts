/** A question about results, and the days that it is about. */

import { invalid, type Refusal } from '../../shared/contract/errors.ts';
import { DEFAULT_SPAN_DAYS, LONGEST_SPAN_DAYS } from '../../shared/contract/results-schemas.ts';
import { addDays, countDays, type DaySpan, dayAt } from '../../shared/domain/days.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { Service } from '../runtime/compose.ts';

/** A question about results: of a route's caller, or of an operator. */
export interface Query<Input> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly service: Service;
}

interface SpanInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param now milliseconds since the epoch */
export function resolveSpan(input: SpanInput, now: number): DaySpan | Refusal {
  const to = input.to ?? dayAt(now);
  const span = { from: input.from ?? addDays(to, 1 - DEFAULT_SPAN_DAYS), to };
  if (span.from > to) return invalid('from', 'must not be after `to`');
  if (countDays(span) > LONGEST_SPAN_DAYS)
    return invalid('from', `at most ${LONGEST_SPAN_DAYS} days at once`);
  return span;
}
