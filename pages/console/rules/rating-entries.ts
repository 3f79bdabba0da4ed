/** Texts by rating while someone types them. A translation has the same ratings as the entry that it translates. */

import {
  entryScale,
  plainThanks,
  type Rated,
  ratedThanks,
  sameAs,
  thanksOf,
} from '../../../shared/domain/surveys/by-rating.ts';
import {
  type FollowUp,
  hasScale,
  isWorded,
  type RatingThanks,
  type SurveyTexts,
  type SurveyType,
  TYPES,
} from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { spreadLabels } from './typed-values.ts';

type Texts = Pick<SurveyTexts, 'followUps' | 'thanks'>;

/** A list of a survey or of a translation. */
export interface EntryList<Entry extends Rated> {
  readonly of: (texts: Texts) => readonly Entry[];
  readonly write: (texts: Texts, entries: readonly Entry[]) => Texts;
  readonly fits: (type: SurveyType, rating: number) => boolean;
}

const fitsIn =
  (field: 'followUps' | 'thanks') =>
  (type: SurveyType, rating: number): boolean => {
    const { min, max } = entryScale(field, type);
    return hasScale(type) && rating >= min && rating <= max;
  };

export const FOLLOW_UPS: EntryList<FollowUp> = {
  of: ({ followUps = [] }) => followUps,
  write: (_, entries) => ({ followUps: entries.length === 0 ? undefined : [...entries] }),
  fits: fitsIn('followUps'),
};

export const THANKS: EntryList<RatingThanks> = {
  of: ({ thanks }) => ratedThanks(thanks),
  write: ({ thanks }, entries) => ({ thanks: thanksOf(entries, plainThanks(thanks)) }),
  fits: fitsIn('thanks'),
};

/** The path of the message for all other ratings. */
export const plainPath = (thanks: Texts['thanks']): string =>
  Array.isArray(thanks) ? `thanks[${ratedThanks(thanks).length}]` : 'thanks';

/** Names each rating as forms show it: by a number or a word. */
export const ratingNames = ({ type, words }: Pick<WrittenSurvey, 'type' | 'words'>) =>
  spreadLabels(type, words?.values).map((label, at): readonly [rating: number, name: string] => {
    const rating = TYPES[type].scale.min + at;
    return [rating, isWorded(type) ? label || `${TYPE_TEXTS[type].parts[at]}` : `${rating}`];
  });

export const ratingsIn = (entries: readonly Rated[]) => entries.flatMap(({ ratings = [] }) => ratings);

/** @param next the new entries in the places of the old ones. Undefined removes an entry and its translations. */
function withEntries<Entry extends Rated>(
  list: EntryList<Entry>,
  survey: WrittenSurvey,
  next: readonly (Entry | undefined)[],
) {
  const own = list.of(survey);
  const locales = Object.entries(survey.locales ?? {}).map(([tag, texts]) => {
    const translated = list.of(texts).flatMap((each) => {
      const entry = next[own.findIndex(sameAs(each))];
      return entry === undefined ? [] : [{ ...each, ratings: entry.ratings }];
    });
    return [tag, { ...texts, ...list.write(texts, translated) }] as const;
  });
  const kept = next.filter((each) => each !== undefined);
  return {
    ...list.write(survey, kept),
    ...(locales.length > 0 && { locales: Object.fromEntries(locales) }),
  };
}

/** Adds, replaces or removes an entry. Its translations get its ratings, or are removed. */
export const putEntry = <Entry extends Rated>(
  list: EntryList<Entry>,
  survey: WrittenSurvey,
  at: number,
  entry?: Entry,
) => withEntries(list, survey, Object.assign([...list.of(survey)], { [at]: entry }));

function fittingIn<Entry extends Rated>(list: EntryList<Entry>, survey: WrittenSurvey, type: SurveyType) {
  const fits = ({ ratings = [] }: Entry) => ratings.every((rating) => list.fits(type, rating));
  const next = list.of(survey).map((each) => (fits(each) ? each : undefined));
  return withEntries(list, survey, next);
}

/** Removes entries whose ratings the type does not have, and translations without an entry. */
export function fittingEntries(survey: WrittenSurvey, type: SurveyType) {
  const patch = fittingIn(FOLLOW_UPS, survey, type);
  return { ...patch, ...fittingIn(THANKS, { ...survey, ...patch }, type) };
}

/** Entries with their translations. The first of several entries with the same ratings has the translations. */
export function translationsIn<Entry extends Rated>(list: EntryList<Entry>, survey: Texts, texts: Texts) {
  const translated = list.of(texts);
  return list.of(survey).flatMap((own, place, all) => {
    const { ratings = [] } = own;
    if (ratings.length === 0 || all.findIndex(sameAs(own)) !== place) return [];
    const found = translated.findIndex(sameAs(own));
    // A missing translation has a place of its own after all others.
    const at = found < 0 ? translated.length + 1 + place : found;
    const put = (entry: Entry | undefined) =>
      list.write(texts, translated.toSpliced(at, 1, ...(entry === undefined ? [] : [entry])));
    return [{ own, ratings, at, entry: translated[at], put }];
  });
}
