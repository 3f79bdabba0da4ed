/** A plan's entry in the change log, and conflicts between a file and later console changes (decision 141). */

import type { Survey } from './survey.ts';
import type { ChangedSurvey, SurveyMark } from './survey-change.ts';
import { asWritten, type SurveyDraft, type SurveyPlan } from './survey-plan.ts';

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
 * Console changes that the file would undo and its author has not seen: slugs that differ or that the file lacks
 * (unless archived), and whether the order differs.
 * @param shown the revision that the file was made from; ignored for another project
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
