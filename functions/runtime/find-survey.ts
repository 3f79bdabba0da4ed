import type { ProjectSettings } from '../../shared/domain/project.ts';
import { type Survey, surveyWithSlug } from '../../shared/domain/surveys/survey.ts';
import { projectSettings, type Service } from './compose.ts';

/** One of both. */
interface NamedSurvey {
  readonly surveyId?: string | undefined;
  readonly surveySlug?: string | undefined;
}

function lookUp({ surveys }: ProjectSettings, { surveyId, surveySlug }: NamedSurvey): Survey | undefined {
  return surveyId === undefined ? surveyWithSlug(surveys.values(), surveySlug) : surveys.get(surveyId);
}

/**
 * The survey that a request names. Where this instance does not know it, another one may already: then the settings are
 * read again.
 * @param isKnown whether the settings know of the survey all that is asked
 * @returns undefined when the project has no such survey
 */
export async function findSurvey(
  named: NamedSurvey,
  settings: ProjectSettings,
  service: Service,
  isKnown: (survey: Survey) => boolean = () => true,
): Promise<Survey | undefined> {
  const known = lookUp(settings, named);
  if (known !== undefined && isKnown(known)) return known;
  const fresh = await projectSettings(service).reload(settings.project.id);
  return fresh && lookUp(fresh, named);
}
