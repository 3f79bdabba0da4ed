import { readHappenings } from '../../shared/data/events/read-happening.ts';
import { UnreadableSettings } from '../../shared/data/projects/project-record.ts';
import { HOUR } from '../../shared/domain/duration.ts';
import type { CanvassEvent, Happening } from '../../shared/domain/happening.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { expiryOf } from '../../shared/domain/retention.ts';
import { isOnScale, type Survey } from '../../shared/domain/surveys/survey.ts';
import { clock, log, type Service } from '../runtime/compose.ts';
import { eventOptions, eventOutlet } from '../runtime/parts/events.ts';
import { projectSettings } from '../runtime/settings-cache.ts';
import type { Change, ChangeConsumer } from './consume.ts';
import { describeEvent } from './describe-event.ts';

/** The stream drops records after six hours, and then later changes would not be counted. */
const KEPT_TRYING_MS = 5 * HOUR;

/** A choice may be newer than the settings. */
function isKnown(survey: Survey | undefined, happening: Happening): boolean {
  const rating = 'response' in happening ? happening.response.rating : undefined;
  return survey !== undefined && (rating === undefined || isOnScale(rating, survey));
}

const surveyIdOf = (happening: Happening): string | undefined =>
  'response' in happening
    ? happening.response.surveyId
    : happening.type === 'Dismissal Recorded' || happening.type === 'Survey Shown'
      ? happening.surveyId
      : undefined;

/**
 * Makes no call without events.
 * @throws if events could not be stored and the newest is less than five hours old; repeated events keep their ids
 */
export function createEventQueueing(service: Service): ChangeConsumer {
  const outlet = eventOutlet(service);
  if (outlet === undefined) return async () => undefined;
  const options = eventOptions(service);

  /** Unreadable records would block all later changes. */
  function readOrReport(change: Change): readonly Happening[] {
    try {
      return readHappenings(change);
    } catch (error) {
      log(service).error({ message: 'event could not be created', record: change.id, error });
      return [];
    }
  }

  /** Returns undefined if the settings cannot be read, so that other events do not wait. */
  async function settingsOf(surveyId: string, happening: Happening): Promise<ProjectSettings | undefined> {
    const { projectId } = happening;
    try {
      const known = await projectSettings(service).load(projectId);
      return isKnown(known?.surveys.get(surveyId), happening)
        ? known
        : await projectSettings(service).reload(projectId);
    } catch (error) {
      if (!(error instanceof UnreadableSettings)) throw error;
      log(service).error({ message: 'events sent without survey slug and type', projectId, surveyId, error });
      return undefined;
    }
  }

  /** Events may wait longer than their answers are kept. */
  function withTextUntil(
    event: CanvassEvent,
    happening: Happening,
    settings: ProjectSettings | undefined,
  ): CanvassEvent {
    if (!('response' in happening) || !options.includeText || settings === undefined) return event;
    const { surveyId, answeredAt } = happening.response;
    const retentions = [settings.project.retention, settings.surveys.get(surveyId)?.retention];
    const expiry = expiryOf(answeredAt, retentions, clock(service)());
    return expiry === undefined ? event : { ...event, textUntil: new Date(expiry).toISOString() };
  }

  return async (changes) => {
    const told = changes.map((change) => ({ at: change.at, happenings: readOrReport(change) }));
    const happenings = told.flatMap((each) => each.happenings);
    if (happenings.length === 0) return;
    const found = new Map<string, Promise<ProjectSettings | undefined>>();
    const events = await Promise.all(
      happenings.map(async (happening) => {
        const surveyId = surveyIdOf(happening);
        if (surveyId === undefined) return describeEvent(happening, undefined, options);
        const rating = 'response' in happening ? happening.response.rating : undefined;
        const key = `${happening.projectId}#${surveyId}#${rating}`;
        const reading = found.get(key) ?? settingsOf(surveyId, happening);
        found.set(key, reading);
        const settings = await reading;
        const event = describeEvent(happening, settings?.surveys.get(surveyId), options);
        return withTextUntil(event, happening, settings);
      }),
    );
    try {
      await outlet.send(events);
    } catch (error) {
      const times = told.flatMap(({ at, happenings: made }) => (made.length > 0 ? [at] : [])).sort();
      const [from = ''] = times;
      const to = times.at(-1) ?? from;
      if (clock(service)() - Date.parse(to) < KEPT_TRYING_MS) throw error;
      log(service).error({
        message: 'events were lost',
        from,
        to,
        measures: { events_lost: events.length },
        error,
      });
    }
  };
}
