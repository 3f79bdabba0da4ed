/**
 * Unknown surveys and segments do not cause the settings to be read again. Otherwise mistyped names would use up the
 * reads that bootstrap needs.
 */

import { invalid, type Refusal } from '../../shared/contract/errors.ts';
import { DEFAULT_SPAN_DAYS, LONGEST_SPAN_DAYS } from '../../shared/contract/results-schemas.ts';
import { addDays, countDays, type DaySpan, dayAt } from '../../shared/domain/days.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { AskedValue } from '../../shared/domain/results/value-results.ts';
import { askedValue, type Segment, shownSegments } from '../../shared/domain/surveys/segments.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import type { Service } from '../runtime/compose.ts';

export interface Query<Input> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  readonly now: number;
  readonly service: Service;
}

interface SpanInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function resolveSpan(input: SpanInput, now: number): DaySpan | Refusal {
  const to = input.to ?? dayAt(now);
  const span = { from: input.from ?? addDays(to, 1 - DEFAULT_SPAN_DAYS), to };
  if (span.from > to) return invalid('from', 'must not be after `to`');
  if (countDays(span) > LONGEST_SPAN_DAYS)
    return invalid('from', `at most ${LONGEST_SPAN_DAYS} days at once`);
  return span;
}

interface SegmentInput {
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
}

export interface AskedSegment {
  readonly segment?: Segment;
  readonly asked?: AskedValue;
}

export const NO_SUCH_VALUE = 'must be a declared value of the segment, other or null';

export function resolveSegment(
  { segments }: Survey,
  { segment: name, value: text }: SegmentInput,
): AskedSegment | Refusal {
  if (name === undefined) return {};
  const shown = shownSegments(segments);
  const segment = shown.find((each) => each.name === name);
  if (segment === undefined)
    return invalid('segment', `the survey's segments are ${shown.map((each) => each.name).join(', ')}`);
  if (text === undefined) return { segment };
  const value = askedValue(segment, text);
  return value === undefined ? invalid('value', NO_SUCH_VALUE) : { segment, asked: { segment, value } };
}
