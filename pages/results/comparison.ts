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
  formatShare,
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

interface ComparedScore extends Compared {
  readonly now: number;
  /** The text after "vs." or "from". */
  readonly than: Html;
  /** The text before the other score. */
  readonly was: Html;
  readonly nobody: Html;
}

function compare(
  type: SurveyType,
  { now, responses, score, difference, than, was, nobody }: ComparedScore,
): Html {
  if (score === null) return html`<p class="about">${nobody}</p>`;
  if (difference === null) return html``;
  const { tone, sign, signed, chance } = sayDifference(type, difference, now);
  const versus = sign === '' ? 'from' : 'vs.';
  return html`<p class="difference"><span class="chip ${tone}">${signed}</span> ${versus} ${than}${chance}</p><p class="about">${was}: ${formatScore(type, score.value)} (${sayAnswers(responses)}). 95% interval of the difference: ${formatPointsInterval(type, difference)}.</p>`;
}

type Other = NonNullable<ResultsReply['previous'] | ResultsReply['against']>;

/** The differences of the choices, for surveys without a score. */
function differenceTable(
  { survey, distribution }: ResultsReply,
  other: Other,
  than: Html,
  nobody: Html,
): Html {
  const { differences, distribution: before = [] } = other;
  if (differences === undefined) return html``;
  const title = html`<header><h3>Compared with ${than}</h3></header>`;
  if (differences === null) return html`${title}<p class="about">${nobody}</p>`;
  const shareIn = (counts: ResultsReply['distribution'], code: string) =>
    formatShare((counts.find((each) => each.code === code)?.share?.value ?? 0) / 100);
  const rows = differences.map(({ code, ...difference }) => {
    const { value, low, high } = difference;
    const isChance = low <= 0 && 0 <= high;
    const sign = value > 0 ? '+' : '';
    return html`<tr><th scope="row"><bdi>${labelOf(survey, code)}</bdi></th><td>${shareIn(distribution, code)}</td><td>${shareIn(before, code)}</td><td>${sign}${formatPoints('choice', value)}</td><td>${formatPointsInterval('choice', difference)}</td><td>${isChance ? 'possibly due to chance' : 'very likely real'}</td></tr>`;
  });
  const heads = ['Choice', 'Share', 'Before', 'Difference', '95% interval', 'Meaning'];
  if (!('from' in other)) heads[2] = 'Other share';
  return html`${title}<div class="scrolls" role="region" aria-label="Differences by choice" tabindex="0"><table><caption>Differences by choice</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div><p class="about">The intervals are adjusted for ${differences.length} choices.</p>`;
}

const labelOf = ({ choices = [] }: ResultsReply['survey'], code: string): string =>
  choices.find((choice) => choice.code === code)?.label ?? code;

/** Empty if there is no comparison, and for open questions. */
export function compareWords(results: ResultsReply): Html {
  const {
    survey: { type },
    from,
    to,
    score,
    previous,
    against,
  } = results;
  if (previous !== undefined) {
    const than = html`${sayDaysBefore({ from, to })}`;
    const nobody = html`No responses in ${than}${orTooFew(results)}.`;
    if (score === null) return differenceTable(results, previous, than, nobody);
    return compare(type, { ...previous, now: score.value, than, was: html`Previously`, nobody });
  }
  if (against === undefined) return html``;
  const than = html`<bdi>${formatValue(against.value)}</bdi>`;
  if (score === null) {
    const nobody = html`No responses for ${than}${orTooFew(results)}.`;
    return differenceTable(results, against, than, nobody);
  }
  return compare(type, {
    ...against,
    now: score.value,
    than,
    was: than,
    nobody: html`No responses for ${than}${orTooFew(results)}.`,
  });
}
