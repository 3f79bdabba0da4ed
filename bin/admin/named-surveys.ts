/** Surveys that a command names by their slugs. */

import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { didYouMean, failure } from './admin-error.ts';

export const noSurvey = (slug: string, projectId: string, slugs: Iterable<string> = []) =>
  failure(`There is no survey ${slug} in project ${projectId}.${didYouMean(slug, slugs)}`);

/** The survey with this slug. @throws AdminError when there is none */
export function namedSurvey({ project, surveys }: ProjectRecord, slug: string): Survey {
  const survey = surveys.find(({ content }) => content.slug === slug);
  if (survey !== undefined) return survey;
  throw noSurvey(
    slug,
    project.id,
    surveys.map(({ content }) => content.slug),
  );
}
