/** A project's surveys as they are now, at a cost that does not grow with them. */

import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { SurveySet } from '../../shared/domain/surveys/survey-rules.ts';
import { projectSettings, type Service, surveys } from '../runtime/compose.ts';

/** Surveys at one revision. */
export interface RevisedSet extends SurveySet {
  readonly revision: number;
  readonly settings: ProjectSettings;
}

const toSet = (settings: ProjectSettings): RevisedSet => ({
  settings,
  revision: settings.surveysVersion ?? 0,
  surveys: [...settings.surveys.values()],
  surveyOrder: settings.surveyOrder ?? [],
});

/** Read anew. @returns undefined when there is no such project any more */
export async function freshSet(service: Service, projectId: string): Promise<RevisedSet | undefined> {
  const cache = projectSettings(service);
  cache.forget(projectId);
  const settings = await cache.load(projectId);
  return settings && toSet(settings);
}

/**
 * Of settings in memory where these are of the current revision, which is one item: all of them may be 4 MB. What another
 * request began to read before a change is not current, and is read once more.
 */
export async function currentSet(
  service: Service,
  settings: ProjectSettings,
): Promise<RevisedSet | undefined> {
  const projectId = settings.project.id;
  const revision = await surveys(service).revision(projectId);
  if (revision === undefined) return undefined;
  if (revision === settings.surveysVersion) return toSet(settings);
  const fresh = await freshSet(service, projectId);
  return fresh !== undefined && fresh.revision < revision ? freshSet(service, projectId) : fresh;
}
