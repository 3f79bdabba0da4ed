/** A respondent's earlier answers and dismissals, and the surveys that they suppress (docs/contract.md §8). */

import { DAY, HOUR } from '../duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../project.ts';
import { NEVER } from '../surveys/repeat.ts';
import type { Survey } from '../surveys/survey.ts';

/** Milliseconds since the epoch. */
export interface LastTimes {
  readonly answeredAt?: number | undefined;
  readonly dismissedAt?: number | undefined;
}

/** Includes an erased past. Excludes answers to observations. */
export interface History {
  readonly surveys: ReadonlyMap<string, LastTimes>;
  /** Surveys of an erased past, which are never asked again. */
  readonly erased: ReadonlySet<string>;
  /** When each session, by its mark, answered a survey. */
  readonly sessions: ReadonlyMap<string, number>;
  readonly latest: LastTimes;
  /** Times of accepted answers and dismissals; at least all of the last 30 days. */
  readonly times: readonly number[];
  /** When the tokens of answers that are in no summary yet were issued, milliseconds. */
  readonly unfolded?: readonly number[] | undefined;
  /** When the tokens of each survey's shows were issued, milliseconds. */
  readonly shows?: ReadonlyMap<string, readonly number[]> | undefined;
  /** More exists than was read: only surveys that repeat by observation may be asked. */
  readonly isTooLong?: boolean | undefined;
}

export const NO_HISTORY: History = {
  surveys: new Map(),
  erased: new Set(),
  sessions: new Map(),
  latest: {},
  times: [],
};

/**
 * The session or observation that a token is minted for. Bootstrap has none, so it never asks surveys that repeat by
 * either.
 */
export interface Occasion {
  /** The session's mark, by survey that repeats per session. */
  readonly sessionMarks: ReadonlyMap<string, string>;
  /** The observation's only token id, by survey that repeats per observation. */
  readonly observations: ReadonlyMap<string, { readonly tokenId: string; readonly isUsed: boolean }>;
}

export const NO_OCCASION: Occasion = { sessionMarks: new Map(), observations: new Map() };

/** An older mark counts as another session: its answer may be folded by then, whatever the project's token lifetime. */
export const SESSION_MEMORY_MS = TOKEN_LIFETIME_RANGE_MS.max + DAY;

export function laterOf(one: LastTimes = {}, other: LastTimes = {}): LastTimes {
  const later = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
  return {
    answeredAt: later(one.answeredAt, other.answeredAt),
    dismissedAt: later(one.dismissedAt, other.dismissedAt),
  };
}

export const lastOf = ({ answeredAt = 0, dismissedAt = 0 }: LastTimes): number =>
  Math.max(answeredAt, dismissedAt);

/** Whether the past suppresses a survey, and until when; undefined means forever. */
export interface Suppressed {
  readonly isSuppressed: boolean;
  readonly until?: number | undefined;
  readonly since?: number | undefined;
}

const NOT_SUPPRESSED: Suppressed = { isSuppressed: false };

function ofDurations({ repeat }: Survey, last: LastTimes, now: number): Suppressed {
  const { answeredMs = Number.POSITIVE_INFINITY, dismissedMs = Number.POSITIVE_INFINITY } =
    typeof repeat === 'object' ? repeat : NEVER;
  const ends: readonly (readonly [number | undefined, number])[] = [
    [last.answeredAt, answeredMs],
    [last.dismissedAt, dismissedMs],
  ];
  let latest = NOT_SUPPRESSED;
  for (const [since, wait] of ends) {
    if (since === undefined) continue;
    const until = since + wait;
    if (until > now && until > (latest.until ?? now)) latest = { isSuppressed: true, until, since };
  }
  const finite = (time: number | undefined) => (Number.isFinite(time) ? time : undefined);
  return { ...latest, until: finite(latest.until), since: finite(latest.since) };
}

/** @param now milliseconds since the epoch */
export function suppressionOf(
  survey: Survey,
  history: History,
  { sessionMarks, observations }: Occasion,
  now: number,
): Suppressed {
  const { id, repeat } = survey;
  if (repeat === 'observation') return { isSuppressed: observations.get(id)?.isUsed === true };
  if (history.erased.has(id)) return { isSuppressed: true };
  if (repeat !== 'session') return ofDurations(survey, history.surveys.get(id) ?? {}, now);
  const since = history.sessions.get(sessionMarks.get(id) ?? '');
  const until = (since ?? Number.NEGATIVE_INFINITY) + SESSION_MEMORY_MS;
  return until > now ? { isSuppressed: true, until, since } : NOT_SUPPRESSED;
}

export const isAskedByOccasion = ({ repeat }: Survey): boolean =>
  repeat === 'session' || repeat === 'observation';

export function isUnbound({ id, repeat }: Survey, { sessionMarks, observations }: Occasion): boolean {
  if (repeat === 'session') return !sessionMarks.has(id);
  return repeat === 'observation' && !observations.has(id);
}

/**
 * The suppressed ids of a reply: suppressed surveys, and ids that are no longer known.
 * @param surveys of the project, by id
 */
export function listSuppressed(
  surveys: ReadonlyMap<string, Survey>,
  history: History,
  occasion: Occasion,
  now: number,
): string[] {
  const ids = new Set([...history.surveys.keys(), ...history.erased, ...occasion.observations.keys()]);
  return [...ids].filter((id) => {
    const survey = surveys.get(id);
    if (survey === undefined) return true;
    return !isUnbound(survey, occasion) && suppressionOf(survey, history, occasion, now).isSuppressed;
  });
}

/** For clock differences, and requests in flight when their token expires. */
const FOLD_MARGIN_MS = HOUR;

/**
 * The table orders answers by the time their token was issued, and folding follows that order. After this age a token
 * has expired, so no new answer can appear among folded ones.
 * @param longestTokenLifetimeMs the longest that the project ever had
 */
export function foldAgeMs(longestTokenLifetimeMs: number = TOKEN_LIFETIME_RANGE_MS.max): number {
  return longestTokenLifetimeMs + FOLD_MARGIN_MS;
}

/** Fewer answers do not pay for a fold: one read and one write of the summary. */
const WORTH_FOLDING = 3;

/**
 * Whether the next answer should trigger a fold.
 * @param now milliseconds since the epoch
 */
export function isWorthFolding({ unfolded = [] }: History, tokenLifetimeMs: number, now: number): boolean {
  const latest = now - foldAgeMs(tokenLifetimeMs);
  return unfolded.filter((issuedAt) => issuedAt < latest).length >= WORTH_FOLDING;
}
