/** Texts that depend on the rating (docs/contract.md §6.9). */

import {
  type FollowUp,
  type RatingThanks,
  type Scale,
  type SurveyContent,
  type SurveyTexts,
  type SurveyThanks,
  type SurveyType,
  TYPES,
} from './survey.ts';

type Texts = Pick<SurveyTexts, 'followUpQuestion' | 'followUps' | 'thanks'>;

/** The texts that older clients and releases know. */
interface PlainTexts {
  readonly followUpQuestion?: string | undefined;
  readonly thanks?: SurveyThanks | undefined;
}

export const thanksList = (thanks: Texts['thanks']): readonly RatingThanks[] =>
  thanks === undefined ? [] : Array.isArray(thanks) ? thanks : [thanks];

export const plainThanks = (thanks: Texts['thanks']): SurveyThanks | undefined =>
  thanksList(thanks).find(({ ratings }) => ratings === undefined);

export const ratedThanks = (thanks: Texts['thanks']): RatingThanks[] =>
  thanksList(thanks).filter(({ ratings }) => ratings !== undefined);

/** A list without ratings means the same as its only entry. */
export function onlyPlain(thanks: Texts['thanks']): SurveyThanks | undefined {
  const [first, second] = thanksList(thanks);
  return second === undefined && first?.ratings === undefined ? first : undefined;
}

/** @param rated the entries with ratings */
export function thanksOf(
  rated: readonly RatingThanks[],
  plain: SurveyThanks | undefined,
): SurveyThanks | RatingThanks[] | undefined {
  if (rated.length === 0) return plain;
  return plain === undefined ? [...rated] : [...rated, plain];
}

/** The first entry that contains the rating applies, and otherwise the text for all ratings. */
export function textsFor({ followUpQuestion, followUps = [], thanks }: Texts, rating: number): PlainTexts {
  const question = followUps.find(({ ratings }) => ratings.includes(rating))?.question;
  const said = ratedThanks(thanks).find(({ ratings = [] }) => ratings.includes(rating));
  const { ratings: _, ...own } = said ?? {};
  return {
    followUpQuestion: question ?? followUpQuestion,
    thanks: said === undefined ? plainThanks(thanks) : { text: said.text, ...own },
  };
}

export interface Rated {
  readonly ratings?: readonly number[] | undefined;
}

/** The ratings that entries can have. Thumbs ask for more only after a thumb down. */
export function entryScale(field: 'followUps' | 'thanks', type: SurveyType): Scale {
  const { min, max } = TYPES[type].scale;
  return { min, max: field === 'followUps' && type === 'thumbs' ? min : max };
}

interface RatingProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export const sameAs = ({ ratings }: Rated) => {
  const wanted = String(ratings);
  return (other: Rated): boolean => String(other.ratings) === wanted;
};

/** @param problemOf what is wrong with the ratings of an entry, which may be absent in the last thank-you message */
function problemsOfTexts(
  { followUps = [], thanks }: Texts,
  problemOf: (field: 'followUps' | 'thanks', entry: Rated) => string | false,
): RatingProblem[] {
  const given = Array.isArray(thanks) ? thanks : [];
  const inThanks = (entry: Rated, at: number) => {
    if (entry.ratings !== undefined) return problemOf('thanks', entry);
    return at < given.length - 1 && 'must not be missing, except in the last entry';
  };
  const found = [
    ...followUps.map((entry, at) => ({ path: ['followUps', at], message: problemOf('followUps', entry) })),
    ...given.map((entry, at) => ({ path: ['thanks', at], message: inThanks(entry, at) })),
  ];
  return found.flatMap(({ path, message }) => (message ? [{ path: [...path, 'ratings'], message }] : []));
}

/** A translation names the ratings of the text that it translates. */
export function ratingProblems(survey: Texts & Pick<SurveyContent, 'type' | 'locales'>): RatingProblem[] {
  const { type, followUps = [], thanks, locales = {} } = survey;
  const own = { followUps, thanks: ratedThanks(thanks) };
  const ofSurvey = problemsOfTexts(survey, (field, { ratings = [] }) => {
    const { min, max } = entryScale(field, type);
    return (
      ratings.some((rating) => rating < min || rating > max) && `must have only ratings from ${min} to ${max}`
    );
  });
  const ofLocales = Object.entries(locales).flatMap(([tag, texts]) =>
    problemsOfTexts(
      texts,
      (field, entry) => !own[field].some(sameAs(entry)) && `must be the ratings of an entry of ${field}`,
    ).map(({ path, message }) => ({ path: ['locales', tag, ...path], message })),
  );
  return [...ofSurvey, ...ofLocales];
}

/** The survey's own entries, translated as far as there are translations. */
export function translateTexts(own: Texts, texts: Texts): Texts {
  const { followUps, thanks } = own;
  const plain = plainThanks(texts.thanks) ?? plainThanks(thanks);
  const list = ratedThanks(thanks).map((each) => ratedThanks(texts.thanks).find(sameAs(each)) ?? each);
  return {
    followUpQuestion: texts.followUpQuestion ?? own.followUpQuestion,
    followUps: followUps?.map((each) => texts.followUps?.find(sameAs(each)) ?? each),
    thanks: thanksOf(list, plain),
  };
}

/** Texts of a survey that older releases do not support. */
interface AddedTexts {
  readonly followUps?: FollowUp[] | undefined;
  readonly thanks?: RatingThanks[] | undefined;
}

export interface AddedContent extends AddedTexts {
  readonly locales?: Readonly<Record<string, AddedTexts>>;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function splitTexts<Given extends Texts>({ followUps, thanks, ...others }: Given) {
  const plain = plainThanks(thanks);
  const rated = ratedThanks(thanks);
  const added: AddedTexts = {
    ...(followUps !== undefined && { followUps }),
    ...(rated.length > 0 && { thanks: rated }),
  };
  return { plain: { ...others, ...(plain !== undefined && { thanks: plain }) }, added };
}

const joinTexts = ({ thanks, ...others }: Texts, { followUps, thanks: rated = [] }: AddedTexts) => {
  const joined = thanksOf(rated, plainThanks(thanks));
  return {
    ...others,
    ...(followUps !== undefined && { followUps }),
    ...(joined !== undefined && { thanks: joined }),
  };
};

/**
 * Older releases and clients receive the plain content. An older release that changes it keeps the rest in place, so
 * the rest may name languages that no longer exist.
 */
export function splitContent(content: SurveyContent): {
  readonly plain: SurveyContent;
  readonly added: AddedContent | undefined;
} {
  const { locales, ...texts } = content;
  const own = splitTexts(texts);
  const translated = Object.entries(locales ?? {}).map(([tag, each]) => [tag, splitTexts(each)] as const);
  const kept = translated.filter(([, { added }]) => !isEmpty(added));
  const added = {
    ...own.added,
    ...(kept.length > 0 && { locales: Object.fromEntries(kept.map(([tag, each]) => [tag, each.added])) }),
  };
  const plain = {
    ...own.plain,
    ...(locales !== undefined && {
      locales: Object.fromEntries(translated.map(([tag, each]) => [tag, each.plain])),
    }),
  };
  return { plain, added: isEmpty(added) ? undefined : added };
}

export function joinContent(plain: SurveyContent, added: AddedContent | undefined): SurveyContent {
  if (added === undefined) return plain;
  const { locales, ...texts } = plain;
  const translated = Object.entries(locales ?? {}).map(
    ([tag, each]) => [tag, joinTexts(each, added.locales?.[tag] ?? {})] as const,
  );
  return {
    ...texts,
    ...joinTexts(texts, added),
    ...(locales !== undefined && { locales: Object.fromEntries(translated) }),
  };
}
