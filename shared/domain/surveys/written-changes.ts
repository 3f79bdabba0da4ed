/** Differences between surveys by field, as survey files write them. */

import { canonicalText } from '../canonical-text.ts';
import type { FieldChange } from './survey-plan.ts';
import type { WrittenSurvey } from './written-survey.ts';

/** Compared by part: `limits.quietPeriod`, `locales.de`. */
const PARTED: ReadonlySet<string> = new Set(['limits', 'locales', 'segments']);

export function fieldsOf(survey: WrittenSurvey): Map<string, unknown> {
  const named = Object.entries(survey).flatMap(([field, value]): [string, unknown][] =>
    PARTED.has(field) && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([part, each]) => [`${field}.${part}`, each])
      : [[field, value]],
  );
  return new Map(named.filter(([, value]) => value !== undefined));
}

/** The inverse of `fieldsOf`. */
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

/** In the order of the survey with more fields; an absent side is undefined. */
export function fieldsBetween(before: WrittenSurvey, after: WrittenSurvey): FieldChange[] {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => canonicalText(change.before) !== canonicalText(change.after));
}
