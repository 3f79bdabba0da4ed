/** What an erasure is aimed at, and what of an erased past is kept (docs/contract.md §11.3 and §11.4). */

import { MINUTE } from '../duration.ts';
import { type ProjectSettings, quietAfterDismissalOf } from '../project.ts';
import { CAP_WINDOW_MS } from '../surveys/eligibility.ts';

export const ERASE_MODES = ['respondent', 'survey', 'account'] as const;
export type EraseMode = (typeof ERASE_MODES)[number];

/** The parameters of an erase request. */
export interface EraseParameters {
  readonly respondentId?: string | undefined;
  readonly email?: string | undefined;
  readonly surveySlug?: string | undefined;
  readonly account?: 'true' | undefined;
}

/**
 * The one mode that the parameters select.
 * @returns undefined when they select none, or belong to two modes
 */
export function chooseEraseMode(parameters: EraseParameters): EraseMode | undefined {
  const { respondentId, email, surveySlug, account } = parameters;
  const modes: EraseMode[] = [];
  if (respondentId !== undefined || email !== undefined) modes.push('respondent');
  if (surveySlug !== undefined) modes.push('survey');
  if (account !== undefined) modes.push('account');
  return modes.length === 1 ? modes[0] : undefined;
}

/** A request that found its token unexpired may write as much later than the token's expiry. */
const TOKEN_GRACE_MS = MINUTE;

/**
 * Whether a used token could still be presented, so that it must stay used when its answer is deleted.
 * @param now milliseconds since the epoch
 */
export function isTokenLive(tokenExpiresAt: number, now: number): boolean {
  return now < tokenExpiresAt + TOKEN_GRACE_MS;
}

/**
 * More answers than any monthly cap asks about; the newest of a person's times are kept up to this number, so that
 * the item that keeps them stays far below DynamoDB's 400 KB.
 */
const MOST_TIMES = 1_000;

/** An answer time of an erased past, milliseconds since the epoch, with what tells two of the same millisecond apart. */
export interface AnswerTime {
  readonly at: number;
  readonly tokenId: string;
  /** Undefined: not known, of a summary made before it was kept. */
  readonly kind?: 'response' | 'dismissal' | undefined;
}

const SUFFIX_DIGITS = 8;

/** What an answer time is known by: the token's end keeps two of one millisecond apart. */
export const timeName = ({ at, tokenId }: AnswerTime): string => `${at}#${tokenId.slice(-SUFFIX_DIGITS)}`;

/** The same order for all who ask, so that of two at one moment nobody takes out the one and another the other. */
function byNewest(a: AnswerTime, b: AnswerTime): number {
  if (a.at !== b.at) return b.at - a.at;
  const [one, other] = [timeName(a), timeName(b)];
  return Number(one > other) - Number(one < other);
}

/**
 * The times that quiet period and cap still need: those of the last 30 days, and of each kind the latest while a longer
 * quiet period still counts from it.
 * @param now milliseconds since the epoch
 */
export function retainedTimes(
  times: readonly AnswerTime[],
  longestQuietPeriodMs: number,
  now: number,
): AnswerTime[] {
  const newestFirst = [...times].sort(byNewest);
  const latest = new Set(
    [undefined, 'response', 'dismissal'].map((wanted) => newestFirst.find(({ kind }) => kind === wanted)),
  );
  return newestFirst.filter((time, index) => {
    const age = now - time.at;
    const isRecent = index < MOST_TIMES && age < CAP_WINDOW_MS;
    return isRecent || (latest.has(time) && age < longestQuietPeriodMs);
  });
}

/** The longest quiet period that the project or one of its surveys sets, milliseconds. */
export function longestQuietPeriodMs({
  project,
  surveys,
}: Pick<ProjectSettings, 'project' | 'surveys'>): number {
  const ofSurveys = [...surveys.values()].map(({ limits }) => limits.quietPeriodMs ?? 0);
  const { limits } = project;
  return Math.max(limits.quietPeriodMs, quietAfterDismissalOf(limits), ...ofSurveys);
}
