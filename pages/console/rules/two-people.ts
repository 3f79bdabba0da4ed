import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import {
  fieldsBetween,
  fieldsOf,
  ofFields,
  type WrittenSurvey,
} from '../../../shared/domain/surveys/written-survey.ts';
import { fittingLabels } from './coded-labels.ts';
import { changed, isWrittenSurvey } from './edited-survey.ts';
import { withQuestions } from './questions.ts';
import { fittingEntries } from './rating-entries.ts';

export interface Difference {
  /** A path such as `limits.quietPeriod`. */
  readonly field: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Whether both people changed the field to different values. */
  readonly isClash: boolean;
}

export type Side = 'theirs' | 'mine';

interface Versions {
  readonly base: WrittenSurvey;
  readonly theirs: WrittenSurvey;
  readonly mine: WrittenSurvey;
}

/** Fields that the other person changed to another value. */
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

/** Conflicting fields have no default. */
export const firstChoices = (differences: readonly Difference[]): ReadonlyMap<string, Side> =>
  new Map(differences.flatMap(({ field, isClash }) => (isClash ? [] : [[field, 'theirs'] as const])));

/** Undefined while a field has no choice. */
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
  if (!isWrittenSurvey(survey)) return undefined;
  // One person may have translated a choice that the other removed, or an entry whose ratings the other changed.
  const fitting = changed(survey, fittingLabels(survey));
  const labeled = changed(fitting, withQuestions(fitting));
  return changed(labeled, fittingEntries(labeled, labeled.type));
}
