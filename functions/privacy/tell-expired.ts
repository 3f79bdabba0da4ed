/** See docs/contract.md §18.1. */

import { EXPIRY_MARGIN_MS } from '../../shared/data/privacy/expiry-sweep.ts';
import { chunk } from '../../shared/data/table/retry.ts';
import { addDays, dayAt } from '../../shared/domain/days.ts';
import { completeFrom, type ProjectSettings } from '../../shared/domain/project.ts';
import { FIRST_GENERATIONS } from '../../shared/domain/results/generation.ts';
import { sumResults } from '../../shared/domain/results/results.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { describeEvent } from '../events/describe-event.ts';
import { clock, type Service } from '../runtime/compose.ts';
import { eventOptions, eventOutlet } from '../runtime/parts/events.ts';
import { expiryProgress } from '../runtime/parts/privacy.ts';
import { results } from '../runtime/parts/results.ts';

/** Sorts before every real day. */
const FIRST_DAY = '1970-01-01';
const EVENTS_AT_ONCE = 100;

/** The id derives from project, survey and day, so repeated events are identical. */
async function expiredOf(
  service: Service,
  { project, totals }: ProjectSettings,
  survey: Survey,
  span: { readonly from: string; readonly to: string },
) {
  const { shown: generation } = totals.generations?.get(survey.id) ?? FIRST_GENERATIONS;
  const where = { projectId: project.id, surveyId: survey.id, generation };
  const days = await results(service).days({ ...where, ...span });
  const at = `${dayAt(clock(service)())}T00:00:00.000Z`;
  return days.flatMap((counts) => {
    const { day } = counts;
    const { type } = survey.content;
    const { responses, modelRequested, dismissals } = sumResults(
      type,
      [counts],
      { from: day, to: day },
      'day',
    );
    if (responses + modelRequested + dismissals === 0) return [];
    const happening = {
      type: 'Responses Expired' as const,
      ...{ id: `${project.id}-${survey.id}-expired-${day}`, at, projectId: project.id, surveyId: survey.id },
      ...{ day, responses: responses + modelRequested, dismissals },
    };
    return [describeEvent(happening, survey, eventOptions(service))];
  });
}

export async function tellExpired(service: Service, settings: ProjectSettings): Promise<void> {
  const { id: projectId } = settings.project;
  const now = clock(service)() - EXPIRY_MARGIN_MS;
  const ended = [...settings.surveys.values()]
    .map((survey) => ({ survey, keptFrom: completeFrom(settings, survey.id, now) }))
    .filter(({ keptFrom }) => keptFrom !== '');
  if (ended.length === 0) return;
  const told = await expiryProgress(service).told(projectId);
  const untold = ended.filter(({ survey, keptFrom }) => (told.get(survey.id) ?? '') < keptFrom);
  if (untold.length === 0) return;
  const outlet = eventOutlet(service);
  for (const { survey, keptFrom } of outlet === undefined ? [] : untold) {
    const span = { from: told.get(survey.id) ?? FIRST_DAY, to: addDays(keptFrom, -1) };
    const events = await expiredOf(service, settings, survey, span);
    for (const some of chunk(events, EVENTS_AT_ONCE)) await outlet?.send(some);
  }
  const days = ended.map(({ survey, keptFrom }) => [survey.id, keptFrom] as const);
  await expiryProgress(service).keepTold(projectId, new Map(days));
}
