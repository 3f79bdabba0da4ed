/** Which answers of a project are gone (docs/contract.md §11.7): for every reader, whether their rows are there or not. */

import { completeFrom, type ProjectSettings } from './project.ts';
import { isGone } from './retention.ts';

/** @param at when it was given, ISO 8601 UTC; or its day */
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

/** The first day whose answers are all there, by the slugs of the surveys that have lost some; undefined where none has. */
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
