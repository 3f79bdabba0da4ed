import * as z from 'zod/mini';
import { type AnswerTime, retainedTimes } from '../../domain/answers/erasure.ts';
import { type LastTimes, lastOf, laterOf, SESSION_MEMORY_MS } from '../../domain/answers/history.ts';
import { once } from '../../domain/memory.ts';
import { type Row, readRow } from '../table/row.ts';
import { tokenIdOfAnswer } from '../table/schema.ts';
import {
  encodeAsked,
  encodeSession,
  LAST_TIME,
  type Outdated,
  readAsked,
  readSessions,
  type Suppression,
  supersededIn,
  timeText,
} from './suppression-item.ts';

/** Nobody rates this many sessions in a month. The item stays far below 400 KB. */
const MOST_SESSIONS = 1_000;

/** Together with 500 surveys without times, these fit into the read unit that remains after the answers. */
const MOST_TIMED = 100;

/** A time of unknown kind counts as both. */
export const lastTimes = ({ at, kind }: Pick<AnswerTime, 'at' | 'kind'>): LastTimes => ({
  ...(kind !== 'dismissal' && { answeredAt: at }),
  ...(kind !== 'response' && { dismissedAt: at }),
});

export interface PastAnswer {
  readonly surveyId: string;
  readonly time: AnswerTime;
  readonly sessionMark?: string | undefined;
}

const pastRow = once(() =>
  z.object({
    sk: z.string(),
    type: z.enum(['response', 'dismissal']),
    surveyId: z.string(),
    at: z.string(),
    sessionMark: z.optional(z.string()),
  }),
);

export function readPast(row: Row): PastAnswer {
  const { sk, type: kind, surveyId, at, sessionMark } = readRow(pastRow, row);
  return { surveyId, sessionMark, time: { at: Date.parse(at), tokenId: tokenIdOfAnswer(sk), kind } };
}

interface RetainedSurveys {
  readonly surveys: Map<string, LastTimes>;
  readonly erased: ReadonlySet<string>;
}

/**
 * Survey ids without times belong to an erased past, if any. Otherwise they count with the latest possible time, so
 * nobody is asked too early.
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

/** An answer that an erasure missed or has not deleted yet counts as erased. */
export function foldAnswers(
  before: Suppression | undefined,
  answers: readonly PastAnswer[],
  now: number,
): Folded {
  const { surveys } = readRetained(before);
  const sessions = readSessions(before?.sessions ?? []);
  const erasedUpTo = before?.erasedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(before.erasedAt);
  const isErased = ({ time }: PastAnswer) => time.at <= erasedUpTo;
  for (const { surveyId, time, sessionMark: mark } of answers.filter((answer) => !isErased(answer))) {
    surveys.set(surveyId, laterOf(surveys.get(surveyId), lastTimes(time)));
    if (mark !== undefined) sessions.set(mark, Math.max(time.at, sessions.get(mark) ?? 0));
  }
  const recent = [...sessions].filter(([, at]) => at > now - SESSION_MEMORY_MS).sort(([, a], [, b]) => b - a);
  const times = [...answers.map(({ time }) => time), ...(before?.times ?? [])];
  const byTime = [...surveys].sort(([, a], [, b]) => lastOf(b) - lastOf(a));
  const untimed = byTime.slice(MOST_TIMED);
  return {
    asked: new Map(byTime.slice(0, MOST_TIMED)),
    surveyIds: [...untimed.map(([id]) => id), ...answers.filter(isErased).map(({ surveyId }) => surveyId)],
    untimedUpTo: untimed.length === 0 ? undefined : Math.max(...untimed.map(([, last]) => lastOf(last))),
    sessions: new Map(recent.slice(0, MOST_SESSIONS)),
    // A quiet period may still depend on the latest time of each kind.
    times: retainedTimes(times, Number.POSITIVE_INFINITY, now),
  };
}

export function newsOf(
  { surveyId, time }: PastAnswer,
  before: Suppression | undefined,
  now: number,
): { readonly asked: [string, LastTimes][]; readonly times: AnswerTime[] } {
  const { answeredAt } = readAsked(before?.asked ?? []).get(surveyId) ?? {};
  const isLater = answeredAt === undefined || answeredAt < time.at;
  const times = retainedTimes([time, ...(before?.times ?? [])], Number.POSITIVE_INFINITY, now);
  return { asked: isLater ? [[surveyId, lastTimes(time)]] : [], times: times.includes(time) ? [time] : [] };
}

export const WORTH_TAKING_OUT = 8;

export function superfluousIn({ times, asked }: Suppression, now: number): Outdated | undefined {
  const kept = new Set(retainedTimes(times, Number.POSITIVE_INFINITY, now).map(timeText));
  const outdated = {
    times: times.map(timeText).filter((text) => !kept.has(text)),
    asked: supersededIn(asked),
  };
  return outdated.times.length + outdated.asked.length < WORTH_TAKING_OUT ? undefined : outdated;
}

const nameOf = (element: Uint8Array | string): string =>
  typeof element === 'string' ? element : Buffer.from(element).toString('hex');

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
