/** The digests of a week: an event for each project, and a mail to those who want one of it. */

import * as z from 'zod/mini';
import type { TopicMessage } from '../../shared/data/aws/topic-publisher.ts';
import { inFlight, type Pause } from '../../shared/data/table/retry.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import { once } from '../../shared/domain/memory.ts';
import { daysOfWeek, lastWeek } from '../../shared/domain/weeks.ts';
import {
  eventOptions,
  eventOutlet,
  log,
  projectSettings,
  projects,
  type Service,
} from '../runtime/compose.ts';
import { digestEvent } from './digest-event.ts';
import { digestText, oneLine } from './digest-lines.ts';
import { type Digest, digestOf } from './project-digest.ts';

/** What the function is invoked with: by the schedule when it was due, by hand a week, and projects where not all. */
export const digestRequest = once(() =>
  z.union([
    z.strictObject({ at: z.iso.datetime() }),
    z.strictObject({
      week: z.string().check(z.refine((week) => daysOfWeek(week) !== undefined, 'must be a week')),
      projects: z.optional(z.array(z.string())),
    }),
  ]),
);

export interface DigestRun {
  readonly service: Service;
  readonly publish: (message: TopicMessage) => Promise<void>;
  /** Of the service, without a slash at its end. */
  readonly url: string;
  readonly pause: Pause;
}

const PROJECTS_IN_FLIGHT = 2;
const ROUNDS = 3;
const PAUSE_MS = MINUTE;

/** In ASCII, which a subject has to be (SNS, Publish: Subject). */
const subjectOf = ({ projectName, week }: Digest): string =>
  `Surveys, ${week}: ${oneLine(projectName).replace(/[^\x20-\x7e]/g, '?')}`.slice(0, 99);

async function sendDigest({ service, publish, url }: DigestRun, projectId: string, week: string) {
  const settings = await projectSettings(service).load(projectId);
  const digest = settings && (await digestOf({ service, settings, week }));
  if (digest === undefined) return;
  const { deployment } = eventOptions(service);
  await eventOutlet(service)?.send([digestEvent({ digest, projectId, deployment })]);
  await publish({
    subject: subjectOf(digest),
    text: `${digestText(digest, url)}\n`,
    // By which a subscription says of which projects it wants one.
    attributes: { projectId },
  });
  log(service).info({ message: 'digest sent', projectId, week, surveys: digest.surveys.length });
}

/**
 * A project whose digest cannot be made or sent holds up no other, and is tried again twice.
 * @throws Error naming those that failed to the end
 */
export async function sendDigests(
  run: DigestRun,
  request: z.output<ReturnType<typeof digestRequest>>,
): Promise<void> {
  const { service, pause } = run;
  const week = 'week' in request ? request.week : lastWeek(Date.parse(request.at));
  const asked = 'week' in request ? request.projects : undefined;
  let left = asked ?? (await projects(service).list()).map(({ id }) => id);
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    if (round > 1) await pause(PAUSE_MS);
    const failed = await inFlight(left, PROJECTS_IN_FLIGHT, async (projectId) => {
      try {
        await sendDigest(run, projectId, week);
        return [];
      } catch (error) {
        log(service).error({ message: 'a digest failed', projectId, week, error });
        return [projectId];
      }
    });
    left = failed.flat();
  }
  if (left.length > 0) throw new Error(`digests of ${week} failed: ${left.join(', ')}`);
}
