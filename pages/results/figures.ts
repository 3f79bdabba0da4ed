/** Figures of results as people read them: in the terminal, in the report and on the page. */

import type { ResultScore } from '../../shared/domain/results/score.ts';
import type { SurveyType } from '../../shared/domain/surveys/survey.ts';

/** What the score of a type says. */
export const SCORE_NAMES: Readonly<Record<SurveyType, string>> = {
  nps: 'Net Promoter Score',
  csat: 'Satisfied (4 or 5)',
  ces: 'Effort score (mean of 1 to 7)',
  pmf: 'Would be very disappointed',
  thumbs: 'Thumbs up',
};

/** The ends of the axis on which scores of a type are drawn. */
export const SCORE_RANGE: Readonly<Record<SurveyType, { readonly min: number; readonly max: number }>> = {
  nps: { min: -100, max: 100 },
  csat: { min: 0, max: 100 },
  ces: { min: 1, max: 7 },
  pmf: { min: 0, max: 100 },
  thumbs: { min: 0, max: 100 },
};

const WHOLE = new Intl.NumberFormat('en');
/** What rounds to nothing has no sign. */
const withDigits = (digits: number) =>
  new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
const ONE_DIGIT = withDigits(1);
const TWO_DIGITS = withDigits(2);

export const formatCount = (count: number): string => WHOLE.format(count);

/** @param share from 0 to 1 */
export const formatShare = (share: number): string => `${ONE_DIGIT.format(100 * share)} %`;

export const shareOf = (count: number, all: number): number => (all === 0 ? 0 : count / all);

/** A score, or an end of its interval. */
export function formatScore(type: SurveyType, value: number): string {
  if (type === 'ces') return TWO_DIGITS.format(value);
  return type === 'nps' ? ONE_DIGIT.format(value) : `${ONE_DIGIT.format(value)} %`;
}

export const formatInterval = (type: SurveyType, { low, high }: ResultScore): string =>
  `${formatScore(type, low)} to ${formatScore(type, high)}`;

/** The parts of a score, in one line. */
export function formatParts(score: ResultScore): string {
  switch (score.metric) {
    case 'nps':
      return `${formatCount(score.promoters)} promoters, ${formatCount(score.passives)} passives, ${formatCount(score.detractors)} detractors`;
    case 'csat':
      return `mean ${TWO_DIGITS.format(score.mean)}`;
    case 'ces':
      return `${ONE_DIGIT.format(score.agree)} % agree (5 to 7)`;
    case 'pmf':
    case 'thumbs':
      return '';
  }
}

/** A value of a segment; null is what those answers have that do not say. */
export const formatValue = (value: string | null): string => value ?? 'not given';

export const formatDays = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? from : `${from} to ${to}`;
