/** What ratings mean, in words, and which of them count how towards the score. */

import { isWorded, type SurveyType, TYPES } from '../../shared/domain/surveys/survey.ts';
import { TYPE_TEXTS } from '../type-texts.ts';

export type Tone = 'low' | 'middle' | 'high';

/** Ratings that count alike. */
export interface Part {
  readonly tone: Tone;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Lowest first; of a type shown as words, each is one rating. */
export function partsOf(type: SurveyType): readonly Part[] {
  const { scale, low, high } = TYPES[type];
  const spans: readonly Omit<Part, 'name'>[] = [
    { tone: 'low', from: scale.min, to: low },
    { tone: 'middle', from: low + 1, to: high - 1 },
    { tone: 'high', from: high, to: scale.max },
  ];
  return spans
    .filter(({ from, to }) => from <= to)
    .map((span, at) => ({ ...span, name: TYPE_TEXTS[type].parts[at] ?? '' }));
}

/** The meanings of the ends of the axis; undefined for a type whose values have words of their own. */
export const endWords = (type: SurveyType): readonly [low: string, high: string] | undefined =>
  isWorded(type) ? undefined : TYPE_TEXTS[type].ends;

export const partOf = (type: SurveyType, rating: number): Part | undefined =>
  partsOf(type).find(({ from, to }) => from <= rating && rating <= to);

export const toneOf = (type: SurveyType, rating: number): Tone => partOf(type, rating)?.tone ?? 'middle';

/** Which ratings are low: `0 to 6`; of a type whose values are words, the word. */
export function lowWords(type: SurveyType): string {
  const [{ name, from, to } = { name: '', from: 0, to: 0 }] = partsOf(type);
  return from === to ? name.toLowerCase() : `${from} to ${to}`;
}

/** A rating as people read it: its number, or the word that they chose, where each has one. */
export const wordOf = (type: SurveyType, rating: number): string =>
  (isWorded(type) && partOf(type, rating)?.name) || String(rating);
