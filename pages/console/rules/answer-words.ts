/** Words for the answers of a scale as somebody types them: one for each, or the two ends alone. */

import { SCALES, type SurveyType } from '../../../shared/domain/surveys/survey.ts';

/** How many answers there are. */
export const answersOf = (type: SurveyType): number => SCALES[type].max - SCALES[type].min + 1;

/** A text for each answer, lowest first; empty where there is none. */
export function spreadWords(type: SurveyType, values: readonly string[] = []): string[] {
  const count = answersOf(type);
  const isOfEnds = values.length === 2 && count > 2;
  return Array.from({ length: count }, (_, at) =>
    isOfEnds ? ((at === 0 ? values[0] : at === count - 1 ? values[1] : '') ?? '') : (values[at] ?? ''),
  );
}

/**
 * As the survey has them once one is typed.
 * @param before as it has them: what is of the ends alone stays so until another one is typed
 * @returns undefined where none is left
 */
export function typedWords(
  type: SurveyType,
  before: readonly string[] | undefined,
  at: number,
  text: string,
): string[] | undefined {
  const next = spreadWords(type, before).map((each, place) => (place === at ? text : each));
  if (next.every((each) => each === '')) return undefined;
  const isOfEnds = before?.length === 2 && next.slice(1, -1).every((each) => each === '');
  return isOfEnds ? [next[0] ?? '', next.at(-1) ?? ''] : next;
}
