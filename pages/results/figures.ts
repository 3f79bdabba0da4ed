/** Formats numbers and dates for people, in the terminal, in reports and on the page. */

import type { DaySpan } from '../../shared/domain/days.ts';
import type { ResultScore } from '../../shared/domain/results/score.ts';
import { type Scale, type SurveyType, TYPES } from '../../shared/domain/surveys/survey.ts';

/** The range of the axis. */
export function scoreRange(type: SurveyType): Scale {
  const { figure, scale } = TYPES[type];
  if (figure === 'mean') return scale;
  return { min: figure === 'balance' ? -100 : 0, max: 100 };
}

const isPercent = (type: SurveyType): boolean => /share$|none/.test(TYPES[type].figure);
const isMean = (type: SurveyType): boolean => TYPES[type].figure === 'mean';

const LANGUAGE = 'en-US';

const WHOLE = new Intl.NumberFormat(LANGUAGE);
const SHORT = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumSignificantDigits: 3 });

/** Uses a minus sign (−), but not for values that round to zero. */
function withDigits(digits: number): (value: number) => string {
  const format = new Intl.NumberFormat(LANGUAGE, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
  return (value) => format.format(value).replace('-', '\u2212');
}
const oneDigit = withDigits(1);
const twoDigits = withDigits(2);

export const formatCount = (count: number): string => WHOLE.format(count);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Uses at most five characters, such as 12.3K. */
export const formatShortCount = (count: number): string => SHORT.format(count);

/** @param share from 0 to 1 */
export const formatShare = (share: number): string => `${oneDigit(100 * share)}%`;

const noDigits = withDigits(0);

/** A percentage without its sign; small values are `<1` instead of `0`. */
export function formatWholeShare(share: number): string {
  return share > 0 && share < 0.005 ? '<1' : noDigits(100 * share);
}

export const formatTick = (value: number): string => (Number.isInteger(value) ? noDigits : oneDigit)(value);

export const formatScoreTick = (type: SurveyType, value: number): string =>
  isPercent(type) ? `${formatTick(value)}%` : formatTick(value);

export const shareOf = (count: number, all: number): number => (all === 0 ? 0 : count / all);

export function formatScore(type: SurveyType, value: number): string {
  if (isMean(type)) return twoDigits(value);
  return isPercent(type) ? `${oneDigit(value)}%` : oneDigit(value);
}

/** A score as displayed. The first rounding removes floating-point errors of differences. */
export const roundScore = (type: SurveyType, value: number): number =>
  Number(Number(value.toFixed(9)).toFixed(isMean(type) ? 2 : 1));

/** A distance between two scores. */
export const formatPoints = (type: SurveyType, size: number): string =>
  formatScore(type, size).replace(/%$/, ' points');

export const formatPointsInterval = (
  type: SurveyType,
  { low, high }: { readonly low: number; readonly high: number },
): string => `${formatScore(type, low).replace(/%$/, '')} to ${formatPoints(type, high)}`;

export const formatInterval = (type: SurveyType, { low, high }: ResultScore): string =>
  `${formatScore(type, low)} to ${formatScore(type, high)}`;

export function formatParts(score: ResultScore): string {
  if ('promoters' in score)
    return `${formatCount(score.promoters)} promoters, ${formatCount(score.passives)} passives, ${formatCount(score.detractors)} detractors`;
  if ('mean' in score) return `mean ${twoDigits(score.mean)}`;
  return 'agree' in score ? `${oneDigit(score.agree)}% agree (5 to 7)` : '';
}

export const formatValue = (value: string | null): string => value ?? 'not given';

export const formatDays = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? from : `${from} to ${to}`;

const DATE = new Intl.DateTimeFormat(LANGUAGE, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const SHORT_DATE = new Intl.DateTimeFormat(LANGUAGE, { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** Formats a UTC day or time like Nov 20, 2026. */
export const writeDay = (day: string): string => DATE.format(new Date(day));

const MOMENT = new Intl.DateTimeFormat(LANGUAGE, {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** @param moment milliseconds since the epoch */
export const writeMoment = (moment: number): string => `${MOMENT.format(moment)} UTC`;

export const writeShortDay = (day: string): string => SHORT_DATE.format(new Date(day));

const MONTH = new Intl.DateTimeFormat(LANGUAGE, { timeZone: 'UTC', month: 'short', year: 'numeric' });

export const writeMonth = (day: string): string => MONTH.format(new Date(day));

/** Formats a period like Aug 27 – Nov 24, 2026. */
export const writeSpan = ({ from, to }: DaySpan): string => DATE.formatRange(new Date(from), new Date(to));

/** The mean of a question of kind scale. */
export const sayMean = ({ value, low, high }: Record<'value' | 'low' | 'high', number>): string =>
  `mean ${value.toFixed(1)} (95% interval ${low.toFixed(1)} to ${high.toFixed(1)})`;
