/** What the log tells of a plan, and what a file would undo that nobody has shown to its author (decision 141). */

import type { Survey } from './survey.ts';
import type { ChangedSurvey, SurveyMark } from './survey-change.ts';
import { asWritten, type SurveyDraft, type SurveyPlan } from './survey-plan.ts';

/** What of a plan the log tells. */
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

/** What the command line is about to do to a project's surveys. */
interface FileChange {
  readonly surveys: readonly Survey[];
  readonly wanted: readonly Pick<SurveyDraft, 'content'>[];
  readonly plan: SurveyPlan;
  readonly isReordered: boolean;
  /** Of the order. */
  readonly orderMark: SurveyMark | undefined;
}

/**
 * What the console changed last and a file says otherwise: slugs of surveys that differ, those that the file lacks among
 * them unless they are archived, and whether the order does.
 * @param shown the revision that the file was made from; of another project's it says nothing
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
