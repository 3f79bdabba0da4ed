/**
 * Expired answers of a project (docs/contract.md §11.7). Readers never see them, whether or not their rows still exist.
 */

import { completeFrom, type ProjectSettings } from './project.ts';
import { isGone } from './retention.ts';

/** @param at ISO 8601 UTC time or day of the answer */
export type IsGoneAnswer = (surveyId: string, at: string) => boolean;

/** @param now milliseconds since the epoch */
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

/** The first day with all answers, by slug of each survey with expired answers; undefined if no survey has any. */
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
