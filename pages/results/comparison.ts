/** A score beside that of the days before, or of another value: the difference, and whether chance alone would make it. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { countDays, type DaySpan } from '../../shared/domain/days.ts';
import type { Compared, Difference } from '../../shared/domain/results/difference.ts';
import type { SurveyType } from '../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../html.ts';
import { formatCount, formatPoints, formatScore, formatValue } from './figures.ts';

interface Said {
  /** What it means: what may be chance means nothing. */
  readonly tone: 'up' | 'down' | 'even';
  readonly sign: string;
  /** How much, and which way; what follows is what it is compared with. */
  readonly much: string;
  /** Behind that. */
  readonly chance: string;
}

/** A difference that is written as nothing is called the same, whatever its interval. */
export function sayDifference(type: SurveyType, { value, low, high }: Difference): Said {
  const size = formatPoints(type, Math.abs(value));
  if (size === formatPoints(type, 0)) return { tone: 'even', sign: '=', much: 'The same as', chance: '' };
  const [tone, sign, way] = value > 0 ? (['up', '▲', 'above'] as const) : (['down', '▼', 'below'] as const);
  const isChance = low <= 0 && 0 <= high;
  return {
    tone: isChance ? 'even' : tone,
    sign,
    much: `${size} ${way}`,
    chance: isChance ? ', within chance' : ', more than chance',
  };
}

/** The days before these, as they are spoken of. */
export function sayDaysBefore(days: DaySpan): string {
  const count = countDays(days);
  return count === 1 ? 'the day before' : `the ${formatCount(count)} days before`;
}

export const sayAnswers = (responses: number): string =>
  `${formatCount(responses)} ${responses === 1 ? 'answer' : 'answers'}`;

interface Other extends Compared {
  /** Behind "above". */
  readonly than: Html;
  /** Behind its score. */
  readonly was: Html;
  readonly nobody: Html;
}

function compare(type: SurveyType, { responses, score, difference, than, was, nobody }: Other): Html {
  if (score === null) return html`<p class="about">${nobody}</p>`;
  if (difference === null) return html``;
  const { tone, sign, much, chance } = sayDifference(type, difference);
  return html`<p class="difference ${tone}"><span class="sign" aria-hidden="true">${sign}</span>${much} ${than}${chance}</p><p class="about">${formatScore(type, score.value)} ${was}, from ${sayAnswers(responses)}</p>`;
}

/** What a reply compares, in words; nothing where it compares nothing, or has no answers itself. */
export function compareWords({ survey: { type }, from, to, score, previous, against }: ResultsReply): Html {
  if (score === null) return html``;
  if (previous !== undefined) {
    const than = html`${sayDaysBefore({ from, to })}`;
    const nobody = html`Nobody answered in ${than}.`;
    return compare(type, { ...previous, than, was: html`then`, nobody });
  }
  if (against === undefined) return html``;
  const than = html`<bdi>${formatValue(against.value)}</bdi>`;
  return compare(type, { ...against, than, was: html`for ${than}`, nobody: html`No answers for ${than}.` });
}
