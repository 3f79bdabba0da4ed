/** See docs/contract.md §18.3. */

import type * as z from 'zod/mini';
import type { digest, surveyDigestDetail } from '../../shared/contract/event-schemas.ts';
import { countingOf } from '../../shared/data/results/survey-counting.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { addDays, type DaySpan, daysOfWeek } from '../../shared/domain/days.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import { type CanvassEvent, EVENT_SOURCE } from '../../shared/domain/happening.ts';
import { appearanceOf, type ProjectSettings } from '../../shared/domain/project.ts';
import { choiceCounts } from '../../shared/domain/results/choice-results.ts';
import { comparedWith } from '../../shared/domain/results/difference.ts';
import { sumResults } from '../../shared/domain/results/results.ts';
import { type CellRule, contactRoom } from '../../shared/domain/results/small-cells.ts';
import { isLowRating, type Survey } from '../../shared/domain/surveys/survey.ts';
import { ruleForAll, shownCells } from '../results/shown-cells.ts';
import { clock, type Service } from '../runtime/compose.ts';
import { contactCounter } from '../runtime/parts/contacts.ts';
import { results } from '../runtime/parts/results.ts';

export type Digest = z.output<ReturnType<typeof digest>>;
export type DigestedSurvey = Digest['surveys'][number];

const MOST_CONTACTS = 1_000;
/** Leaves room in an entry for the bus and the queue (EventBridge, PutEvents: 256 KB an entry). */
const MOST_BYTES = 200_000;
const READS_IN_FLIGHT = 4;
/** If small numbers are hidden, contact requests of four weeks are counted, as in the overview. */
const DAYS_BEFORE = 21;

interface Asked {
  readonly service: Service;
  readonly settings: ProjectSettings;
  readonly week: string;
}

interface ReadSurvey {
  readonly digested?: DigestedSurvey;
  readonly isAnswered: boolean;
  readonly isFew: boolean;
  readonly hasRoom: ReturnType<typeof contactRoom>;
}

async function digestSurvey(
  { service, settings }: Asked,
  survey: Survey,
  week: DaySpan,
  rule: CellRule | undefined,
): Promise<ReadSurvey> {
  const { id: surveyId, content } = survey;
  const { slug: surveySlug, type: surveyType, question } = content;
  const before = { from: addDays(week.from, -7), to: addDays(week.from, -1) };
  const { shown: generation } = countingOf(survey, settings).generations;
  const place = { projectId: settings.project.id, surveyId, generation };
  const from = rule === undefined ? before.from : addDays(week.from, -DAYS_BEFORE);
  const days = await shownCells(results(service), survey, rule).days({ ...place, from, to: week.to });
  const hasRoom = contactRoom(days);
  const of = (span: DaySpan) =>
    sumResults(
      surveyType,
      days.filter(({ day }) => day >= span.from && day <= span.to),
      span,
      'week',
    );
  const [now, then] = [of(week), of(before)];
  const { responses, distribution } = now;
  const [isFew = false, isFewBefore = false] = [now, then].map(({ series }) => series[0]?.withheld);
  const isAnswered = responses + then.responses > 0 || isFew || isFewBefore;
  const { score } = now;
  if (responses === 0) return { isAnswered, isFew, hasRoom };
  const lowRatings = distribution
    .filter(({ rating }) => isLowRating(survey, rating))
    .reduce((sum, { count }) => sum + count, 0);
  const digested = {
    surveyId,
    surveySlug,
    surveyType,
    question,
    responses,
    responsesBefore: then.responses,
    ...(isFewBefore && { fewBefore: true as const }),
    score,
    ...(surveyType === 'choice' && { distribution: choiceCounts(survey, now) }),
    difference: comparedWith(surveyType, now, then).difference,
    lowRatings,
  };
  return { digested, isAnswered, isFew: false, hasRoom };
}

function fitting(surveys: readonly DigestedSurvey[], room: number): readonly DigestedSurvey[] {
  let left = room;
  const over = surveys.findIndex((survey) => {
    left -= Buffer.byteLength(JSON.stringify(survey)) + 1;
    return left < 0;
  });
  return over === -1 ? surveys : surveys.slice(0, over);
}

/**
 * A project gets a digest if it has an active survey, answers in this week or the one before, or open contacts. Probe
 * projects and projects that are being purged get none.
 */
export async function digestOf(asked: Asked): Promise<Digest | undefined> {
  const { service, settings, week } = asked;
  const { project, surveys } = settings;
  const days = daysOfWeek(week);
  if (days === undefined || project.probe === true || project.purgedAt !== undefined) return undefined;
  const now = clock(service)();
  // People may forward digests, so small cells are hidden. The week has ended, although perhaps only minutes ago.
  const cells = ruleForAll(project, now);
  const rule = cells && { ...cells, shownTo: days.to };
  const rooms = new Map<string, ReadSurvey['hasRoom']>();
  const read = await inFlight([...surveys.values()], READS_IN_FLIGHT, async (each) => {
    const found = await digestSurvey(asked, each, days, rule);
    rooms.set(each.id, found.hasRoom);
    return found;
  });
  const isGone = goneAnswers(settings, now);
  const isShown = (id: string, at: string): boolean =>
    rule === undefined || rooms.get(id)?.(at.slice(0, 10)) === true;
  const isOpen = (id: string, at: string) => surveys.has(id) && !isGone(id, at) && isShown(id, at);
  const open = await contactCounter(service).open(project.id, MOST_CONTACTS, isOpen);
  const isAsking =
    project.status === 'active' && [...surveys.values()].some(({ status }) => status === 'active');
  if (!isAsking && open.count === 0 && !read.some(({ isAnswered }) => isAnswered)) return undefined;
  const answered = read
    .flatMap(({ digested }) => digested ?? [])
    .sort((a, b) => b.responses - a.responses || a.surveySlug.localeCompare(b.surveySlug));
  const head = {
    projectName: appearanceOf(project).name,
    week,
    ...days,
    openContacts: open.count,
    moreOpenContacts: open.isMore,
    ...(rule !== undefined && { smallestCell: rule.least }),
  };
  const few = read.filter(({ isFew }) => isFew).length;
  const shown = fitting(answered, MOST_BYTES - Buffer.byteLength(JSON.stringify(head)));
  return {
    ...head,
    surveys: [...shown],
    moreSurveys: answered.length - shown.length,
    ...(few > 0 && { surveysWithFew: few }),
  };
}

interface Told {
  readonly digest: Digest;
  readonly projectId: string;
  readonly deployment: string;
}

/** The id and time derive from the project and week, so a repeated event is identical. */
export function digestEvent({ digest, projectId, deployment }: Told): CanvassEvent {
  const detail: z.output<ReturnType<typeof surveyDigestDetail>> = {
    version: 1,
    id: `${projectId}-digest-${digest.week}`,
    at: `${addDays(digest.to, 1)}T00:00:00.000Z`,
    deployment,
    projectId,
    ...digest,
  };
  return { source: EVENT_SOURCE, 'detail-type': 'Survey Digest', detail };
}
