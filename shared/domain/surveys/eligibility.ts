/**
 * Who may be asked what, now (docs/contract.md §8). These rules apply when a show-token is issued and never when
 * an answer arrives.
 */

import {
  type History,
  isAskedByOccasion,
  isUnbound,
  lastOf,
  NO_OCCASION,
  type Occasion,
  suppressionOf,
} from '../answers/history.ts';
import { DAY } from '../duration.ts';
import {
  maxShowsOf,
  nextMonth,
  type ProjectLimits,
  quietAfterDismissalOf,
  showWindowOf,
  type Totals,
  utcMonth,
} from '../project.ts';
import { isActive, type Survey } from './survey.ts';

/** Why a survey is gated for a respondent. */
export const GATES = [
  'suppressed',
  'history_too_long',
  'quiet_period',
  'monthly_cap',
  'shown_often',
  'survey_maximum',
  'project_quota',
] as const;
export type Gate = (typeof GATES)[number];

/** Why there is no link for a respondent, as docs/contract.md §19.1 names it: `not_active` is the rule `inactive`. */
export const LINK_REASONS = ['not_active', 'unbound', ...GATES] as const;

/** The window of the monthly cap. */
export const CAP_WINDOW_MS = 30 * DAY;

interface Rules {
  readonly limits: ProjectLimits;
  readonly totals: Totals;
}

/**
 * Why there is no token: a gate, or one of two reasons that do not lie with the respondent and are not counted as gates.
 * `inactive`: the survey is not. `unbound`: it repeats by session or observation, and the request names none.
 */
export type Rule = 'inactive' | 'unbound' | Gate;

/** Whom a survey may be asked, besides what the survey says itself. */
export interface Asked {
  readonly history: History;
  /** None unless said: that of bootstrap. */
  readonly occasion?: Occasion | undefined;
}

/** What a rule says of one survey and one respondent at one time. */
export interface RuleCheck {
  readonly rule: Rule;
  readonly passed: boolean;
  /** What was counted; of suppression and the quiet period when the answer or dismissal was that counts, milliseconds. */
  readonly value?: number | undefined;
  /** Of the quiet period: which of them it follows. */
  readonly after?: 'answer' | 'dismissal';
  /** What it may be; of the quiet period its length, milliseconds. Zero: the rule is off. */
  readonly limit?: number | undefined;
  /** When the rule will pass if nothing else happens, milliseconds; undefined when time alone does not help. */
  readonly until?: number | undefined;
}

/** A survey about an observation stands beside it and interrupts no work: quiet period and cap do not hold it up. */
const isBeside = ({ repeat }: Survey): boolean => repeat === 'observation';

function checkActive(survey: Survey, now: number): RuleCheck {
  if (isActive(survey, now)) return { rule: 'inactive', passed: true };
  const startsAt = Date.parse(survey.startsAt ?? '');
  const willStart = now < startsAt && isActive(survey, startsAt);
  return { rule: 'inactive', passed: false, until: willStart ? startsAt : undefined };
}

function checkSuppressed(survey: Survey, history: History, occasion: Occasion, now: number): RuleCheck {
  const { isSuppressed, until, since: value } = suppressionOf(survey, history, occasion, now);
  return { rule: 'suppressed', passed: !isSuppressed, value, until };
}

function checkQuietPeriod(
  survey: Survey,
  { latest }: History,
  limits: ProjectLimits,
  now: number,
): RuleCheck {
  const own = survey.limits.ignoreQuietPeriod === true || isBeside(survey) ? 0 : survey.limits.quietPeriodMs;
  const afterAnswer = {
    after: 'answer',
    value: latest.answeredAt,
    limit: own ?? limits.quietPeriodMs,
  } as const;
  const afterDismissal = {
    after: 'dismissal',
    value: latest.dismissedAt,
    limit: own ?? quietAfterDismissalOf(limits),
  } as const;
  const endOf = ({
    value = Number.NEGATIVE_INFINITY,
    limit,
  }: Pick<RuleCheck, 'value'> & { limit: number }) =>
    limit === 0 ? Number.NEGATIVE_INFINITY : value + limit;
  const counts = endOf(afterDismissal) > endOf(afterAnswer) ? afterDismissal : afterAnswer;
  const passed = endOf(counts) <= now;
  return { rule: 'quiet_period', passed, ...counts, until: passed ? undefined : endOf(counts) };
}

function checkMonthlyCap(
  survey: Survey,
  { times }: History,
  { monthlyCap }: ProjectLimits,
  now: number,
): RuleCheck {
  const limit = isBeside(survey) ? 0 : monthlyCap;
  const recent = times.filter((time) => now - time < CAP_WINDOW_MS);
  const passed = limit === 0 || recent.length < limit;
  // As soon as the oldest of the newest `limit` answers is out of the window, one less than the cap is left in it.
  const oldest = passed ? undefined : recent.sort((a, b) => b - a)[limit - 1];
  const until = oldest === undefined ? undefined : oldest + CAP_WINDOW_MS;
  return { rule: 'monthly_cap', passed, value: recent.length, limit, until };
}

/** A respondent who was shown a survey so often, and did not answer or dismiss it since, is not asked it for a while. */
function checkShows(
  survey: Survey,
  { shows, surveys }: History,
  limits: ProjectLimits,
  now: number,
): RuleCheck {
  const [limit, window] = [isBeside(survey) ? 0 : maxShowsOf(limits), showWindowOf(limits)];
  const ended = lastOf(surveys.get(survey.id) ?? {});
  const recent = (shows?.get(survey.id) ?? []).filter((time) => now - time < window && time > ended);
  const passed = limit === 0 || recent.length < limit;
  const oldest = passed ? undefined : recent.sort((a, b) => b - a)[limit - 1];
  const until = oldest === undefined ? undefined : oldest + window;
  return { rule: 'shown_often', passed, value: recent.length, limit, until };
}

function checkMaximum(survey: Survey, { bySurvey }: Totals): RuleCheck {
  const limit = survey.limits.maxResponses ?? 0;
  const value = bySurvey.get(survey.id) ?? 0;
  return { rule: 'survey_maximum', passed: limit === 0 || value < limit, value, limit };
}

function checkQuota({ limits, totals }: Rules, now: number): RuleCheck {
  const limit = limits.monthlyQuota ?? 0;
  const value = totals.byMonth.get(utcMonth(now)) ?? 0;
  const passed = limit === 0 || value < limit;
  return { rule: 'project_quota', passed, value, limit, until: passed ? undefined : nextMonth(now) };
}

/**
 * Every rule in turn; the survey may be asked when all pass. Issuing tokens stops at the first that does not.
 * @param now milliseconds since the epoch
 */
export function* checkRules(
  survey: Survey,
  { history, occasion = NO_OCCASION }: Asked,
  rules: Rules,
  now: number,
): Generator<RuleCheck, void> {
  yield checkActive(survey, now);
  if (isAskedByOccasion(survey)) yield { rule: 'unbound', passed: !isUnbound(survey, occasion) };
  yield checkSuppressed(survey, history, occasion, now);
  yield { rule: 'history_too_long', passed: history.isTooLong !== true || isBeside(survey) };
  yield checkQuietPeriod(survey, history, rules.limits, now);
  yield checkMonthlyCap(survey, history, rules.limits, now);
  yield checkShows(survey, history, rules.limits, now);
  yield checkMaximum(survey, rules.totals);
  yield checkQuota(rules, now);
}

/** The first rule that forbids asking this respondent this survey now, or undefined when none does. */
export function gateOf(survey: Survey, asked: Asked, rules: Rules, now: number): Rule | undefined {
  for (const { rule, passed } of checkRules(survey, asked, rules, now)) if (!passed) return rule;
  return undefined;
}

export interface Eligibility {
  readonly eligible: readonly Survey[];
  readonly gated: readonly { readonly survey: Survey; readonly gate: Gate }[];
}

/** Divides the active ones of the surveys into those that may be asked now and those that may not, with the reason. */
export function decideEligibility(
  surveys: Iterable<Survey>,
  asked: Asked,
  rules: Rules,
  now: number,
): Eligibility {
  const eligible: Survey[] = [];
  const gated: { survey: Survey; gate: Gate }[] = [];
  for (const survey of surveys) {
    const gate = gateOf(survey, asked, rules, now);
    if (gate === undefined) eligible.push(survey);
    else if (gate !== 'inactive' && gate !== 'unbound') gated.push({ survey, gate });
  }
  return { eligible, gated };
}
