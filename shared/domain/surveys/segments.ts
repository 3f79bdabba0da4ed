/**
 * Segments: the values of traits, labels, task types and channels by which a survey's results are told apart. The value
 * of an answer depends on the answer and on the declaration alone, whenever it is asked, so that what was added can be taken away.
 */

import { ASKED_KINDS, type Traits } from '../answers/answer.ts';
import type { Labels } from '../answers/labels.ts';
import { MINUTE } from '../duration.ts';

export const MOST_SEGMENTS = 3;
export const MOST_SEGMENT_VALUES = 20;
/** Of one survey, with those that are no longer declared. */
export const MOST_SEGMENTS_EVER = 10;
export const MOST_VALUES_EVER = 60;

/** What every survey's results are told apart by. */
export const IDENTITY_SEGMENT = 'identityKind';
const TASK_TYPE_SEGMENT = 'taskType';

/** The value of every answer whose own is not declared. */
export const OTHER_VALUE = 'other';
/** By which the answers that have no value are asked for. */
export const NO_VALUE = 'null';
/** The answers of values that are shown together, since each has too few (docs/contract.md §17.8). */
export const FEW_VALUE = 'few';

/** What a segment's values may be of. */
export const SEGMENT_SOURCES = ['trait', 'label', 'taskType', 'channel'] as const;
export type SegmentSource = (typeof SEGMENT_SOURCES)[number];

interface Declaration {
  /** ISO 8601 UTC: earlier answers are not counted so; absent means that all are. */
  readonly since?: string | undefined;
  /** No longer in the survey file. It is counted all the same: what was added must be taken away when it is erased. */
  readonly retired?: boolean | undefined;
}

export interface SegmentValue extends Declaration {
  readonly text: string;
}

/** Values are only ever appended, since a value's place is its code in the table. */
export interface Segment extends Declaration {
  /** Of a trait or a label also that one's own. */
  readonly name: string;
  /** Absent: the trait of this name, or the task type where that is the name. It never changes. */
  readonly from?: SegmentSource | undefined;
  readonly values: readonly SegmentValue[];
}

export interface SourcedValues {
  readonly from: SegmentSource;
  readonly values: readonly string[];
}

/** Values, and what they are of where the name does not say it. */
type DeclaredSegment = readonly string[] | SourcedValues;

/** As a survey file declares them, by name. */
export type DeclaredSegments = Readonly<Record<string, DeclaredSegment>>;

const isSourced = (declared: DeclaredSegment): declared is SourcedValues => 'from' in declared;
export const valuesOf = (declared: DeclaredSegment): readonly string[] =>
  isSourced(declared) ? declared.values : declared;

const sourceBy = (name: string): SegmentSource => (name === TASK_TYPE_SEGMENT ? 'taskType' : 'trait');

/** What the values of a segment are of. */
export const sourceOf = ({ name, from }: Pick<Segment, 'name' | 'from'>): SegmentSource =>
  from ?? sourceBy(name);

/** The same, as a survey file declares it. */
export const declaredSource = (name: string, declared: DeclaredSegment): SegmentSource =>
  isSourced(declared) ? declared.from : sourceBy(name);

/** In the short form where the name says what the values are of. */
export const declareAs = (name: string, from: SegmentSource, values: readonly string[]): DeclaredSegment =>
  from === sourceBy(name) ? values : { from, values };

/** Every instance that counts has read a change of segments by then (docs/contract.md §5.2: 30 s). */
const NOTICE_MS = MINUTE;

const IDENTITY: Segment = { name: IDENTITY_SEGMENT, values: ASKED_KINDS.map((text) => ({ text })) };

/** Those that answers are counted in. */
export const countedSegments = (segments: readonly Segment[] = []): readonly Segment[] => [
  IDENTITY,
  ...segments,
];

const isDeclared = ({ retired }: Declaration): boolean => retired !== true;

/** Those that results can be asked for by. */
export const shownSegments = (segments?: readonly Segment[]): readonly Segment[] =>
  countedSegments(segments).filter(isDeclared);

/** The declared values of those that results can be asked for by, by name. */
export const shownValues = (segments?: readonly Segment[]): Record<string, string[]> =>
  Object.fromEntries(
    shownSegments(segments).map(({ name, values }) => [
      name,
      values.filter(isDeclared).map(({ text }) => text),
    ]),
  );

/** What those that a survey declares are of, by name. */
export const declaredSources = (segments: readonly Segment[] = []): Record<string, SegmentSource> =>
  Object.fromEntries(segments.filter(isDeclared).map((segment) => [segment.name, sourceOf(segment)]));

export function declaredSegments(segments: readonly Segment[] = []): DeclaredSegments {
  return Object.fromEntries(
    segments.filter(isDeclared).map((segment) => {
      const values = segment.values.filter(isDeclared).map(({ text }) => text);
      return [segment.name, declareAs(segment.name, sourceOf(segment), values)];
    }),
  );
}

function declareValues(
  known: readonly SegmentValue[],
  wanted: readonly string[],
  since: string | undefined,
): SegmentValue[] {
  const kept = known.map(({ text, since }) => ({
    text,
    since,
    retired: wanted.includes(text) ? undefined : true,
  }));
  const fresh = wanted.filter((text) => !known.some((value) => value.text === text));
  return [...kept, ...fresh.map((text) => ({ text, since }))];
}

/**
 * The segments of a survey once its file declares these. A new survey has none before, and counts at once; a change
 * counts a minute from now.
 * @param now milliseconds since the epoch
 */
export function declareSegments(
  before: readonly Segment[] | undefined,
  declared: DeclaredSegments,
  now: number,
): Segment[] {
  const since = before === undefined ? undefined : new Date(now + NOTICE_MS).toISOString();
  const known = before ?? [];
  const kept = known.map(({ name, from, values, since: countedSince }) => ({
    name,
    ...(from !== undefined && { from }),
    values: declareValues(values, valuesOf(declared[name] ?? []), since),
    since: countedSince,
    retired: declared[name] === undefined ? true : undefined,
  }));
  const fresh = Object.entries(declared)
    .filter(([name]) => !known.some((segment) => segment.name === name))
    .map(([name, each]) => ({
      name,
      ...(isSourced(each) && { from: each.from }),
      values: declareValues([], valuesOf(each), undefined),
      since,
    }));
  return [...kept, ...fresh];
}

/** What segments look at. */
export interface SegmentedAnswer {
  readonly at: string;
  readonly identityKind?: string | undefined;
  readonly taskType?: string | undefined;
  readonly traits?: Traits | undefined;
  readonly labels?: Labels | undefined;
  readonly channel?: string | undefined;
}

/** What is said under a name; undefined for nothing. */
function saidIn(said: Traits | undefined, name: string): string | undefined {
  const value = said !== undefined && Object.hasOwn(said, name) ? said[name] : undefined;
  return value === undefined || value === null ? undefined : String(value);
}

function textIn(segment: Pick<Segment, 'name' | 'from'>, answer: SegmentedAnswer): string | undefined {
  const { name } = segment;
  if (name === IDENTITY_SEGMENT) return answer.identityKind;
  switch (sourceOf(segment)) {
    case 'trait':
      return saidIn(answer.traits, name);
    case 'label':
      return saidIn(answer.labels, name);
    case 'taskType':
      return answer.taskType;
    case 'channel':
      return answer.channel;
  }
}

/** A value's place, or that it is none of the declared ones, or that the answer says nothing. */
export type ValuePlace = number | 'other' | 'none';

/** Undefined when the answer is not counted in the segment. */
export function placeIn(segment: Segment, answer: SegmentedAnswer): ValuePlace | undefined {
  const isCounted = ({ since = '' }: Declaration) => answer.at >= since;
  if (!isCounted(segment)) return undefined;
  const text = textIn(segment, answer);
  if (text === undefined) return 'none';
  const place = segment.values.findIndex((value) => value.text === text);
  const value = segment.values[place];
  return value !== undefined && isCounted(value) ? place : 'other';
}

/** A place as it is shown: where values have too few answers each, theirs is one of all of them. */
export type ShownPlace = ValuePlace | typeof FEW_VALUE;

/** What results say for a place: `other` for values that are not declared, or no longer; null for none. */
export function valueAt({ values }: Segment, place: ShownPlace): string | null {
  if (place === 'none') return null;
  if (place === FEW_VALUE) return FEW_VALUE;
  const value = place === 'other' ? undefined : values[place];
  return value === undefined || !isDeclared(value) ? OTHER_VALUE : value.text;
}

/**
 * The value that a question names, as `valueAt` says it: a declared one, `other`, or null for `null`, which is a declared
 * one where an earlier release let it be declared.
 * @returns undefined for what the segment does not know
 */
export function askedValue({ values }: Segment, text: string): string | null | undefined {
  const isKnown = values.filter(isDeclared).some((value) => value.text === text);
  if (isKnown || text === OTHER_VALUE) return text;
  return text === NO_VALUE ? null : undefined;
}
