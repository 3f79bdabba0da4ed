import type { SurveyType } from './wire.ts';

/** The highest rating at which a person is asked whether they want to be contacted. */
const LOW: Readonly<Partial<Record<SurveyType, number>>> = { nps: 6, csat: 2, ces: 3 };

/** Whether a person who rates so is asked whether they want to be contacted. */
export function isLowScore(type: SurveyType, rating: number): boolean {
  return rating <= (LOW[type] ?? 0);
}
