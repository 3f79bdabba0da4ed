/** A step of the daily sweep (shared/purge/state-machine.ts). */

import * as z from 'zod/mini';
import { EXPIRY_MARGIN_MS } from '../../shared/data/privacy/expiry-sweep.ts';
import { countingOf } from '../../shared/data/results/survey-counting.ts';
import { chunk } from '../../shared/data/table/retry.ts';
import { addDays, dayAt } from '../../shared/domain/days.ts';
import { completeFrom, type ProjectSettings } from '../../shared/domain/project.ts';
import { SWEEP_TIME_MS } from '../../shared/domain/purge.ts';
import { sumResults } from '../../shared/domain/results/results.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { clock, log, type Service } from '../runtime/compose.ts';
import { eventOptions, eventOutlet } from '../runtime/parts/events.ts';
import { expiryProgress, expirySweep } from '../runtime/parts/privacy.ts';
import { projects } from '../runtime/parts/projects.ts';
import { results } from '../runtime/parts/results.ts';
import { projectSettings } from '../runtime/settings-cache.ts';
import { describeEvent } from '../stream/describe-event.ts';

const FIRST_DAY = '1970-01-01';
const EVENTS_AT_ONCE = 100;

/** The id is derived from project, survey and day, so repeated events are identical. */
async function expiredOf(
  service: Service,
  settings: ProjectSettings,
  survey: Survey,
  span: { readonly from: string; readonly to: string },
) {
  const { shown: generation } = countingOf(survey, settings).generations;
  const { project } = settings;
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

async function tellExpired(service: Service, settings: ProjectSettings): Promise<void> {
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

const sweepInput = z.object({
  sweep: z.object({
    at: z.string(),
    projects: z.exactOptional(z.array(z.string())),
    part: z.exactOptional(z.array(z.string())),
    outcomes: z.exactOptional(z.array(z.object({ failed: z.boolean() }))),
  }),
});

/** The ids in 400 parts fit into a state's payload (Step Functions, 256 KB). */
const LEAST_IN_A_PART = 25;
const MOST_PARTS = 400;

async function partsOf(service: Service, at: string, asked: readonly string[] | undefined) {
  // Data of the synthetic monitor expires on its own.
  const all = (await projects(service).list()).filter(({ probe }) => probe !== true).map(({ id }) => id);
  const ids = asked ?? all;
  const size = Math.max(LEAST_IN_A_PART, Math.ceil(ids.length / MOST_PARTS));
  return chunk(ids, size).map((part) => ({ sweep: { at, part } }));
}

async function expireProject(
  service: Service,
  projectId: string,
  isOutOfTime: () => boolean,
): Promise<boolean> {
  const settings = await projectSettings(service).load(projectId);
  if (settings === undefined) return true;
  const { isDone, isGone, ...counts } = await expirySweep(service).sweep(settings, {
    isOutOfTime,
    onFailure: (error) =>
      log(service).error({ message: 'failed to delete an expired answer', projectId, error }),
  });
  if (counts.rows > 0) log(service).info({ message: 'answers expired', projectId, ...counts, isDone });
  if (isDone && !isGone) await tellExpired(service, settings);
  if (isDone && counts.failed > 0) throw new Error(`${counts.failed} answers did not expire`);
  return isDone;
}

/** @throws Error that names the failed projects, after the others are done */
async function expirePart(service: Service, at: string, ids: readonly string[]) {
  const now = clock(service);
  const startedAt = now();
  const isOutOfTime = () => now() - startedAt >= SWEEP_TIME_MS;
  const failed: string[] = [];
  for (const [index, projectId] of ids.entries()) {
    try {
      const isDone = await expireProject(service, projectId, isOutOfTime);
      if (!isDone || isOutOfTime()) {
        const left = [...ids.slice(isDone ? index + 1 : index), ...failed];
        return { sweep: { at, part: left }, more: left.length > 0 };
      }
    } catch (error) {
      log(service).error({ message: 'sweep of expired answers failed', projectId, error });
      failed.push(projectId);
    }
  }
  if (failed.length > 0) throw new Error(`answers of ${failed.join(', ')} did not expire`);
  return { sweep: { at, part: [] }, more: false };
}

export const expire = (service: Service) => async (input: unknown) => {
  const { at, projects: asked, part, outcomes } = sweepInput.parse(input).sweep;
  if (outcomes !== undefined) {
    const failed = outcomes.filter((outcome) => outcome.failed).length;
    if (failed > 0) throw new Error(`${failed} of ${outcomes.length} parts of the sweep failed`);
    return {};
  }
  if (part !== undefined) return expirePart(service, at, part);
  return { sweep: { at }, parts: await partsOf(service, at, asked) };
};
