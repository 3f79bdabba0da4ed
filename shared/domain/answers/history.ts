/** docs/contract.md §8. */

import { DAY, HOUR } from '../duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../project.ts';
import { NEVER } from '../surveys/repeat.ts';
import { isByPerson, type Survey } from '../surveys/survey.ts';

/** Milliseconds since the epoch. */
export interface LastTimes {
  readonly answeredAt?: number | undefined;
  readonly dismissedAt?: number | undefined;
}

/** Includes an erased history. Excludes answers to observations. */
export interface History {
  readonly surveys: ReadonlyMap<string, LastTimes>;
  /** Surveys of an erased history, which are never asked again. */
  readonly erased: ReadonlySet<string>;
  /** When each session answered, by session mark. */
  readonly sessions: ReadonlyMap<string, number>;
  readonly latest: LastTimes;
  /** The times of accepted answers and dismissals, for at least 30 days. */
  readonly times: readonly number[];
  /** When the tokens of answers outside the summary were issued. */
  readonly unfolded?: readonly number[] | undefined;
  /** When the tokens of shows were issued, by survey. */
  readonly shows?: ReadonlyMap<string, readonly number[]> | undefined;
  /** True if the history could not be read completely. Only surveys that repeat by observation may then be shown. */
  readonly isTooLong?: boolean | undefined;
}

export const NO_HISTORY: History = {
  surveys: new Map(),
  erased: new Set(),
  sessions: new Map(),
  latest: {},
  times: [],
};

/** Of one survey that people open, by one person and UTC day. */
export const MOST_STARTED = 10;

/** Without one, surveys that repeat by session or observation, or that the person opens, are never asked. */
export interface Occasion {
  readonly sessionMarks: ReadonlyMap<string, string>;
  /** For each survey that repeats by observation, the only token id that it may issue. */
  readonly observations: ReadonlyMap<string, { readonly tokenId: string; readonly isUsed: boolean }>;
  /** For each survey that the person opens: its next token id of this day, and how many are used. */
  readonly started: ReadonlyMap<string, { readonly tokenId: string | undefined; readonly used: number }>;
}

export const NO_OCCASION: Occasion = {
  sessionMarks: new Map(),
  observations: new Map(),
  started: new Map(),
};

/** @returns the only id that the survey's token may have, if the occasion decides it */
export const tokenIdOf = ({ id }: Survey, { observations, started }: Occasion): string | undefined =>
  (observations.get(id) ?? started.get(id))?.tokenId;

/** A mark that is older than this counts as another session, because its answer may be folded. */
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

/** An undefined time means forever. */
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

export function suppressionOf(
  survey: Survey,
  history: History,
  { sessionMarks, observations }: Occasion,
  now: number,
): Suppressed {
  const { id, repeat } = survey;
  if (isByPerson(survey)) return NOT_SUPPRESSED;
  if (repeat === 'observation') return { isSuppressed: observations.get(id)?.isUsed === true };
  if (history.erased.has(id)) return { isSuppressed: true };
  if (repeat !== 'session') return ofDurations(survey, history.surveys.get(id) ?? {}, now);
  const since = history.sessions.get(sessionMarks.get(id) ?? '');
  const until = (since ?? Number.NEGATIVE_INFINITY) + SESSION_MEMORY_MS;
  return until > now ? { isSuppressed: true, until, since } : NOT_SUPPRESSED;
}

export const isAskedByOccasion = (survey: Survey): boolean =>
  survey.repeat === 'session' || survey.repeat === 'observation' || isByPerson(survey);

export function isUnbound(survey: Survey, { sessionMarks, observations, started }: Occasion): boolean {
  const { id, repeat } = survey;
  if (isByPerson(survey)) return !started.has(id);
  if (repeat === 'session') return !sessionMarks.has(id);
  return repeat === 'observation' && !observations.has(id);
}

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

/** Covers clock differences and requests in flight. */
const FOLD_MARGIN_MS = HOUR;

/**
 * The table orders answers by the issue time of their token, and folding uses the same order. After this age a token
 * has expired, so no new answer can appear among folded ones.
 * @param longestTokenLifetimeMs the longest lifetime that the project ever had
 */
export function foldAgeMs(longestTokenLifetimeMs: number = TOKEN_LIFETIME_RANGE_MS.max): number {
  return longestTokenLifetimeMs + FOLD_MARGIN_MS;
}

/** A fold costs one read and one write. */
const WORTH_FOLDING = 3;

export function isWorthFolding({ unfolded = [] }: History, tokenLifetimeMs: number, now: number): boolean {
  const latest = now - foldAgeMs(tokenLifetimeMs);
  return unfolded.filter((issuedAt) => issuedAt < latest).length >= WORTH_FOLDING;
}
