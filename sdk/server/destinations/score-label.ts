import type { PendingScore } from '../contract-types.ts';

type SurveyType = PendingScore['surveyType'];

/** From a rating on, in the words of the survey's type; the highest that applies. */
const LABELS: Readonly<Record<SurveyType, readonly (readonly [from: number, label: string])[]>> = {
  nps: [
    [9, 'promoter'],
    [7, 'passive'],
    [0, 'detractor'],
  ],
  csat: [
    [4, 'satisfied'],
    [3, 'neutral'],
    [1, 'dissatisfied'],
  ],
  ces: [
    [5, 'agree'],
    [4, 'neutral'],
    [1, 'disagree'],
  ],
  pmf: [
    [2, 'very_disappointed'],
    [1, 'somewhat_disappointed'],
    [0, 'not_disappointed'],
  ],
  thumbs: [
    [1, 'up'],
    [0, 'down'],
  ],
};

/** What a rating means, in one of few words; undefined for one that is on no scale. */
export const scoreLabel = (type: SurveyType, rating: number): string | undefined =>
  LABELS[type].find(([from]) => rating >= from)?.[1];
