import type { Survey } from './client/survey.ts';

/** The fields of a survey that a test needs; the others have defaults. */
export type FakeSurvey = Partial<Survey> & Pick<Survey, 'slug'>;

const SCALES: Readonly<Partial<Record<Survey['type'], Survey['scale']>>> = {
  nps: { min: 0, max: 10 },
  ces: { min: 1, max: 7 },
  pmf: { min: 0, max: 2 },
  thumbs: { min: 0, max: 1 },
  open: { min: 0, max: 0 },
};

export const completeSurvey = ({ type = 'csat', choices, ...survey }: FakeSurvey): Survey => ({
  id: `sv_${survey.slug}`,
  type,
  question: 'How was it?',
  presentation: 'corner',
  trigger: 'manual',
  scale:
    SCALES[type] ??
    (choices ? { min: 0, max: Math.max(...choices.map(({ rating }) => rating)) } : { min: 1, max: 5 }),
  ...(choices && { choices }),
  ...survey,
});
