/** docs/contract.md §6. */

import type { QuestionKind } from '../answers/answer.ts';
import type { Retention } from '../retention.ts';
import type { SurveyEvent } from './conditions.ts';
import { formatRepeat, type Repeat, type WrittenRepeat } from './repeat.ts';
import type { Segment } from './segments.ts';
import type { SurveyMark } from './survey-change.ts';

export const SURVEY_TYPES = ['nps', 'csat', 'ces', 'pmf', 'thumbs', 'choice', 'open'] as const;
export type SurveyType = (typeof SURVEY_TYPES)[number];

export const SURVEY_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;
export type SurveyStatus = (typeof SURVEY_STATUSES)[number];

export const PRESENTATIONS = ['corner', 'inline', 'banner'] as const;
export const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export const TRIGGERS = ['auto', 'manual', 'person'] as const;
export const TARGETING_OPERATORS = ['eq', 'neq', 'in', 'gt', 'lt', 'gte', 'lte', 'exists'] as const;

/** Includes both ends. */
export interface Scale {
  readonly min: number;
  readonly max: number;
}

interface SurveyTypeRecord {
  readonly scale: Scale;
  /** The highest rating of a detractor and the lowest of a promoter. */
  readonly low: number;
  readonly high: number;
  /** The score is promoters minus detractors, the promoters' share (`rated` adds the mean), or the mean. */
  readonly figure: 'balance' | 'share' | 'rated share' | 'mean' | 'none';
  readonly look: 'numbers' | 'faces' | 'words' | 'thumbs' | 'choices' | 'text';
  /** Which clients receive the type if they do not list it: all of them, those of projects that set `all`, or none. */
  readonly unlisted: 'always' | 'all' | 'never';
}

/** The texts are in pages/type-texts.ts and shared/words. */
export const TYPES = {
  nps: {
    ...{ scale: { min: 0, max: 10 }, low: 6, high: 9 },
    ...{ figure: 'balance', look: 'numbers', unlisted: 'always' },
  },
  csat: {
    ...{ scale: { min: 1, max: 5 }, low: 2, high: 4 },
    ...{ figure: 'rated share', look: 'faces', unlisted: 'always' },
  },
  ces: {
    ...{ scale: { min: 1, max: 7 }, low: 3, high: 5 },
    ...{ figure: 'mean', look: 'numbers', unlisted: 'always' },
  },
  pmf: {
    ...{ scale: { min: 0, max: 2 }, low: 0, high: 2 },
    ...{ figure: 'share', look: 'words', unlisted: 'always' },
  },
  thumbs: {
    ...{ scale: { min: 0, max: 1 }, low: 0, high: 1 },
    ...{ figure: 'share', look: 'thumbs', unlisted: 'all' },
  },
  /** The ratings are the numbers of the choices, and `scaleOf` returns those of one survey. */
  choice: {
    ...{ scale: { min: 0, max: 10 }, low: -1, high: 11 },
    ...{ figure: 'none', look: 'choices', unlisted: 'never' },
  },
  open: {
    ...{ scale: { min: 0, max: 0 }, low: -1, high: 1 },
    ...{ figure: 'none', look: 'text', unlisted: 'never' },
  },
} as const satisfies Readonly<Record<SurveyType, SurveyTypeRecord>>;

/** Every value has a word, and forms show only the words. */
export const isWorded = (type: SurveyType): boolean => ['words', 'thumbs'].includes(TYPES[type].look);

/** Choices are low one by one: see `isLowRating`. */
export const isLow = (type: SurveyType, rating: number): boolean => rating <= TYPES[type].low;

/** Other types show no scale. */
export const hasScale = (type: SurveyType): boolean => TYPES[type].figure !== 'none';

/** The person opens the survey (docs/contract.md §6.11). */
export const isByPerson = ({ content }: { readonly content: Pick<SurveyContent, 'trigger'> }): boolean =>
  content.trigger === 'person';

/** The rating of an `open` answer says nothing. */
export const isScored = (type: SurveyType): boolean => type !== 'open';

type Scalar = string | number | boolean | null;

export interface TargetingRule {
  readonly trait: string;
  readonly op: (typeof TARGETING_OPERATORS)[number];
  readonly value?: Scalar | Scalar[] | undefined;
}

export interface SurveyThanks {
  readonly text: string;
  readonly link?: { readonly label: string; readonly url: string };
}

export interface FollowUp {
  /** Values of the scale, lowest first. */
  readonly ratings: number[];
  readonly question: string;
}

export interface RatingThanks extends SurveyThanks {
  /** Absent in the last entry of a list, which is for all other ratings. */
  readonly ratings?: number[] | undefined;
}

export interface SurveyWords {
  readonly send?: string;
  readonly close?: string;
  /** The label of the contact checkbox. */
  readonly contact?: string;
  /** The label of the address field, for unidentified people. */
  readonly contactAddress?: string;
  /** One label per value, lowest first, or one for each end. */
  readonly values?: string[];
}

/** The form of codes, and of ids of questions. */
export const CODE = /^[a-z0-9][a-z0-9-]{0,31}$/;

export interface SurveyReason {
  readonly code: string;
  readonly label: string;
}

export interface SurveyChoice extends SurveyReason {
  /** Counts as a low rating. */
  readonly low?: boolean | undefined;
  /** Asks for a comment. */
  readonly words?: boolean | undefined;
}

/** A choice as it was listed last. */
export type KnownChoice = Pick<SurveyChoice, 'code' | 'label' | 'low'>;

/** A question after the rating (docs/contract.md §6.12). Its id, kind and codes are permanent. */
export interface SurveyQuestion {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly text: string;
  /** Of the kinds `one` and `many`. */
  readonly choices?: SurveyReason[] | undefined;
  /** Of the kind `scale`: whole numbers from 0 to 10, inclusive. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly endLabels?: SurveyContent['endLabels'];
  /** The ratings that ask the question, lowest first. If absent, all do. */
  readonly ratings?: number[] | undefined;
}

/** A question as it was listed last, with all choices that it ever had, oldest first. */
export interface KnownQuestion extends SurveyQuestion {
  /** The last UTC day on which its texts changed. */
  readonly reworded?: string | undefined;
}

export interface QuestionTexts {
  readonly text?: string | undefined;
  readonly choices?: Record<string, string> | undefined;
  readonly endLabels?: SurveyContent['endLabels'];
}

export interface SurveyTexts {
  readonly question?: string | undefined;
  readonly followUpQuestion?: string | undefined;
  /** Entries without a translation are missing. */
  readonly followUps?: FollowUp[] | undefined;
  readonly endLabels?: { readonly low: string; readonly high: string };
  readonly reasons?: Record<string, string>;
  readonly choices?: Record<string, string>;
  /** By the id of the question. */
  readonly questions?: Record<string, QuestionTexts> | undefined;
  readonly thanks?: SurveyThanks | RatingThanks[] | undefined;
  readonly words?: SurveyWords;
}

/** Durations are in milliseconds. */
export interface SurveyLimits {
  readonly maxResponses?: number | undefined;
  readonly quietPeriodMs?: number | undefined;
  readonly ignoreQuietPeriod?: boolean | undefined;
}

export interface SurveyContent {
  readonly slug: string;
  readonly type: SurveyType;
  readonly question: string;
  readonly followUpQuestion?: string | undefined;
  readonly followUps?: FollowUp[] | undefined;
  readonly reasons?: SurveyReason[] | undefined;
  readonly choices?: SurveyChoice[] | undefined;
  /** Asked after the rating, in this order. */
  readonly questions?: SurveyQuestion[] | undefined;
  /** Clients order the choices by person. Those with `words` are last. */
  readonly shuffle?: boolean | undefined;
  readonly presentation: (typeof PRESENTATIONS)[number];
  readonly corner?: (typeof CORNERS)[number] | undefined;
  readonly trigger: (typeof TRIGGERS)[number];
  readonly delayMs?: number | undefined;
  /** The page must match one pattern. If absent, the survey is shown on all pages. */
  readonly pages?: string[] | undefined;
  /** The event that an `auto` survey waits for. */
  readonly on?: SurveyEvent | undefined;
  /** A percentage from 0 to 100. */
  readonly samplePercent?: number | undefined;
  readonly targeting?: TargetingRule[] | undefined;
  readonly endLabels?: { readonly low: string; readonly high: string };
  readonly showBadge?: boolean | undefined;
  /** Surveys with a higher priority come first. Defaults to 0. */
  readonly priority?: number | undefined;
  readonly thanks?: SurveyThanks | RatingThanks[] | undefined;
  readonly words?: SurveyWords | undefined;
  readonly locales?: Record<string, SurveyTexts> | undefined;
}

export interface Survey {
  readonly id: string;
  readonly status: SurveyStatus;
  /** ISO 8601 UTC, inclusive. */
  readonly startsAt?: string | undefined;
  /** ISO 8601 UTC, exclusive. */
  readonly endsAt?: string | undefined;
  /** Equal to `endsAt`, unless an earlier release wrote `endsAt` and took a day for its first instant. */
  readonly endWritten?: string | undefined;
  readonly content: SurveyContent;
  readonly limits: SurveyLimits;
  /** How often a person may be asked. Defaults to once. */
  readonly repeat?: Repeat | undefined;
  /** Applies if it is shorter than the project's. */
  readonly retention?: Retention | undefined;
  /** Every survey also has a breakdown by identity kind. */
  readonly segments?: readonly Segment[] | undefined;
  /** All codes that the survey ever had, oldest first. The place of a code identifies it in results. */
  readonly reasonCodes?: readonly string[] | undefined;
  /** All choices that the survey ever had, oldest first. The place of a choice is its rating. */
  readonly choicesEver?: readonly KnownChoice[] | undefined;
  /** All questions that the survey ever had, oldest first. The place of a question identifies it in results. */
  readonly questionsEver?: readonly KnownQuestion[] | undefined;
  readonly changed?: SurveyMark | undefined;
  /** Set when a purge begins. Routes then treat the survey as unknown. */
  readonly purgedAt?: string | undefined;
}

/** Some texts depend on the rating, or the order of the choices on the person. */
const needsLocales = ({
  type,
  followUps,
  thanks,
}: Pick<SurveyContent, 'type' | 'followUps' | 'thanks'>): boolean =>
  type === 'choice' || followUps !== undefined || Array.isArray(thanks);

export type SurveyDefinition = Omit<SurveyContent, 'choices'> & {
  readonly choices?: (SurveyChoice & { readonly rating: number })[];
  readonly id: string;
  readonly scale: Scale;
  readonly repeat?: WrittenRepeat;
};

export function isActive(survey: Survey, now: number): boolean {
  if (survey.status !== 'active' || survey.purgedAt !== undefined) return false;
  if (survey.startsAt !== undefined && now < Date.parse(survey.startsAt)) return false;
  return survey.endsAt === undefined || now < Date.parse(survey.endsAt);
}

type Choices = Pick<Survey, 'content' | 'choicesEver'>;

/** Moves what the survey lists to the front, in its order. */
export function listedFirst<Each>(
  all: readonly Each[],
  listed: readonly string[],
  nameOf: (each: Each) => string,
): Each[] {
  const ranks = new Map(listed.map((name, rank) => [name, rank]));
  const rankOf = (each: Each): number => ranks.get(nameOf(each)) ?? listed.length;
  return [...all].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Keeps the place of each choice and appends new ones. */
export function knownChoices({ content: { choices = [] }, choicesEver = [] }: Choices): KnownChoice[] {
  const listed = choices.map(({ code, label, low }) => ({ code, label, ...(low && { low }) }));
  return [...new Map([...choicesEver, ...listed].map((choice) => [choice.code, choice])).values()];
}

export function scaleOf(survey: Choices): Scale {
  const { type } = survey.content;
  if (type !== 'choice') return TYPES[type].scale;
  return { min: 0, max: Math.max(0, knownChoices(survey).length - 1) };
}

export function isOnScale(rating: number, survey: Choices): boolean {
  const { min, max } = scaleOf(survey);
  return Number.isInteger(rating) && rating >= min && rating <= max;
}

export function isLowRating(survey: Choices, rating: number): boolean {
  const { type } = survey.content;
  return type === 'choice' ? choiceOf(survey, rating)?.low === true : isLow(type, rating);
}

/** The chosen choice; undefined for other types. */
export const choiceOf = (survey: Choices | undefined, rating: number | undefined): KnownChoice | undefined =>
  survey?.content.type === 'choice' && rating !== undefined ? knownChoices(survey)[rating] : undefined;

export function definitionOf(
  survey: Pick<Survey, 'id' | 'content' | 'repeat' | 'choicesEver'>,
): SurveyDefinition {
  const { id, content, repeat } = survey;
  const { choices, ...others } = content;
  const codes = knownChoices(survey).map(({ code }) => code);
  return {
    id,
    ...others,
    ...(choices !== undefined && {
      choices: choices.map((choice) => ({ ...choice, rating: codes.indexOf(choice.code) })),
    }),
    // Clients do that in the code that chooses the language.
    ...(needsLocales(content) && { locales: content.locales ?? {} }),
    scale: scaleOf(survey),
    ...(repeat !== undefined && { repeat: formatRepeat(repeat) }),
  };
}

export function surveyWithSlug(surveys: Iterable<Survey>, slug: string | undefined): Survey | undefined {
  return [...surveys].find(({ content }) => content.slug === slug);
}

/** @param order survey ids; surveys that are not listed follow by id */
function rankBy(order: readonly string[]): (a: Survey, b: Survey) => number {
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  const rankOf = ({ id }: Survey): number => ranks.get(id) ?? order.length;
  return (a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

/** Sorts surveys in the order in which they are asked (docs/contract.md §6.5): by priority, then `order`. */
export function sortSurveys(surveys: readonly Survey[], order: readonly string[]): Survey[] {
  const byRank = rankBy(order);
  const priorityOf = ({ content }: Survey): number => content.priority ?? 0;
  return [...surveys].sort((a, b) => priorityOf(b) - priorityOf(a) || byRank(a, b));
}

/** @param ids the ids of the file's surveys, in the order of the file */
export function orderAfter(
  ids: readonly string[],
  surveys: readonly Survey[],
  order: readonly string[],
): string[] {
  const listed = new Set(ids);
  const others = [...surveys].sort(rankBy(order)).filter(({ id }) => !listed.has(id));
  return [...ids, ...others.map(({ id }) => id)];
}
