import { refuse } from '../../shared/contract/errors.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { surveyWithSlug } from '../../shared/domain/surveys/survey.ts';
import { clock, projectSettings, purgedDefinitions, purges, type Service } from '../runtime/compose.ts';
import { copiesNote } from './copies-note.ts';

/** What a request spends on sweeping; the state machine does the rest. */
const SWEEP_TIME_MS = 15 * SECOND;

/** Purges a survey: closes it, sweeps what fits, and leaves the rest and the definition to the state machine. */
export async function eraseSurvey(
  surveySlug: string,
  settings: ProjectSettings,
  now: number,
  service: Service,
) {
  const projectId = settings.project.id;
  // A purge under way may be asked for again: its survey is no longer among the settings.
  const survey =
    surveyWithSlug(settings.surveys.values(), surveySlug) ??
    surveyWithSlug(await purgedDefinitions(service).markedSurveys(projectId), surveySlug);
  if (survey === undefined) return refuse('survey_not_found');

  const scope = { projectId, surveyId: survey.id };
  const execution = await purges(service).open(scope, now);
  projectSettings(service).forget(projectId);
  const isOutOfTime = () => clock(service)() - now >= SWEEP_TIME_MS;
  const { responses, dismissals, withdrawals } = await purges(service).sweepNow(scope, isOutOfTime);
  return {
    ok: true as const,
    mode: 'survey' as const,
    responsesDeleted: responses,
    dismissalsDeleted: dismissals,
    surveySlug,
    note: `The counts are what this request deleted. Execution ${execution} sweeps again once caches and requests in flight are past, then deletes the definition. ${copiesNote(withdrawals)}`,
  };
}
