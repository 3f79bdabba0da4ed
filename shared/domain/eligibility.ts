/**
 * Who may be asked what, now (docs/contract.md §8). These rules apply when a show-token is issued and never when
 * an answer arrives.
 */

import { DAY } from './duration.ts';
import { monthOf, type ProjectLimits, type Totals } from './project.ts';
import { isActive, type Survey } from './survey.ts';

/** Why a survey is gated for a respondent. */
export const GATES = [
  'suppressed',
  'quiet_period',
  'monthly_cap',
  'survey_maximum',
  'project_quota',
] as const;
export type Gate = (typeof GATES)[number];

/** What a respondent has answered or waved away, erased past included. */
export interface History {
  /** Surveys never to be asked again. */
  readonly surveyIds: ReadonlySet<string>;
  /** Moments of accepted answers and dismissals, milliseconds; at least all of the last 30 days and the latest. */
  readonly times: readonly number[];
  /** When the tokens of answers that no summary holds yet were issued, milliseconds. */
  readonly unfolded?: readonly number[] | undefined;
  /** There is more than was read: then nothing may be asked. */
  readonly isTooLong?: boolean | undefined;
}

export const NO_HISTORY: History = { surveyIds: new Set(), times: [] };

/** The window of the monthly cap. */
export const CAP_WINDOW_MS = 30 * DAY;

interface Rules {
  readonly limits: ProjectLimits;
  readonly totals: Totals;
}

function isQuiet(survey: Survey, history: History, limits: ProjectLimits, now: number): boolean {
  const quietPeriodMs = survey.limits.quietPeriodMs ?? limits.quietPeriodMs;
  if (survey.limits.ignoreQuietPeriod === true || quietPeriodMs === 0) return false;
  return history.times.some((time) => now - time < quietPeriodMs);
}

function hasReachedCap(history: History, limits: ProjectLimits, now: number): boolean {
  if (limits.monthlyCap === 0) return false;
  const recent = history.times.filter((time) => now - time < CAP_WINDOW_MS);
  return recent.length >= limits.monthlyCap;
}

function hasReachedMaximum(survey: Survey, totals: Totals): boolean {
  const maximum = survey.limits.maxResponses ?? 0;
  return maximum !== 0 && (totals.bySurvey.get(survey.id) ?? 0) >= maximum;
}

function hasReachedQuota({ limits, totals }: Rules, now: number): boolean {
  const quota = limits.monthlyQuota ?? 0;
  return quota !== 0 && (totals.byMonth.get(monthOf(now)) ?? 0) >= quota;
}

/**
 * The first rule that forbids asking this respondent this survey now, or undefined when none does.
 * @param now milliseconds since the epoch
 */
export function gateOf(survey: Survey, history: History, rules: Rules, now: number): Gate | undefined {
  if (history.surveyIds.has(survey.id)) return 'suppressed';
  if (isQuiet(survey, history, rules.limits, now)) return 'quiet_period';
  if (hasReachedCap(history, rules.limits, now)) return 'monthly_cap';
  if (hasReachedMaximum(survey, rules.totals)) return 'survey_maximum';
  if (hasReachedQuota(rules, now)) return 'project_quota';
  return undefined;
}

export interface Eligibility {
  readonly eligible: readonly Survey[];
  readonly gated: readonly { readonly survey: Survey; readonly gate: Gate }[];
}

/** Divides the active ones of the surveys into those that may be asked now and those that may not, with the reason. */
export function decideEligibility(
  surveys: Iterable<Survey>,
  history: History,
  rules: Rules,
  now: number,
): Eligibility {
  const eligible: Survey[] = [];
  const gated: { survey: Survey; gate: Gate }[] = [];
  for (const survey of surveys) {
    if (!isActive(survey, now)) continue;
    const gate = gateOf(survey, history, rules, now);
    if (gate === undefined) eligible.push(survey);
    else gated.push({ survey, gate });
  }
  return { eligible, gated };
}
