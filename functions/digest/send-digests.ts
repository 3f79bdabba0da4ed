import * as z from 'zod/mini';
import { writeSpan } from '../../pages/results/figures.ts';
import type { TopicMessage } from '../../shared/data/aws/topic-publisher.ts';
import { inFlight, type Pause } from '../../shared/data/table/retry.ts';
import { daysOfWeek, lastWeek } from '../../shared/domain/days.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import { once } from '../../shared/domain/memory.ts';
import { log, type Service } from '../runtime/compose.ts';
import { eventOptions, eventOutlet } from '../runtime/parts/events.ts';
import { projects } from '../runtime/parts/projects.ts';
import { projectSettings } from '../runtime/settings-cache.ts';
import { digestText, oneLine } from './digest-lines.ts';
import { type Digest, digestEvent, digestOf } from './project-digest.ts';

/** The schedule passes `at` every day; operators pass a week. */
export const digestRequest = once(() =>
  z.union([
    z.strictObject({ at: z.iso.datetime(), timeZone: z.optional(z.string()) }),
    z.strictObject({
      week: z.string().check(z.refine((week) => daysOfWeek(week) !== undefined, 'must be a week')),
      projects: z.optional(z.array(z.string())),
    }),
  ]),
);

export interface DigestRun {
  readonly service: Service;
  readonly publish: (message: TopicMessage) => Promise<void>;
  readonly url: string;
  readonly pause: Pause;
}

const isMonday = (at: string, timeZone: string): boolean =>
  new Intl.DateTimeFormat('en', { weekday: 'short', timeZone }).format(Date.parse(at)) === 'Mon';

const PROJECTS_IN_FLIGHT = 2;
const ROUNDS = 3;
const PAUSE_MS = MINUTE;

/** Subjects must be ASCII (SNS, Publish: Subject). */
function subjectOf({ projectName, from, to }: Digest): string {
  const days = writeSpan({ from, to }).replace(/\s*–\s*/, ' to ');
  return `Survey results, ${days}: ${oneLine(projectName).replace(/[^\x20-\x7e]/g, '?')}`.slice(0, 99);
}

/** This state is kept between attempts, so that a retry sends the same numbers and no duplicate event. */
interface Sending {
  readonly projectId: string;
  digest?: Digest | undefined;
  isTold?: true;
}

async function sendDigest({ service, publish, url }: DigestRun, sending: Sending, week: string) {
  const { projectId } = sending;
  if (sending.digest === undefined) {
    const settings = await projectSettings(service).load(projectId);
    sending.digest = settings && (await digestOf({ service, settings, week }));
  }
  const { digest } = sending;
  if (digest === undefined) return;
  const { deployment } = eventOptions(service);
  if (!sending.isTold) await eventOutlet(service)?.send([digestEvent({ digest, projectId, deployment })]);
  sending.isTold = true;
  await publish({
    subject: subjectOf(digest),
    text: `${digestText({ projectId, ...digest }, url)}\n`,
    // Subscriptions filter by this attribute.
    attributes: { projectId },
  });
  log(service).info({ message: 'digest sent', projectId, week, surveys: digest.surveys.length });
}

/**
 * Retries failed projects twice. A failure does not delay other projects.
 * @throws Error that names the projects that failed on every attempt
 */
export async function sendDigests(
  run: DigestRun,
  request: z.output<ReturnType<typeof digestRequest>>,
): Promise<void> {
  const { service, pause } = run;
  // Earlier schedules run on Mondays and pass no time zone.
  if ('at' in request && request.timeZone !== undefined && !isMonday(request.at, request.timeZone)) return;
  const week = 'week' in request ? request.week : lastWeek(Date.parse(request.at));
  const asked = 'week' in request ? request.projects : undefined;
  const ids = asked ?? (await projects(service).list()).map(({ id }) => id);
  let left = ids.map((projectId): Sending => ({ projectId }));
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    if (round > 1) await pause(PAUSE_MS);
    const failed = await inFlight(left, PROJECTS_IN_FLIGHT, async (sending) => {
      try {
        await sendDigest(run, sending, week);
        return [];
      } catch (error) {
        log(service).error({ message: 'digest failed', projectId: sending.projectId, week, error });
        return [sending];
      }
    });
    left = failed.flat();
  }
  const names = left.map(({ projectId }) => projectId).join(', ');
  if (left.length > 0) throw new Error(`digests of ${week} failed: ${names}`);
}
