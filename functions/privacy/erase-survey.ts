import { refuse } from '../../shared/contract/errors.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { surveyWithSlug } from '../../shared/domain/surveys/survey.ts';
import { clock, type Service } from '../runtime/compose.ts';
import { purgedDefinitions, purges } from '../runtime/parts/privacy.ts';
import { projectSettings } from '../runtime/settings-cache.ts';

const SWEEP_TIME_MS = 15 * SECOND;

export async function eraseSurvey(
  surveySlug: string,
  settings: ProjectSettings,
  now: number,
  service: Service,
) {
  const projectId = settings.project.id;
  // When a purge is repeated, the settings no longer contain its survey.
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
    note: `The counts are what this request deleted. Execution ${execution} sweeps again after caches and requests in flight have expired, then deletes the definition. ${copiesNote(withdrawals)}`,
  };
}

const THEIRS = 'Copies in other systems are not deleted; erase them there';

export function copiesNote(withdrawals: number): string {
  if (withdrawals === 0) return `${THEIRS}.`;
  const scores = withdrawals === 1 ? '1 score' : `${withdrawals} scores`;
  return `${THEIRS}, except ${scores} that the score adapter is withdrawing from its destinations.`;
}

const COPIES_OF_ACCOUNT = `${THEIRS}, except scores that the score adapter is withdrawing from its destinations: the record of the purge counts them.`;

export async function eraseAccount(projectId: string, now: number, service: Service) {
  const execution = await purges(service).open({ projectId }, now);
  projectSettings(service).forget(projectId);
  return {
    ok: true as const,
    mode: 'account' as const,
    note: `All keys of the project are revoked. Execution ${execution} deletes everything and verifies that nothing is left. ${COPIES_OF_ACCOUNT}`,
  };
}
