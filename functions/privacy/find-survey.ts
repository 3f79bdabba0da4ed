import type { Survey } from '../../shared/domain/survey.ts';

/** The survey with this slug, if there is one. */
export function findSurvey(
  surveys: ReadonlyMap<string, Survey>,
  slug: string | undefined,
): Survey | undefined {
  return slug === undefined ? undefined : [...surveys.values()].find(({ content }) => content.slug === slug);
}
