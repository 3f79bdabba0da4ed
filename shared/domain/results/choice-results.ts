/** Results of surveys of type `choice` (docs/contract.md §17). */

import { knownChoices, listedFirst, type Survey, scaleOf } from '../surveys/survey.ts';
import { agrestiCaffo, type Difference, ratingsOf } from './difference.ts';
import type { Bar, RatingCount } from './results.ts';
import { type Share, shareOf } from './score.ts';
import { containing, inPercent } from './statistics.ts';

type Choices = Pick<Survey, 'content' | 'choicesEver'>;

export interface ChoiceInOrder {
  readonly code: string;
  readonly label: string;
  readonly low?: boolean;
  readonly rating: number;
}

export interface ChoiceCount extends RatingCount {
  readonly code: string;
  readonly label: string;
  /** `null` without responses. */
  readonly share: Share | null;
}

export interface ChoiceDifference extends Difference {
  readonly code: string;
}

/** The choices that the survey lists, in its order, followed by earlier ones with their last labels. */
export function choicesInOrder(survey: Choices): ChoiceInOrder[] {
  const known: ChoiceInOrder[] = knownChoices(survey).map(({ code, label, low }, rating) => ({
    ...{ code, label, rating },
    ...(low && { low }),
  }));
  const listed = (survey.content.choices ?? []).map(({ code }) => code);
  return listedFirst(known, listed, ({ code }) => code);
}

/** How replies describe the ratings of a survey. */
export const scaleAndChoices = (survey: Choices) => ({
  scale: scaleOf(survey),
  ...(survey.content.type === 'choice' && { choices: choicesInOrder(survey) }),
});

type Counted = Pick<Bar, 'responses' | 'distribution'>;

/** Earlier choices appear only if one of the bars has answers. */
function choicesIn({ content, choicesEver }: Choices, bars: readonly Counted[]): ChoiceInOrder[] {
  const given = new Set(
    bars.flatMap(({ distribution }) =>
      distribution.filter(({ count }) => count > 0).map(({ rating }) => rating),
    ),
  );
  return choicesInOrder({ content, choicesEver }).filter(
    ({ code, rating }) => given.has(rating) || content.choices?.some((listed) => listed.code === code),
  );
}

export function choiceCounts(survey: Choices, bar: Counted): ChoiceCount[] {
  const { responses, distribution } = bar;
  return choicesIn(survey, [bar]).map(({ code, label, rating }) => {
    const count = distribution.find((each) => each.rating === rating)?.count ?? 0;
    return { rating, code, label, count, share: responses === 0 ? null : shareOf(count, responses) };
  });
}

/** Labels the counts of surveys of type `choice`. */
export const withChoices = <Each extends Counted>(survey: Choices, bar: Each) =>
  survey.content.type === 'choice' ? { ...bar, distribution: choiceCounts(survey, bar) } : bar;

/** The normal percentiles 1 − 0.05/2k, for k from 1. */
const ADJUSTED_Z = [
  ...[1.959964, 2.241403, 2.39398, 2.497705, 2.575829, 2.638257],
  ...[2.69011, 2.734369, 2.772921, 2.807034, 2.837597],
] as const;

/**
 * The differences of the shares, in percentage points. The intervals contain all true differences at once in at least
 * 95 % of cases (Bonferroni): O. J. Dunn, "Multiple comparisons among means", Journal of the American Statistical
 * Association 56 (1961) 52–64.
 * @returns null if one side has no answers
 */
export function choiceDifferences(survey: Choices, one: Counted, other: Counted): ChoiceDifference[] | null {
  if (one.responses === 0 || other.responses === 0) return null;
  const choices = choicesIn(survey, [one, other]);
  const z = ADJUSTED_Z[choices.length - 1] ?? Number.POSITIVE_INFINITY;
  const samples = [ratingsOf(one), ratingsOf(other)] as const;
  return choices.map(({ code, rating }) => {
    const [now = 0, then = 0] = samples.map((ratings) => ratings.get(rating));
    const value = 100 * (now / one.responses - then / other.responses);
    const interval = agrestiCaffo(samples, (each) => each === rating, z);
    return { code, value, ...containing(value, inPercent(interval)) };
  });
}
