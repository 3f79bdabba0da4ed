/** Sending what changes say has happened to where events wait for the bus. */

import type { EventOutlet } from '../../shared/data/events/event-outlet.ts';
import { readHappenings } from '../../shared/data/events/read-happening.ts';
import { withDeadline } from '../../shared/data/table/deadline.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { Happening } from '../../shared/domain/happening.ts';
import type { Survey } from '../../shared/domain/survey.ts';
import { describeEvent, type EventOptions } from '../events/describe-event.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SettingsCache } from '../runtime/settings-cache.ts';
import type { Change, ChangeConsumer } from './changes.ts';

/** All requests of a batch together, so that a queue that hangs holds up the next batch no longer. */
const SEND_MS = 10 * SECOND;

interface QueueingOptions {
  readonly outlet: EventOutlet;
  readonly settings: SettingsCache;
  readonly options: EventOptions;
  readonly log: Logger;
}

const surveyIdOf = (happening: Happening): string | undefined =>
  'response' in happening
    ? happening.response.surveyId
    : happening.type === 'Dismissal Recorded' || happening.type === 'Survey Shown'
      ? happening.surveyId
      : undefined;

/** @throws when events could be kept nowhere; the others, and all that come again, have the id that they had */
export function createEventQueueing({ outlet, settings, options, log }: QueueingOptions): ChangeConsumer {
  /** A change that cannot be told is passed over: it would hold up all behind it, and be given up in the end. */
  function readOrReport(change: Change): readonly Happening[] {
    try {
      return readHappenings(change);
    } catch (error) {
      log.error({ message: 'an event was not made', record: change.id, error });
      return [];
    }
  }

  /** Settings in memory may be older than the survey. */
  async function findSurvey(projectId: string, surveyId: string): Promise<Survey | undefined> {
    const known = (await settings.load(projectId))?.surveys.get(surveyId);
    return known ?? (await settings.reload(projectId))?.surveys.get(surveyId);
  }

  return async (changes) => {
    const happenings = changes.flatMap(readOrReport);
    if (happenings.length === 0) return;
    const surveys = new Map<string, Promise<Survey | undefined>>();
    const events = await Promise.all(
      happenings.map(async (happening) => {
        const { projectId } = happening;
        const surveyId = surveyIdOf(happening);
        if (surveyId === undefined) return describeEvent(happening, undefined, options);
        const key = `${projectId}#${surveyId}`;
        const survey = surveys.get(key) ?? findSurvey(projectId, surveyId);
        surveys.set(key, survey);
        return describeEvent(happening, await survey, options);
      }),
    );
    await withDeadline(SEND_MS, () => outlet.send(events));
  };
}
