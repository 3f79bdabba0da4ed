/** A change adds the new contribution and subtracts the old one (docs/contract.md §8 and §17). */

import { type GivenAnswer, MODEL_REQUESTED, type Response } from '../answers/answer.ts';
import { addedShows, type Show } from '../answers/shows.ts';
import { dayAt } from '../days.ts';
import { utcMonth } from '../project.ts';
import { completeFromOf, isGone, type Retention } from '../retention.ts';
import {
  countedSegments,
  placeIn,
  type Segment,
  type SegmentedAnswer,
  type ValuePlace,
} from '../surveys/segments.ts';
import { type GenerationMark, type Generations, isIn, isMarked } from './generation.ts';

export type CountedAnswer = CountedResponse | CountedWithdrawn | CountedDismissal;

interface OfSurvey {
  readonly projectId: string;
  readonly surveyId: string;
}

export interface CountedDismissal extends GenerationMark, OfSurvey {
  readonly kind: 'dismissal';
}

/** A withdrawn answer counts only in the total of accepted answers. */
export interface CountedWithdrawn extends GenerationMark, OfSurvey {
  readonly kind: 'withdrawn';
}

export interface CountedResponse
  extends GenerationMark,
    OfSurvey,
    SegmentedAnswer,
    Pick<Response, 'kind' | 'source' | 'rating' | 'text' | 'followUpRequested' | 'reasons' | 'answers'> {}

export interface AnswerChange {
  readonly before: CountedAnswer | undefined;
  readonly after: CountedAnswer | undefined;
  /** The time of the change in ISO 8601 UTC, to the second. */
  readonly at: string;
}

export interface ShowsChange {
  readonly showsBefore: readonly Show[];
  readonly showsAfter: readonly Show[];
}

export const DAY_COUNTERS = [
  'dismissals',
  'shows',
  'comments',
  'followUps',
  'imported',
  'modelRequested',
] as const;
export type DayCounter = (typeof DAY_COUNTERS)[number];

export const VALUE_COUNTERS = ['comments', 'followUps'] as const satisfies readonly DayCounter[];
export type ValueCounter = (typeof VALUE_COUNTERS)[number];

/** The states of a question that a rating asks. */
export const REACHED = ['answered', 'skipped', 'notReached'] as const;
export type Reached = (typeof REACHED)[number];

interface OfValue {
  readonly day: string;
  readonly segment: string;
  readonly place: ValuePlace;
}

export type ResultCounter =
  | { readonly day: string; readonly counter: DayCounter }
  | { readonly day: string; readonly rating: number }
  /** The place of the reason. */
  | { readonly day: string; readonly reason: number }
  /** The places of a question and its choice, or a number of its scale. */
  | { readonly day: string; readonly question: number; readonly value: number }
  | { readonly day: string; readonly question: number; readonly reached: Reached }
  | (OfValue & { readonly rating: number })
  | (OfValue & { readonly counter: ValueCounter })
  /** Responses whose texts and contact requests are counted by value. Older releases did not count those. */
  | { readonly day: string; readonly segment: string; readonly counter: 'byValue' };

export interface Count<Of> {
  readonly of: Of;
  readonly by: number;
}

export interface Contribution {
  readonly projectId: string;
  readonly surveyId: string;
  /** The version that was read; undefined for an unknown survey. */
  readonly version?: number | undefined;
  /** The UTC month. Its count never decreases. */
  readonly accepted?: string | undefined;
  readonly generation: number;
  readonly answered: number;
  readonly results: readonly Count<ResultCounter>[];
}

export interface SurveyCounting {
  readonly segments: readonly Segment[];
  readonly generations: Generations;
  readonly retentions: readonly (Retention | undefined)[];
}

/** Undefined after the survey's purge. */
export type FindCounting = (survey: OfSurvey) => SurveyCounting | undefined;

/** These answers are excluded from the headline. */
const isModelRequested = ({ identityKind }: CountedResponse): boolean => identityKind === MODEL_REQUESTED;

function questionCounters(day: string, { place: question, value, codes = [] }: GivenAnswer): ResultCounter[] {
  const reached = value === undefined ? 'notReached' : value === null ? 'skipped' : 'answered';
  const values = typeof value === 'number' ? [value] : codes;
  return [{ day, question, reached }, ...values.map((each) => ({ day, question, value: each }))];
}

function listCounters(answer: CountedAnswer, segments: readonly Segment[]): ResultCounter[] {
  const day = answer.at.slice(0, 10);
  if (answer.kind === 'withdrawn') return [];
  if (answer.kind === 'dismissal') return [{ day, counter: 'dismissals' }];
  if (isModelRequested(answer)) return [{ day, counter: 'modelRequested' }];
  const { rating, source, text = '', followUpRequested, reasons = [], answers = [] } = answer;
  const counters: ResultCounter[] = [{ day, rating }];
  if (source === 'import') counters.push({ day, counter: 'imported' });
  const said: ValueCounter[] = [];
  if (text.trim() !== '') said.push('comments');
  if (followUpRequested === true) said.push('followUps');
  counters.push(...said.map((counter) => ({ day, counter })));
  counters.push(...reasons.map(({ place }) => ({ day, reason: place })));
  counters.push(...answers.flatMap((answer) => questionCounters(day, answer)));
  for (const each of countedSegments(segments)) {
    const { name: segment } = each;
    const place = placeIn(each, answer);
    if (place === undefined) continue;
    counters.push({ day, rating, segment, place }, { day, segment, counter: 'byValue' });
    counters.push(...said.map((counter) => ({ day, segment, place, counter })));
  }
  return counters;
}

const isAnswered = (answer: CountedAnswer): boolean =>
  answer.kind === 'response' && !isModelRequested(answer);

export function contributionOf(
  answer: CountedAnswer,
  by: 1 | -1,
  { segments, generations: { version } }: Pick<SurveyCounting, 'segments' | 'generations'>,
  generation: number,
): Contribution {
  const { projectId, surveyId } = answer;
  return {
    projectId,
    surveyId,
    version,
    generation,
    answered: isAnswered(answer) ? by : 0,
    results: listCounters(answer, segments).map((of) => ({ of, by })),
  };
}

/** Adds counts that belong to no answer, such as shows. Adds nothing after a purge. */
export function countIn(
  { projectId, surveyId }: OfSurvey,
  counting: SurveyCounting | undefined,
  results: readonly Count<ResultCounter>[],
): Contribution[] {
  if (counting === undefined) return [];
  const { version, counted } = counting.generations;
  return counted.map(({ number }) => ({
    projectId,
    surveyId,
    version,
    generation: number,
    answered: 0,
    results,
  }));
}

function acceptedMonth({ before, after }: AnswerChange): string | undefined {
  const isAccepted = before === undefined && after?.kind === 'response' && after.source === 'sdk';
  return isAccepted ? utcMonth(Date.parse(after.at)) : undefined;
}

/** Results ignore changes such as an acknowledged score. */
function isSame(taken: Contribution, added: Contribution): boolean {
  const toText = ({ projectId, surveyId, generation, results }: Contribution) =>
    JSON.stringify([projectId, surveyId, generation, results.map(({ of }) => of)]);
  return toText(taken) === toText(added);
}

/** Expired answers remain in the results, whoever deletes their rows (docs/contract.md §11.7). */
function isKeptInResults({ before, after, at }: AnswerChange, find: FindCounting): boolean {
  const counting = before !== undefined && after === undefined ? find(before) : undefined;
  if (before === undefined || counting === undefined) return false;
  return isGone(before.at, completeFromOf(counting.retentions, Date.parse(at)));
}

function listCounts(change: AnswerChange, find: FindCounting): Contribution[] {
  const { before, after } = change;
  if (isKeptInResults(change, find)) return [];
  const counts = (answer: CountedAnswer | undefined, by: 1 | -1): Contribution[] => {
    const counting = answer && find(answer);
    if (answer === undefined || counting === undefined) return [];
    return counting.generations.counted
      .filter((each) => isIn(answer, each) && !isMarked(before, after, each))
      .map(({ number }) => contributionOf(answer, by, counting, number));
  };
  const taken = counts(before, -1);
  const added = counts(after, 1);
  return [
    ...taken.filter((each) => !added.some((other) => isSame(each, other))),
    ...added.filter((each) => !taken.some((other) => isSame(other, each))),
  ];
}

export function listContributions(change: AnswerChange, find: FindCounting): Contribution[] {
  const { after } = change;
  const accepted = acceptedMonth(change);
  const counts = listCounts(change, find);
  if (after === undefined || accepted === undefined) return counts;
  const { projectId, surveyId } = after;
  const version = find(after)?.generations.version;
  return [{ projectId, surveyId, version, accepted, generation: 0, answered: 0, results: [] }, ...counts];
}

/** A show counts on the day when its token was issued. Removed shows stay counted. */
export function listShowContributions(
  projectId: string,
  { showsBefore, showsAfter }: ShowsChange,
  find: FindCounting,
): Contribution[] {
  return addedShows(showsBefore, showsAfter).flatMap(({ surveyId, at }) => {
    const survey = { projectId, surveyId };
    return countIn(survey, find(survey), [{ of: { day: dayAt(at), counter: 'shows' }, by: 1 }]);
  });
}
