/** What applying a survey file would change: a slug is a survey's identity within its project. */

import type { Survey } from './survey.ts';

/** A survey as a file asks for it. */
export type SurveyDraft = Omit<Survey, 'id' | 'purgedAt'>;

export interface FieldChange {
  /** `limits.maxResponses` for one of the limits. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface SurveyUpdate {
  readonly before: Survey;
  readonly after: Survey;
  readonly changes: readonly FieldChange[];
}

export interface SurveyPlan {
  readonly created: readonly SurveyDraft[];
  readonly updated: readonly SurveyUpdate[];
  readonly unchanged: readonly Survey[];
  /** Those that the file lacks, when it is to be the whole truth. */
  readonly archived: readonly SurveyUpdate[];
}

/** JSON with sorted keys: two values are the same when their texts are. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function flatten({ content, limits, status, startsAt, endsAt }: SurveyDraft): Map<string, unknown> {
  const ofLimits = Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const);
  return new Map<string, unknown>([...Object.entries({ status, ...content, startsAt, endsAt }), ...ofLimits]);
}

function changesBetween(before: SurveyDraft, after: SurveyDraft): FieldChange[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => canonicalText(change.before) !== canonicalText(change.after));
}

function planUpdate(before: Survey, draft: SurveyDraft): SurveyUpdate {
  return { before, after: { id: before.id, ...draft }, changes: changesBetween(before, draft) };
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
    .map((survey) => planUpdate(survey, { ...survey, status: 'archived' }));
  return { created, updated, unchanged, archived };
}
