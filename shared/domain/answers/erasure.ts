/** The effects of an erasure (docs/contract.md §11.3 and §11.4). */

import { MINUTE } from '../duration.ts';
import { type ProjectSettings, quietAfterDismissalOf } from '../project.ts';
import { CAP_WINDOW_MS } from '../surveys/eligibility.ts';

export const ERASE_MODES = ['respondent', 'survey', 'account'] as const;
export type EraseMode = (typeof ERASE_MODES)[number];

export interface EraseParameters {
  readonly respondentId?: string | undefined;
  readonly email?: string | undefined;
  readonly surveySlug?: string | undefined;
  readonly account?: 'true' | undefined;
}

export function chooseEraseMode(parameters: EraseParameters): EraseMode | undefined {
  const { respondentId, email, surveySlug, account } = parameters;
  const modes: EraseMode[] = [];
  if (respondentId !== undefined || email !== undefined) modes.push('respondent');
  if (surveySlug !== undefined) modes.push('survey');
  if (account !== undefined) modes.push('account');
  return modes.length === 1 ? modes[0] : undefined;
}

/** A request writes only after it has checked its token. */
const TOKEN_GRACE_MS = MINUTE;

/** The row of a token that can still be presented must keep the token used. */
export function isTokenLive(tokenExpiresAt: number, now: number): boolean {
  return now < tokenExpiresAt + TOKEN_GRACE_MS;
}

/** More than any monthly cap needs. The item stays far below DynamoDB's 400 KB. */
const MOST_TIMES = 1_000;

export interface AnswerTime {
  readonly at: number;
  readonly tokenId: string;
  /** Undefined in older summaries. */
  readonly kind?: 'response' | 'dismissal' | undefined;
}

const SUFFIX_DIGITS = 8;

/** The token id distinguishes times of the same millisecond. */
export const timeName = ({ at, tokenId }: AnswerTime): string => `${at}#${tokenId.slice(-SUFFIX_DIGITS)}`;

/** A total order, so that concurrent writers drop the same times. */
function byNewest(a: AnswerTime, b: AnswerTime): number {
  if (a.at !== b.at) return b.at - a.at;
  const [one, other] = [timeName(a), timeName(b)];
  return Number(one > other) - Number(one < other);
}

/** Quiet period and cap need the last 30 days, and the latest of each kind within a longer quiet period. */
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

export function longestQuietPeriodMs({
  project,
  surveys,
}: Pick<ProjectSettings, 'project' | 'surveys'>): number {
  const ofSurveys = [...surveys.values()].map(({ limits }) => limits.quietPeriodMs ?? 0);
  const { limits } = project;
  return Math.max(limits.quietPeriodMs, quietAfterDismissalOf(limits), ...ofSurveys);
}
