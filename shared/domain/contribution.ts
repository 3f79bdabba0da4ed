/**
 * What one answer adds to the numbers: to the totals behind quota and maximum, and to the results of its survey and UTC
 * day. A change of an answer adds what it adds now less what it added before (docs/contract.md §8 and §17).
 */

import { MODEL_REQUESTED } from './answer.ts';
import { dayAt } from './days.ts';
import { utcMonth } from './project.ts';
import { countedSegments, placeIn, type Segment, type SegmentedAnswer, type ValuePlace } from './segments.ts';
import { addedShows, type Show } from './shows.ts';

/** As much of an answer as counting looks at. */
export type CountedAnswer = CountedResponse | CountedDismissal;

interface CountedBase {
  readonly projectId: string;
  readonly surveyId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface CountedDismissal extends CountedBase {
  readonly kind: 'dismissal';
}

export interface CountedResponse extends CountedBase, SegmentedAnswer {
  readonly kind: 'response';
  readonly source: 'sdk' | 'import';
  readonly rating: number;
  readonly text?: string | undefined;
  readonly followUpRequested?: boolean | undefined;
}

export interface AnswerChange {
  readonly before: CountedAnswer | undefined;
  readonly after: CountedAnswer | undefined;
}

export interface ShowsChange {
  readonly showsBefore: readonly Show[];
  readonly showsAfter: readonly Show[];
}

/** Counters of a day of a survey's results, besides those of ratings. */
export const DAY_COUNTERS = [
  'dismissals',
  'shows',
  'comments',
  'followUps',
  'imported',
  'modelRequested',
] as const;
export type DayCounter = (typeof DAY_COUNTERS)[number];

/** One counter of a day's results: of the survey, or of a value of one of its segments. */
export type ResultCounter =
  | { readonly day: string; readonly counter: DayCounter }
  | { readonly day: string; readonly rating: number }
  | { readonly day: string; readonly rating: number; readonly segment: string; readonly place: ValuePlace };

export interface Count<Of> {
  readonly of: Of;
  readonly by: number;
}

/** What a change adds to one survey. */
export interface Contribution {
  readonly projectId: string;
  readonly surveyId: string;
  /** Responses accepted in this UTC month, which never become fewer. */
  readonly accepted?: string | undefined;
  /** Responses among the results. */
  readonly answered: number;
  readonly results: readonly Count<ResultCounter>[];
}

/** Answers that a model asked for stand beside the headline, never in it. */
const isModelRequested = ({ identityKind }: CountedResponse): boolean => identityKind === MODEL_REQUESTED;

function listCounters(answer: CountedAnswer, segments: readonly Segment[]): ResultCounter[] {
  const day = answer.at.slice(0, 10);
  if (answer.kind === 'dismissal') return [{ day, counter: 'dismissals' }];
  if (isModelRequested(answer)) return [{ day, counter: 'modelRequested' }];
  const { rating, source, text = '', followUpRequested } = answer;
  const counters: ResultCounter[] = [{ day, rating }];
  if (source === 'import') counters.push({ day, counter: 'imported' });
  if (text.trim() !== '') counters.push({ day, counter: 'comments' });
  if (followUpRequested === true) counters.push({ day, counter: 'followUps' });
  for (const segment of countedSegments(segments)) {
    const place = placeIn(segment, answer);
    if (place !== undefined) counters.push({ day, rating, segment: segment.name, place });
  }
  return counters;
}

const isAnswered = (answer: CountedAnswer): boolean =>
  answer.kind === 'response' && !isModelRequested(answer);

/** @param segments of a survey; undefined when it is gone, and its results with it */
export type SegmentsOf = (answer: CountedAnswer) => readonly Segment[] | undefined;

function signed(answer: CountedAnswer, by: 1 | -1, findSegments: SegmentsOf): Contribution {
  const { projectId, surveyId } = answer;
  const segments = findSegments(answer);
  if (segments === undefined) return { projectId, surveyId, answered: 0, results: [] };
  return {
    projectId,
    surveyId,
    answered: isAnswered(answer) ? by : 0,
    results: listCounters(answer, segments).map((of) => ({ of, by })),
  };
}

function acceptedMonth({ before, after }: AnswerChange): string | undefined {
  const isAccepted = before === undefined && after?.kind === 'response' && after.source === 'sdk';
  return isAccepted ? utcMonth(Date.parse(after.at)) : undefined;
}

/** What a change of one answer adds; nothing when it adds as much as it takes away. */
export function listContributions(change: AnswerChange, findSegments: SegmentsOf): Contribution[] {
  const { before, after } = change;
  const taken = before === undefined ? [] : [signed(before, -1, findSegments)];
  if (after === undefined) return taken.filter(({ results }) => results.length > 0);
  const added = { ...signed(after, 1, findSegments), accepted: acceptedMonth(change) };
  if (before !== undefined && isSame(taken, added)) return [];
  return [...taken, added].filter(({ accepted, results }) => accepted !== undefined || results.length > 0);
}

/**
 * What a change of one person's shows adds, each on the day on which its token was issued. What is taken out, because it
 * is old or the person was erased, is not taken away.
 */
export function listShowContributions(
  projectId: string,
  { showsBefore, showsAfter }: ShowsChange,
): Contribution[] {
  return addedShows(showsBefore, showsAfter).map(({ surveyId, at }) => ({
    projectId,
    surveyId,
    answered: 0,
    results: [{ of: { day: dayAt(at), counter: 'shows' }, by: 1 }],
  }));
}

/** Whether what is added is what is taken away, as when a score is acknowledged. */
function isSame([taken]: readonly Contribution[], added: Contribution): boolean {
  const toText = ({ projectId, surveyId, results }: Contribution) =>
    JSON.stringify([projectId, surveyId, results.map(({ of }) => of)]);
  return taken !== undefined && added.accepted === undefined && toText(taken) === toText(added);
}
