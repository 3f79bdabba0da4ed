import { refuse } from '../../shared/contract/errors.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { ErasureDependencies } from '../runtime/erasure-dependencies.ts';
import { findSurvey } from './find-survey.ts';

/** What a request spends on sweeping; the state machine does the rest. */
const SWEEP_TIME_MS = 15 * SECOND;

/** Purges a survey: marks it, sweeps what fits, and leaves the rest and the definition to the state machine. */
export async function eraseSurvey(
  surveySlug: string,
  settings: ProjectSettings,
  now: number,
  { purges, purgeSettings, settings: cache, clock }: ErasureDependencies,
) {
  const projectId = settings.project.id;
  const live = findSurvey(settings.surveys, surveySlug);
  // A purge under way may be asked for again: its survey is marked and no longer among the settings.
  const survey =
    live ?? (await purgeSettings.markedSurveys(projectId)).find(({ content }) => content.slug === surveySlug);
  if (survey === undefined) return refuse('survey_not_found');

  const scope = { projectId, surveyId: survey.id };
  const execution = await purges.open(scope, now);
  cache.forget(projectId);
  const { responses, dismissals } = await purges.sweepNow(scope, () => clock() - now >= SWEEP_TIME_MS);
  return {
    ok: true as const,
    mode: 'survey' as const,
    responsesDeleted: responses,
    dismissalsDeleted: dismissals,
    surveySlug,
    note: `The counts are what this request deleted. Execution ${execution} sweeps again once caches and requests in flight are past, then deletes the definition.`,
  };
}
