/** What ratings mean, in words, and which of them count how towards the score. */

import type { SurveyType } from '../../shared/domain/surveys/survey.ts';

export type Tone = 'low' | 'middle' | 'high';

/** Ratings that count alike. */
export interface Part {
  readonly tone: Tone;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Lowest first; of a type without words for the ends alone each is one rating, by the word that people chose. */
export const PARTS: Readonly<Record<SurveyType, readonly Part[]>> = {
  nps: [
    { tone: 'low', name: 'Detractors', from: 0, to: 6 },
    { tone: 'middle', name: 'Passives', from: 7, to: 8 },
    { tone: 'high', name: 'Promoters', from: 9, to: 10 },
  ],
  csat: [
    { tone: 'low', name: 'Dissatisfied', from: 1, to: 2 },
    { tone: 'middle', name: 'Neutral', from: 3, to: 3 },
    { tone: 'high', name: 'Satisfied', from: 4, to: 5 },
  ],
  ces: [
    { tone: 'low', name: 'Disagree', from: 1, to: 3 },
    { tone: 'middle', name: 'Neutral', from: 4, to: 4 },
    { tone: 'high', name: 'Agree', from: 5, to: 7 },
  ],
  pmf: [
    { tone: 'low', name: 'Not disappointed', from: 0, to: 0 },
    { tone: 'middle', name: 'Somewhat disappointed', from: 1, to: 1 },
    { tone: 'high', name: 'Very disappointed', from: 2, to: 2 },
  ],
  thumbs: [
    { tone: 'low', name: 'Thumbs down', from: 0, to: 0 },
    { tone: 'high', name: 'Thumbs up', from: 1, to: 1 },
  ],
};

/** What the ends of the axis mean; of a type whose values have words of their own, none. */
export const END_WORDS: Readonly<Partial<Record<SurveyType, readonly [low: string, high: string]>>> = {
  nps: ['Not at all likely', 'Extremely likely'],
  csat: ['Very dissatisfied', 'Very satisfied'],
  ces: ['Strongly disagree', 'Strongly agree'],
};

export const partOf = (type: SurveyType, rating: number): Part | undefined =>
  PARTS[type].find(({ from, to }) => from <= rating && rating <= to);

export const toneOf = (type: SurveyType, rating: number): Tone => partOf(type, rating)?.tone ?? 'middle';

/** Which ratings are low: `0 to 6`; of a type whose values are words, the word. */
export function lowWords(type: SurveyType): string {
  const [{ name, from, to } = { name: '', from: 0, to: 0 }] = PARTS[type];
  return from === to ? name.toLowerCase() : `${from} to ${to}`;
}

/** A rating as people read it: its number, or the word that they chose, where each has one. */
export const wordOf = (type: SurveyType, rating: number): string =>
  (END_WORDS[type] === undefined && partOf(type, rating)?.name) || String(rating);
