import { formatDuration } from '../duration.ts';
import { periodWanted } from '../retention.ts';
import { formatRepeat, type WrittenRepeat } from './repeat.ts';
import { type DeclaredSegments, declaredSegments } from './segments.ts';
import type { Survey, SurveyContent, SurveyLimits, SurveyStatus } from './survey.ts';
import { type FieldChange, isSameField } from './survey-plan.ts';

export interface WrittenLimits extends Omit<SurveyLimits, 'quietPeriodMs'> {
  readonly quietPeriod?: string;
}

export interface WrittenSurvey extends SurveyContent {
  readonly status: SurveyStatus;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly repeat?: WrittenRepeat;
  readonly limits?: WrittenLimits;
  readonly segments?: DeclaredSegments;
  /** The period may not be in force yet. */
  readonly retention?: string;
}

export const writeLimits = ({ quietPeriodMs, ...limits }: SurveyLimits): WrittenLimits => ({
  ...limits,
  ...(quietPeriodMs !== undefined && { quietPeriod: formatDuration(quietPeriodMs) }),
});

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

export function writeSurvey({
  content,
  status,
  startsAt,
  endsAt,
  repeat,
  limits,
  segments,
  retention,
}: Survey): WrittenSurvey {
  const { slug, type, question, ...others } = content;
  const declared = declaredSegments(segments);
  const period = periodWanted(retention);
  return {
    slug,
    type,
    question,
    status,
    ...others,
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
    ...(repeat !== undefined && { repeat: formatRepeat(repeat) }),
    ...(!isEmpty(limits) && { limits: writeLimits(limits) }),
    ...(!isEmpty(declared) && { segments: declared }),
    ...(period !== null && { retention: period }),
  };
}

/** Fields that are compared by part, such as `limits.quietPeriod` and `locales.de`. */
const PARTED: ReadonlySet<string> = new Set(['limits', 'locales', 'segments']);

export function fieldsOf(survey: WrittenSurvey): Map<string, unknown> {
  const named = Object.entries(survey).flatMap(([field, value]): [string, unknown][] =>
    PARTED.has(field) && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([part, each]) => [`${field}.${part}`, each])
      : [[field, value]],
  );
  return new Map(named.filter(([, value]) => value !== undefined));
}

export function ofFields(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const survey: Record<string, unknown> = {};
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of fields) {
    const at = name.indexOf('.');
    if (at < 0) {
      survey[name] = value;
      continue;
    }
    const field = name.slice(0, at);
    const known = parts[field] ?? {};
    known[name.slice(at + 1)] = value;
    parts[field] = known;
    survey[field] = known;
  }
  return survey;
}

export function fieldsBetween(before: WrittenSurvey, after: WrittenSurvey): FieldChange[] {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => !isSameField(change));
}
