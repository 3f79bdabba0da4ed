/** Readers never see expired answers, even if they are still stored (docs/contract.md §11.7). */

import { completeFrom, type ProjectSettings } from './project.ts';
import { isGone } from './retention.ts';

/** @param at ISO 8601 UTC time or day */
export type IsGoneAnswer = (surveyId: string, at: string) => boolean;

export function goneAnswers(
  settings: Pick<ProjectSettings, 'project' | 'surveys'>,
  now: number,
): IsGoneAnswer {
  const days = new Map<string, string>();
  return (surveyId, at) => {
    const day = days.get(surveyId) ?? completeFrom(settings, surveyId, now);
    days.set(surveyId, day);
    return isGone(at, day);
  };
}

/** The first complete day of each survey that has expired answers, by slug. */
export function completeFromBySlug(
  settings: Pick<ProjectSettings, 'project' | 'surveys'>,
  now: number,
): Readonly<Record<string, string>> | undefined {
  const days = [...settings.surveys.values()].map(
    ({ id, content }) => [content.slug, completeFrom(settings, id, now)] as const,
  );
  const some = days.filter(([, day]) => day !== '');
  return some.length === 0 ? undefined : Object.fromEntries(some);
}
