/** A segment's value depends only on the answer and the declaration, so what was added can be subtracted later. */

import { ASKED_KINDS, type Labels, type Traits } from '../answers/answer.ts';
import { MINUTE } from '../duration.ts';

export const MOST_SEGMENTS = 3;
export const MOST_SEGMENT_VALUES = 20;
/** Includes segments that are no longer declared. */
export const MOST_SEGMENTS_EVER = 10;
export const MOST_VALUES_EVER = 60;

/** Every survey has this breakdown. */
export const IDENTITY_SEGMENT = 'identityKind';
const TASK_TYPE_SEGMENT = 'taskType';

/** The value of answers whose own value is not declared. */
export const OTHER_VALUE = 'other';
/** Selects answers without a value. */
export const NO_VALUE = 'null';
/** Stands for several values, each with too few ratings (docs/contract.md §17.8). */
export const FEW_VALUE = 'few';

export const SEGMENT_SOURCES = ['trait', 'label', 'taskType', 'channel'] as const;
export type SegmentSource = (typeof SEGMENT_SOURCES)[number];

interface Declaration {
  /** Earlier answers are not counted (ISO 8601 UTC). If absent, all answers are. */
  readonly since?: string | undefined;
  /** No longer declared but still counted, because erasures subtract what was added. */
  readonly retired?: boolean | undefined;
}

export interface SegmentValue extends Declaration {
  readonly text: string;
}

/** Values are only appended, because the place of a value is its code in the table. */
export interface Segment extends Declaration {
  /** Also the name of the trait or label. */
  readonly name: string;
  /** The source never changes. If absent, it is the trait of this name, or the task type if that is the name. */
  readonly from?: SegmentSource | undefined;
  readonly values: readonly SegmentValue[];
}

export interface SourcedValues {
  readonly from: SegmentSource;
  readonly values: readonly string[];
}

type DeclaredSegment = readonly string[] | SourcedValues;

export type DeclaredSegments = Readonly<Record<string, DeclaredSegment>>;

const isSourced = (declared: DeclaredSegment): declared is SourcedValues => 'from' in declared;
export const valuesOf = (declared: DeclaredSegment): readonly string[] =>
  isSourced(declared) ? declared.values : declared;

const sourceBy = (name: string): SegmentSource => (name === TASK_TYPE_SEGMENT ? 'taskType' : 'trait');

export const sourceOf = ({ name, from }: Pick<Segment, 'name' | 'from'>): SegmentSource =>
  from ?? sourceBy(name);

export const declaredSource = (name: string, declared: DeclaredSegment): SegmentSource =>
  isSourced(declared) ? declared.from : sourceBy(name);

export const declareAs = (name: string, from: SegmentSource, values: readonly string[]): DeclaredSegment =>
  from === sourceBy(name) ? values : { from, values };

/** By then, every instance has read the change (docs/contract.md §5.2: 30 s). */
const NOTICE_MS = MINUTE;

const IDENTITY: Segment = { name: IDENTITY_SEGMENT, values: ASKED_KINDS.map((text) => ({ text })) };

export const countedSegments = (segments: readonly Segment[] = []): readonly Segment[] => [
  IDENTITY,
  ...segments,
];

const isDeclared = ({ retired }: Declaration): boolean => retired !== true;

export const shownSegments = (segments?: readonly Segment[]): readonly Segment[] =>
  countedSegments(segments).filter(isDeclared);

/** The first declared segment, if any. Others are not shown if small numbers are hidden (docs/contract.md §17.8). */
export const segmentsInCells = (segments: readonly Segment[] = []): readonly Segment[] =>
  segments.filter(isDeclared).slice(0, 1);

export const shownValues = (segments: readonly Segment[]): Record<string, string[]> =>
  Object.fromEntries(
    segments.map(({ name, values }) => [name, values.filter(isDeclared).map(({ text }) => text)]),
  );

export const sourcesOf = (segments: readonly Segment[]): Record<string, SegmentSource> =>
  Object.fromEntries(
    segments
      .filter(({ name }) => name !== IDENTITY_SEGMENT)
      .map((segment) => [segment.name, sourceOf(segment)]),
  );

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

/** New surveys count segments at once. A change applies a minute later. */
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

export interface SegmentedAnswer {
  readonly at: string;
  readonly identityKind?: string | undefined;
  readonly taskType?: string | undefined;
  readonly traits?: Traits | undefined;
  readonly labels?: Labels | undefined;
  readonly channel?: string | undefined;
}

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

export type ValuePlace = number | 'other' | 'none';

export function placeIn(segment: Segment, answer: SegmentedAnswer): ValuePlace | undefined {
  const isCounted = ({ since = '' }: Declaration) => answer.at >= since;
  if (!isCounted(segment)) return undefined;
  const text = textIn(segment, answer);
  if (text === undefined) return 'none';
  const place = segment.values.findIndex((value) => value.text === text);
  const value = segment.values[place];
  return value !== undefined && isCounted(value) ? place : 'other';
}

export type ShownPlace = ValuePlace | typeof FEW_VALUE;

/** `other` for undeclared and retired values; null for answers without a value. */
export function valueAt({ values }: Segment, place: ShownPlace): string | null {
  if (place === 'none') return null;
  if (place === FEW_VALUE) return FEW_VALUE;
  const value = place === 'other' ? undefined : values[place];
  return value === undefined || !isDeclared(value) ? OTHER_VALUE : value.text;
}

/** `null` is a value if an earlier release allowed it. @returns undefined if unknown */
export function askedValue({ values }: Segment, text: string): string | null | undefined {
  const isKnown = values.filter(isDeclared).some((value) => value.text === text);
  if (isKnown || text === OTHER_VALUE) return text;
  return text === NO_VALUE ? null : undefined;
}
