/** Two people at once: what somebody else changed since one began, and the survey once one has decided. */

import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { fieldsBetween, fieldsOf, ofFields } from '../../../shared/domain/surveys/written-changes.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { isWrittenSurvey } from './edited-survey.ts';

export interface Difference {
  /** `limits.quietPeriod` */
  readonly field: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Both changed it, each otherwise: nobody but the second can decide. */
  readonly isClash: boolean;
}

/** Whose value of a field is taken. */
export type Side = 'theirs' | 'mine';

interface Versions {
  /** As it was when the second began. */
  readonly base: WrittenSurvey;
  /** As it is now. */
  readonly theirs: WrittenSurvey;
  /** As the second would have it. */
  readonly mine: WrittenSurvey;
}

/** What the first changed, unless the second did just the same. Nothing: the second may publish. */
export function changedByOthers({ base, theirs, mine }: Versions): Difference[] {
  const own = fieldsOf(mine);
  return fieldsBetween(base, theirs)
    .map(({ field, before, after }) => ({
      field,
      base: before,
      theirs: after,
      mine: own.get(field),
      isClash: canonicalText(own.get(field)) !== canonicalText(before),
    }))
    .filter((each) => canonicalText(each.mine) !== canonicalText(each.theirs));
}

/** What the first alone changed is kept unless the second says otherwise. A clash has no answer before it is given. */
export const firstChoices = (differences: readonly Difference[]): ReadonlyMap<string, Side> =>
  new Map(differences.flatMap(({ field, isClash }) => (isClash ? [] : [[field, 'theirs'] as const])));

/**
 * The second's survey, with what they take of the first's.
 * @returns undefined while a clash is undecided
 */
export function merged(versions: Versions, choices: ReadonlyMap<string, Side>): WrittenSurvey | undefined {
  const fields = fieldsOf(versions.mine);
  for (const { field, theirs } of changedByOthers(versions)) {
    const side = choices.get(field);
    if (side === undefined) return undefined;
    if (side === 'mine') continue;
    if (theirs === undefined) fields.delete(field);
    else fields.set(field, theirs);
  }
  const survey = ofFields(fields);
  return isWrittenSurvey(survey) ? survey : undefined;
}
