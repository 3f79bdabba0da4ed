/** What retained suppression says, and what it says once more answers are folded into it. */

import { type AnswerTime, retainedTimes } from '../../domain/answers/erasure.ts';
import { type LastTimes, lastOf, laterOf, SESSION_MEMORY_MS } from '../../domain/answers/history.ts';
import { encodeAsked, encodeSession, LAST_TIME, readAsked, readSessions } from './asked-sets.ts';
import { type Outdated, type Suppression, timeText } from './suppression-item.ts';

/** More sessions than a person rates in a month; the newest are kept, so that the item stays far below 400 KB. */
const MOST_SESSIONS = 1_000;

/** Surveys of one person that have times of their own; 500 without stay within the read unit that answers leave. */
const MOST_TIMED = 100;

/** A time of which it is not known whether it is that of an answer or of a dismissal counts as both. */
export const lastTimes = ({ at, kind }: Pick<AnswerTime, 'at' | 'kind'>): LastTimes => ({
  ...(kind !== 'dismissal' && { answeredAt: at }),
  ...(kind !== 'response' && { dismissedAt: at }),
});

/** An answer as folding looks at it. */
export interface PastAnswer {
  readonly surveyId: string;
  readonly time: AnswerTime;
  readonly sessionMark?: string | undefined;
}

interface RetainedSurveys {
  readonly surveys: Map<string, LastTimes>;
  /** Of an erased past. */
  readonly erased: ReadonlySet<string>;
}

/**
 * Survey ids without times are those of an erased past where there is one. Otherwise they are the older ones of very
 * many, or were folded or imported when no times were kept for them: they count as of the latest time that they can
 * have, so that no respondent is asked too early.
 */
export function readRetained(suppression: Suppression | undefined): RetainedSurveys {
  const surveys = readAsked(suppression?.asked ?? []);
  const { surveyIds = [], untimedUpTo, times = [], erasedAt } = suppression ?? {};
  if (erasedAt !== undefined) {
    const end = Date.parse(erasedAt);
    const before = [...surveys].filter(([, last]) => lastOf(last) <= end).map(([id]) => id);
    return { surveys, erased: new Set([...surveyIds, ...before]) };
  }
  const latest = times.length === 0 ? LAST_TIME : Math.max(...times.map((time) => time.at));
  const at = untimedUpTo ?? latest;
  for (const id of surveyIds) surveys.set(id, laterOf(surveys.get(id), lastTimes({ at })));
  return { surveys, erased: new Set() };
}

export interface Folded {
  readonly asked: ReadonlyMap<string, LastTimes>;
  readonly surveyIds: readonly string[];
  readonly untimedUpTo: number | undefined;
  readonly sessions: ReadonlyMap<string, number>;
  readonly times: readonly AnswerTime[];
}

/** @param now milliseconds since the epoch */
export function foldAnswers(
  before: Suppression | undefined,
  answers: readonly PastAnswer[],
  now: number,
): Folded {
  const { surveys } = readRetained(before);
  const sessions = readSessions(before?.sessions ?? []);
  for (const { surveyId, time, sessionMark: mark } of answers) {
    surveys.set(surveyId, laterOf(surveys.get(surveyId), lastTimes(time)));
    if (mark !== undefined) sessions.set(mark, Math.max(time.at, sessions.get(mark) ?? 0));
  }
  const recent = [...sessions].filter(([, at]) => at > now - SESSION_MEMORY_MS).sort(([, a], [, b]) => b - a);
  const times = [...answers.map(({ time }) => time), ...(before?.times ?? [])];
  const byTime = [...surveys].sort(([, a], [, b]) => lastOf(b) - lastOf(a));
  const untimed = byTime.slice(MOST_TIMED);
  return {
    asked: new Map(byTime.slice(0, MOST_TIMED)),
    surveyIds: untimed.map(([id]) => id),
    untimedUpTo: untimed.length === 0 ? undefined : Math.max(...untimed.map(([, last]) => lastOf(last))),
    sessions: new Map(recent.slice(0, MOST_SESSIONS)),
    // The latest of each kind stays, however long ago: some survey's quiet period may still count from it.
    times: retainedTimes(times, Number.POSITIVE_INFINITY, now),
  };
}

const nameOf = (element: Uint8Array | string): string =>
  typeof element === 'string' ? element : Buffer.from(element).toString('hex');

/** What of the item says nothing any more, once all that is folded has been added to it. */
export function outdatedBy(
  before: Suppression | undefined,
  { asked, sessions, times }: Folded,
): Required<Outdated> {
  const wanted = new Set([
    ...[...asked].map(([id, last]) => nameOf(encodeAsked(id, last) ?? '')),
    ...[...sessions].map(([mark, at]) => nameOf(encodeSession(mark, at))),
    ...times.map(timeText),
  ]);
  const isOutdated = (element: Uint8Array | string) => !wanted.has(nameOf(element));
  return {
    times: (before?.times ?? []).map(timeText).filter(isOutdated),
    asked: (before?.asked ?? []).filter(isOutdated),
    sessions: (before?.sessions ?? []).filter(isOutdated),
    surveyIds: before?.erasedAt === undefined ? (before?.surveyIds ?? []).filter((id) => asked.has(id)) : [],
  };
}
