import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { SurveySet } from '../../shared/domain/surveys/survey-rules.ts';
import type { Service } from './compose.ts';
import { surveys } from './parts/projects.ts';
import { projectSettings } from './settings-cache.ts';

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

export async function freshSet(service: Service, projectId: string): Promise<RevisedSet | undefined> {
  const cache = projectSettings(service);
  cache.forget(projectId);
  const settings = await cache.load(projectId);
  return settings && toSet(settings);
}

/** Checking the revision reads one item, while the settings may have 4 MB. */
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
