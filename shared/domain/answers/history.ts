/** What a respondent has answered or dismissed, and what of it keeps a survey from being asked (docs/contract.md §8). */

import { DAY, HOUR } from '../duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../project.ts';
import { NEVER } from '../surveys/repeat.ts';
import type { Survey } from '../surveys/survey.ts';

/** When something was last answered, and last dismissed; milliseconds. */
export interface LastTimes {
  readonly answeredAt?: number | undefined;
  readonly dismissedAt?: number | undefined;
}

/** What a respondent has answered or dismissed, erased past included; answers to an observation are no part of it. */
export interface History {
  /** By survey. */
  readonly surveys: ReadonlyMap<string, LastTimes>;
  /** Surveys of an erased past: never to be asked again. */
  readonly erased: ReadonlySet<string>;
  /** When a session, by its mark, had an answer to a survey. */
  readonly sessions: ReadonlyMap<string, number>;
  /** Of any survey. */
  readonly latest: LastTimes;
  /** Times of accepted answers and dismissals; at least all of the last 30 days. */
  readonly times: readonly number[];
  /** When the tokens of answers that no summary holds yet were issued, milliseconds. */
  readonly unfolded?: readonly number[] | undefined;
  /** When the tokens were issued with which a survey was shown, by its id; milliseconds. */
  readonly shows?: ReadonlyMap<string, readonly number[]> | undefined;
  /** There is more than was read: then nothing may be asked but surveys that repeat by observation. */
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
 * What a token is asked for besides the person: a session, perhaps an observation in it. Bootstrap asks for none, so
 * surveys that repeat by one of them are not asked there.
 */
export interface Occasion {
  /** What marks this session, by survey that repeats per session. */
  readonly sessionMarks: ReadonlyMap<string, string>;
  /** The one token id of this observation, by survey that repeats per observation, and whether it is used. */
  readonly observations: ReadonlyMap<string, { readonly tokenId: string; readonly isUsed: boolean }>;
}

export const NO_OCCASION: Occasion = { sessionMarks: new Map(), observations: new Map() };

/** What is older counts as another session: by then it may be folded, however long the project's tokens live. */
export const SESSION_MEMORY_MS = TOKEN_LIFETIME_RANGE_MS.max + DAY;

/** The later of each. */
export function laterOf(one: LastTimes = {}, other: LastTimes = {}): LastTimes {
  const later = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
  return {
    answeredAt: later(one.answeredAt, other.answeredAt),
    dismissedAt: later(one.dismissedAt, other.dismissedAt),
  };
}

/** The later of both; the epoch where there is neither. */
export const lastOf = ({ answeredAt = 0, dismissedAt = 0 }: LastTimes): number =>
  Math.max(answeredAt, dismissedAt);

/** Whether the past keeps a survey from being asked, and until when; undefined: for ever. */
export interface Suppressed {
  readonly isSuppressed: boolean;
  readonly until?: number | undefined;
  /** The answer or dismissal that counts, where it is known. */
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

/**
 * Whether this respondent's past keeps a survey from being asked now, as the survey repeats.
 * @param now milliseconds since the epoch
 */
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

/** Whether a survey is asked for sessions or observations, and so by mint alone. */
export const isAskedByOccasion = ({ repeat }: Survey): boolean =>
  repeat === 'session' || repeat === 'observation';

/** Whether it is, and there is none. */
export function isUnbound({ id, repeat }: Survey, { sessionMarks, observations }: Occasion): boolean {
  if (repeat === 'session') return !sessionMarks.has(id);
  return repeat === 'observation' && !observations.has(id);
}

/**
 * The ids that a reply names as suppressed: of known surveys those that are now, and such as are no longer known.
 * @param surveys the project's, by id
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

/** For clocks that differ, and for a request under way while its token expires. */
const FOLD_MARGIN_MS = HOUR;

/**
 * Answers are folded by the time at which their token was issued, since the table orders them by it. A token issued
 * longer ago than this has expired, so no answer can come to lie among those that are folded already.
 * @param longestTokenLifetimeMs the longest lifetime that tokens of the project ever had; the longest there may be
 * where that is not known
 */
export function foldAgeMs(longestTokenLifetimeMs: number = TOKEN_LIFETIME_RANGE_MS.max): number {
  return longestTokenLifetimeMs + FOLD_MARGIN_MS;
}

/** So many answers are worth a fold: one read and one write of the summary. */
const WORTH_FOLDING = 3;

/**
 * Whether the next answer of this respondent should set off a fold.
 * @param now milliseconds since the epoch
 */
export function isWorthFolding({ unfolded = [] }: History, tokenLifetimeMs: number, now: number): boolean {
  const latest = now - foldAgeMs(tokenLifetimeMs);
  return unfolded.filter((issuedAt) => issuedAt < latest).length >= WORTH_FOLDING;
}
