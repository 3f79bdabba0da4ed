/** Compares a score with the preceding days or another value, and shows whether the difference may be due to chance. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { countDays, type DaySpan } from '../../shared/domain/days.ts';
import type { Compared, Difference } from '../../shared/domain/results/difference.ts';
import type { SurveyType } from '../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../html.ts';
import {
  counted,
  formatCount,
  formatPoints,
  formatPointsInterval,
  formatScore,
  formatValue,
  roundScore,
} from './figures.ts';

interface Said {
  /** `even` if the difference may be due to chance. */
  readonly tone: 'up' | 'down' | 'even';
  readonly sign: string;
  readonly signed: string;
  /** The text before the name of the comparison. */
  readonly much: string;
  readonly chance: string;
}

/**
 * The difference between the rounded scores, so that the displayed numbers add up. Equal rounded scores are unchanged.
 * @param score the current score; the other is `score - value`
 */
export function sayDifference(type: SurveyType, { value, low, high }: Difference, score: number): Said {
  const shown = roundScore(type, score) - roundScore(type, score - value);
  const size = formatPoints(type, Math.abs(shown));
  if (size === formatPoints(type, 0))
    return { tone: 'even', sign: '', signed: 'No difference', much: 'Unchanged from', chance: '' };
  const [tone, sign, way] = shown > 0 ? (['up', '▲', 'above'] as const) : (['down', '▼', 'below'] as const);
  const isChance = low <= 0 && 0 <= high;
  return {
    tone: isChance ? 'even' : tone,
    sign,
    signed: `${shown > 0 ? '+' : '\u2212'}${size}`,
    much: `${size} ${way}`,
    chance: isChance ? ', possibly due to chance' : ', very likely a real difference',
  };
}

export function sayDaysBefore(days: DaySpan): string {
  const count = countDays(days);
  return count === 1 ? 'the previous day' : `the previous ${formatCount(count)} days`;
}

/** If a minimum cell size is set, zero may mean too few (docs/contract.md §17.8). */
export const orTooFew = ({ smallestCell }: Pick<ResultsReply, 'smallestCell'>): string =>
  smallestCell === undefined ? '' : ', or too few to show';

export const sayAnswers = (responses: number): string => counted(responses, 'response');

interface Other extends Compared {
  readonly now: number;
  /** The text after "vs." or "from". */
  readonly than: Html;
  /** The text before the other score. */
  readonly was: Html;
  readonly nobody: Html;
}

function compare(type: SurveyType, { now, responses, score, difference, than, was, nobody }: Other): Html {
  if (score === null) return html`<p class="about">${nobody}</p>`;
  if (difference === null) return html``;
  const { tone, sign, signed, chance } = sayDifference(type, difference, now);
  const versus = sign === '' ? 'from' : 'vs.';
  return html`<p class="difference"><span class="chip ${tone}">${signed}</span> ${versus} ${than}${chance}</p><p class="about">${was}: ${formatScore(type, score.value)} (${sayAnswers(responses)}). 95% interval of the difference: ${formatPointsInterval(type, difference)}.</p>`;
}

/** Empty if there is no comparison or no score. */
export function compareWords(results: ResultsReply): Html {
  const {
    survey: { type },
    from,
    to,
    score,
    previous,
    against,
  } = results;
  if (score === null) return html``;
  if (previous !== undefined) {
    const than = html`${sayDaysBefore({ from, to })}`;
    const nobody = html`No responses in ${than}${orTooFew(results)}.`;
    return compare(type, { ...previous, now: score.value, than, was: html`Previously`, nobody });
  }
  if (against === undefined) return html``;
  const than = html`<bdi>${formatValue(against.value)}</bdi>`;
  return compare(type, {
    ...against,
    now: score.value,
    than,
    was: than,
    nobody: html`No responses for ${than}${orTooFew(results)}.`,
  });
}
