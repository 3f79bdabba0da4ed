/** A slug identifies a survey in its project. */

import { canonicalText, trimmed } from '../canonical-text.ts';
import { formatDuration } from '../duration.ts';
import { changeRetention, newRetention, periodWanted, type RetentionPeriod } from '../retention.ts';
import { questionsAfter } from './questions.ts';
import { reasonCodesAfter } from './reasons.ts';
import { formatRepeat } from './repeat.ts';
import {
  type DeclaredSegments,
  declareAs,
  declaredSegments,
  declaredSource,
  declareSegments,
  type Segment,
  sourceOf,
  valuesOf,
} from './segments.ts';
import { knownChoices, type Survey } from './survey.ts';
import type { ChangedSurvey, SurveyMark } from './survey-change.ts';

export interface SurveyDraft
  extends Omit<
    Survey,
    | 'id'
    | 'purgedAt'
    | 'segments'
    | 'reasonCodes'
    | 'choicesEver'
    | 'questionsEver'
    | 'changed'
    | 'retention'
    | 'endWritten'
  > {
  /** The first instant of `endsAt` if it was written as a day. */
  readonly endDay?: string | undefined;
  readonly segments?: DeclaredSegments | undefined;
  readonly retention?: RetentionPeriod | undefined;
}

export interface FieldChange {
  /** Limits have dotted names, such as `limits.maxResponses`. */
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
  readonly archived: readonly SurveyUpdate[];
}

/** This is the only field that is stored in another form than it is written. */
const QUIET_PERIOD = 'limits.quietPeriodMs';

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
  // New values are appended, so their order in the file does not matter.
  const ofSegments = Object.entries(segments).map(
    ([name, each]) =>
      [`segments.${name}`, declareAs(name, declaredSource(name, each), valuesOf(each).toSorted())] as const,
  );
  const written = repeat && formatRepeat(repeat);
  const own = Object.entries({ status, ...content, repeat: written, startsAt, endsAt, retention });
  return new Map<string, unknown>([...own, ...ofLimits, ...ofSegments]);
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(
  'question followUpQuestion reasons choices questions endLabels thanks words locales'.split(' '),
);

/** Earlier releases stored texts with the spaces and line breaks at their ends. */
export function isSameField({ field, before, after }: FieldChange): boolean {
  const [name = ''] = field.split('.');
  const [old, fresh] = TEXT_FIELDS.has(name) ? [trimmed(before), trimmed(after)] : [before, after];
  return canonicalText(old) === canonicalText(fresh);
}

function changesBetween(before: SurveyDraft, after: SurveyDraft): FieldChange[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => !isSameField(change));
}

function toDraft(survey: Survey): SurveyDraft {
  const {
    id: _id,
    endWritten: _end,
    purgedAt: _at,
    reasonCodes: _codes,
    choicesEver: _choices,
    questionsEver: _questions,
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

/** A stored end whose day an earlier release took for its first instant keeps this meaning until it is written again. */
export const keepsEnd = (
  { endsAt, endWritten }: Survey,
  { endDay, startsAt = '' }: Pick<SurveyDraft, 'endDay' | 'startsAt'>,
): boolean => endDay !== undefined && endsAt === endDay && endWritten !== endsAt && startsAt < endDay;

function planUpdate(before: Survey, draft: SurveyDraft): SurveyUpdate {
  const { endDay: _, ...written } = draft;
  const after = { id: before.id, ...written, ...(keepsEnd(before, draft) && { endsAt: before.endsAt }) };
  return { before, after, changes: changesBetween(toDraft(before), after) };
}

type Known = Pick<Survey, 'reasonCodes' | 'choicesEver' | 'questionsEver'> & {
  readonly content: Pick<Survey['content'], 'questions'>;
};

function knownCodes(before: Known, { content }: SurveyDraft, now: number) {
  const reasonCodes = reasonCodesAfter(before.reasonCodes, content.reasons);
  const choicesEver = knownChoices({ ...before, content });
  const questionsEver = questionsAfter(before, content, now);
  return {
    ...(reasonCodes.length > 0 && { reasonCodes }),
    ...(choicesEver.length > 0 && { choicesEver }),
    ...(questionsEver.length > 0 && { questionsEver }),
  };
}

/** Segments change a minute after `now`; `changeRetention` decides for retentions. */
export function applyUpdate(
  { before, after }: Omit<SurveyUpdate, 'changes'>,
  now: number,
  { isAtOnce = false } = {},
): Survey {
  const { segments = {}, retention: period = null, ...draft } = after;
  const retention = changeRetention(before.retention, { period, now, isAtOnce });
  const isPlain = before.segments === undefined && Object.keys(segments).length === 0;
  const declared = isPlain ? undefined : declareSegments(before.segments ?? [], segments, now);
  const endWritten = draft.endsAt === before.endsAt ? before.endWritten : draft.endsAt;
  return {
    ...draft,
    ...(endWritten !== undefined && { endWritten }),
    ...knownCodes({ ...before, choicesEver: knownChoices(before) }, draft, now),
    ...(declared !== undefined && { segments: declared }),
    ...(retention !== undefined && { retention }),
  };
}

/** A new survey counts its segments from the first answer. */
export function newSurvey(
  id: string,
  { segments, retention: period = null, endDay: _, ...draft }: SurveyDraft,
  now: number,
): Survey {
  const retention = newRetention(period, now);
  const declared = segments && declareSegments(undefined, segments, now);
  return {
    id,
    ...draft,
    ...(draft.endsAt !== undefined && { endWritten: draft.endsAt }),
    ...knownCodes({ content: {} }, draft, now),
    ...(declared !== undefined && { segments: declared }),
    ...(retention !== undefined && { retention }),
  };
}

/** Segments whose source would change, including retired ones. */
export function listResourced({ before, after }: Pick<SurveyUpdate, 'before' | 'after'>): readonly Segment[] {
  const { segments = {} } = after;
  return (before.segments ?? []).filter((segment) => {
    const declared = segments[segment.name];
    return declared !== undefined && declaredSource(segment.name, declared) !== sourceOf(segment);
  });
}

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

export function changedSurveys({
  created,
  updated,
  archived,
}: Pick<SurveyPlan, 'created' | 'updated' | 'archived'>): ChangedSurvey[] {
  return [
    ...created.map(({ content: { slug } }) => ({ slug, action: 'created' as const, fields: [] })),
    ...[...updated, ...archived].map(({ before, changes }) => ({
      slug: before.content.slug,
      action: 'updated' as const,
      fields: changes.map((change) => asWritten(change).field),
    })),
  ];
}

interface FileChange {
  readonly surveys: readonly Survey[];
  readonly wanted: readonly Pick<SurveyDraft, 'content'>[];
  readonly plan: SurveyPlan;
  readonly isReordered: boolean;
  readonly orderMark: SurveyMark | undefined;
}

/**
 * Finds changes in the console that the file would undo and that its author has not seen.
 * @param shown the revision in the file; ignored if the file is from another project
 */
export function unseenByFile(
  { surveys, wanted, plan, isReordered, orderMark }: FileChange,
  shown = 0,
): { readonly slugs: readonly string[]; readonly order: boolean } {
  const isUnseen = (mark: SurveyMark | undefined) => mark?.source === 'console' && mark.revision > shown;
  const listed = new Set(wanted.map(({ content }) => content.slug));
  const differing = new Set(plan.updated.map(({ before }) => before));
  const isOther = (survey: Survey) =>
    differing.has(survey) || (!listed.has(survey.content.slug) && survey.status !== 'archived');
  return {
    slugs: surveys
      .filter((survey) => isUnseen(survey.changed) && isOther(survey))
      .map(({ content }) => content.slug)
      .sort(),
    order: isReordered && isUnseen(orderMark),
  };
}
