/** Rules apply when a show-token is issued, never when an answer arrives (docs/contract.md §8). */

import {
  type History,
  isAskedByOccasion,
  isUnbound,
  lastOf,
  MOST_STARTED,
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
  type TypesUnlessSaid,
  utcMonth,
} from '../project.ts';
import {
  isActive,
  isByPerson,
  SURVEY_TYPES,
  type Survey,
  type SurveyContent,
  type SurveyType,
  TYPES,
} from './survey.ts';

export const GATES = [
  'suppressed',
  'history_too_long',
  'quiet_period',
  'monthly_cap',
  'shown_often',
  'answered_often',
  'survey_maximum',
  'project_quota',
] as const;
export type Gate = (typeof GATES)[number];

/** See docs/contract.md §19.1. The reason `not_active` is the rule `inactive`. */
export const LINK_REASONS = ['not_active', 'unbound', ...GATES] as const;

export const CAP_WINDOW_MS = 30 * DAY;

interface Rules {
  readonly limits: ProjectLimits;
  readonly totals: Totals;
}

/**
 * `inactive` and `unbound` are not counted as gates. A survey is `unbound` if it repeats by session or observation and
 * the request names none, or if the person has not opened it.
 */
export type Rule = 'inactive' | 'unbound' | Gate;

/** See docs/contract.md §3.6. */
export const NONE_REASONS = ['unknown_survey', 'inactive', 'unbound', ...GATES] as const;

export const isGate = (rule: Rule): rule is Gate => rule !== 'inactive' && rule !== 'unbound';

export interface Asked {
  readonly history: History;
  readonly occasion?: Occasion | undefined;
}

export interface RuleCheck {
  readonly rule: Rule;
  readonly passed: boolean;
  /** The count. For suppression and the quiet period, the time of the deciding answer or dismissal, milliseconds. */
  readonly value?: number | undefined;
  readonly after?: 'answer' | 'dismissal';
  /** In milliseconds for the quiet period. Zero means that the rule is off. */
  readonly limit?: number | undefined;
  /** In milliseconds. Undefined if waiting never makes the rule pass. */
  readonly until?: number | undefined;
}

/** These surveys do not interrupt people, so quiet period, cap and shows do not apply. */
export const isBeside = (survey: Survey): boolean => survey.repeat === 'observation' || isByPerson(survey);

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
  // Once this answer leaves the window, one more is allowed.
  const oldest = passed ? undefined : recent.sort((a, b) => b - a)[limit - 1];
  const until = oldest === undefined ? undefined : oldest + CAP_WINDOW_MS;
  return { rule: 'monthly_cap', passed, value: recent.length, limit, until };
}

/** A survey pauses after repeated shows without an answer or dismissal. */
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

function checkStarted({ id }: Survey, { started }: Occasion, now: number): RuleCheck {
  const { used: value = 0 } = started.get(id) ?? {};
  const passed = value < MOST_STARTED;
  const until = passed ? undefined : (Math.floor(now / DAY) + 1) * DAY;
  return { rule: 'answered_often', passed, value, limit: MOST_STARTED, until };
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

/** The survey may be asked if all rules pass. Issuing stops at the first rule that fails. */
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
  if (isByPerson(survey)) yield checkStarted(survey, occasion, now);
  yield checkMaximum(survey, rules.totals);
  yield checkQuota(rules, now);
}

export function gateOf(survey: Survey, asked: Asked, rules: Rules, now: number): Rule | undefined {
  for (const { rule, passed } of checkRules(survey, asked, rules, now)) if (!passed) return rule;
  return undefined;
}

export interface Eligibility {
  readonly eligible: readonly Survey[];
  /** With the first rule that fails. */
  readonly refused: readonly { readonly survey: Survey; readonly rule: Rule }[];
}

export function decideEligibility(
  surveys: Iterable<Survey>,
  asked: Asked,
  rules: Rules,
  now: number,
): Eligibility {
  const eligible: Survey[] = [];
  const refused: { survey: Survey; rule: Rule }[] = [];
  for (const survey of surveys) {
    const rule = gateOf(survey, asked, rules, now);
    if (rule === undefined) eligible.push(survey);
    else refused.push({ survey, rule });
  }
  return { eligible, refused };
}

const UNLISTED: Readonly<Record<TypesUnlessSaid, readonly SurveyType[]>> = {
  'first-four': SURVEY_TYPES.filter((type) => TYPES[type].unlisted === 'always'),
  all: SURVEY_TYPES.filter((type) => ['always', 'all'].includes(TYPES[type].unlisted)),
};

/**
 * See docs/contract.md §3.3. The list may contain unknown names.
 * @param said the types, separated by commas, that the client supports besides the first four
 */
export function servedTypes(
  said: string | undefined,
  unlessSaid: TypesUnlessSaid = 'all',
): ReadonlySet<string> {
  const listed = said?.split(',').map((name) => name.trim());
  return new Set(listed === undefined ? UNLISTED[unlessSaid] : [...UNLISTED['first-four'], ...listed]);
}

export const isServedTo = (
  types: ReadonlySet<string>,
  { type, trigger, pages, on }: Pick<SurveyContent, 'type' | 'trigger' | 'pages' | 'on'>,
): boolean =>
  types.has(type) &&
  (trigger !== 'person' || types.has('person')) &&
  (pages === undefined || types.has('pages')) &&
  (on === undefined || types.has('events'));
