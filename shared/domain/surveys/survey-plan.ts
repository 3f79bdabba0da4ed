/** What applying a survey file would change: a slug is a survey's identity within its project. */

import { canonicalText } from '../canonical-text.ts';
import { formatDuration } from '../duration.ts';
import { changeRetention, newRetention, periodWanted, type RetentionPeriod } from '../retention.ts';
import { MOST_REASONS_EVER, reasonCodesAfter } from './reasons.ts';
import { formatRepeat } from './repeat.ts';
import {
  type DeclaredSegments,
  declareAs,
  declaredSegments,
  declaredSource,
  declareSegments,
  MOST_SEGMENTS_EVER,
  MOST_VALUES_EVER,
  type Segment,
  sourceOf,
  valuesOf,
} from './segments.ts';
import type { Survey } from './survey.ts';

/** A survey as a file asks for it. */
export interface SurveyDraft
  extends Omit<Survey, 'id' | 'purgedAt' | 'segments' | 'reasonCodes' | 'changed' | 'retention'> {
  readonly segments?: DeclaredSegments | undefined;
  /** Absent: as long as the project's. */
  readonly retention?: RetentionPeriod | undefined;
}

export interface FieldChange {
  /** `limits.maxResponses` for one of the limits. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface SurveyUpdate {
  readonly before: Survey;
  readonly after: SurveyDraft & { readonly id: string };
  readonly changes: readonly FieldChange[];
}

export interface SurveyPlan {
  readonly created: readonly SurveyDraft[];
  readonly updated: readonly SurveyUpdate[];
  readonly unchanged: readonly Survey[];
  /** Those that the file lacks, when it is to be the whole truth. */
  readonly archived: readonly SurveyUpdate[];
}

/** The one field that is stored otherwise than it is written. */
const QUIET_PERIOD = 'limits.quietPeriodMs';

/** A change as a survey file would write both sides of it. */
export function asWritten({ field, before, after }: FieldChange): FieldChange {
  if (field !== QUIET_PERIOD) return { field, before, after };
  const written = (value: unknown) => (typeof value === 'number' ? formatDuration(value) : value);
  return { field: 'limits.quietPeriod', before: written(before), after: written(after) };
}

function flatten({
  content,
  limits,
  repeat,
  segments = {},
  status,
  startsAt,
  endsAt,
  retention,
}: SurveyDraft): Map<string, unknown> {
  const ofLimits = Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const);
  // In whatever order: new values are appended to those that are known.
  const ofSegments = Object.entries(segments).map(
    ([name, each]) =>
      [`segments.${name}`, declareAs(name, declaredSource(name, each), valuesOf(each).toSorted())] as const,
  );
  const written = repeat && formatRepeat(repeat);
  const own = Object.entries({ status, ...content, repeat: written, startsAt, endsAt, retention });
  return new Map<string, unknown>([...own, ...ofLimits, ...ofSegments]);
}

function changesBetween(before: SurveyDraft, after: SurveyDraft): FieldChange[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => canonicalText(change.before) !== canonicalText(change.after));
}

/** What a survey file says of it. */
function toDraft(survey: Survey): SurveyDraft {
  const {
    id: _id,
    purgedAt: _at,
    reasonCodes: _codes,
    changed: _mark,
    segments,
    retention,
    ...draft
  } = survey;
  const period = periodWanted(retention);
  return {
    ...draft,
    ...(segments !== undefined && { segments: declaredSegments(segments) }),
    ...(period !== null && { retention: period }),
  };
}

function planUpdate(before: Survey, draft: SurveyDraft): SurveyUpdate {
  return { before, after: { id: before.id, ...draft }, changes: changesBetween(toDraft(before), draft) };
}

/** Nothing of a survey that never had a reason. */
function knownReasons(before: readonly string[] | undefined, { content }: SurveyDraft) {
  const reasonCodes = reasonCodesAfter(before, content.reasons);
  return reasonCodes.length === 0 ? {} : { reasonCodes };
}

/**
 * The survey as a plan makes it. What it counts by changes a minute from then, how long its answers stay as
 * `changeRetention` says.
 * @param now milliseconds since the epoch
 */
export function applyUpdate(
  { before, after }: Omit<SurveyUpdate, 'changes'>,
  now: number,
  { isAtOnce = false } = {},
): Survey {
  const { segments = {}, retention: period = null, ...draft } = after;
  const retention = changeRetention(before.retention, { period, now, isAtOnce });
  const isPlain = before.segments === undefined && Object.keys(segments).length === 0;
  const declared = isPlain ? undefined : declareSegments(before.segments ?? [], segments, now);
  return {
    ...draft,
    ...knownReasons(before.reasonCodes, draft),
    ...(declared !== undefined && { segments: declared }),
    ...(retention !== undefined && { retention }),
  };
}

/** A new survey, which counts by its segments from its first answer on. */
export function newSurvey(
  id: string,
  { segments, retention: period = null, ...draft }: SurveyDraft,
  now: number,
): Survey {
  const retention = newRetention(period, now);
  const declared = segments && declareSegments(undefined, segments, now);
  return {
    id,
    ...draft,
    ...knownReasons(undefined, draft),
    ...(declared !== undefined && { segments: declared }),
    ...(retention !== undefined && { retention }),
  };
}

/** Whether a survey has had as many segments, or values of one, as its results can tell apart. */
export function isOverfull({ segments = [] }: Survey): boolean {
  const isFull = ({ values }: Segment) => values.length > MOST_VALUES_EVER;
  return segments.length > MOST_SEGMENTS_EVER || segments.some(isFull);
}

/** Whether a survey has had as many reasons as its results can tell apart. */
export const hasTooManyReasons = ({ reasonCodes = [] }: Survey): boolean =>
  reasonCodes.length > MOST_REASONS_EVER;

/** Segments that would be of something else than before, those that are no longer declared included. */
export function listResourced({ before, after }: Pick<SurveyUpdate, 'before' | 'after'>): readonly Segment[] {
  const { segments = {} } = after;
  return (before.segments ?? []).filter((segment) => {
    const declared = segments[segment.name];
    return declared !== undefined && declaredSource(segment.name, declared) !== sourceOf(segment);
  });
}

/** @param prune archives the project's surveys that are not among the wanted ones */
export function planSurveys(
  existing: readonly Survey[],
  wanted: readonly SurveyDraft[],
  { prune }: { readonly prune: boolean },
): SurveyPlan {
  const bySlug = new Map(existing.map((survey) => [survey.content.slug, survey]));
  const created: SurveyDraft[] = [];
  const updated: SurveyUpdate[] = [];
  const unchanged: Survey[] = [];
  for (const draft of wanted) {
    const before = bySlug.get(draft.content.slug);
    if (before === undefined) {
      created.push(draft);
      continue;
    }
    const update = planUpdate(before, draft);
    if (update.changes.length === 0) unchanged.push(before);
    else updated.push(update);
  }
  const slugs = new Set(wanted.map(({ content }) => content.slug));
  const isLeft = ({ content, status }: Survey) => !slugs.has(content.slug) && status !== 'archived';
  const archived = existing
    .filter((survey) => prune && isLeft(survey))
    .map((survey) => planUpdate(survey, { ...toDraft(survey), status: 'archived' }));
  return { created, updated, unchanged, archived };
}
