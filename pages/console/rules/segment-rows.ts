/** Segments as somebody types them: a list of rows, of which two may have one name for a moment. */

import {
  type DeclaredSegments,
  declareAs,
  declaredSource,
  type SegmentSource,
  valuesOf,
} from '../../../shared/domain/surveys/segments.ts';
import { readList, writeList } from './typed-values.ts';

export interface SegmentRow {
  readonly name: string;
  readonly from: SegmentSource;
  /** With commas between them. */
  readonly values: string;
}

/** A row, and under which name the survey has it. */
interface KeyedRow extends SegmentRow {
  readonly key: string;
}

export const segmentRows = (segments: DeclaredSegments = {}): SegmentRow[] =>
  Object.entries(segments).map(([name, declared]) => ({
    name,
    from: declaredSource(name, declared),
    values: writeList(valuesOf(declared)),
  }));

/** One that has the name of another gets one that the rules refuse, so that its field says so and nothing is lost. */
export function keyedRows(rows: readonly SegmentRow[]): KeyedRow[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    let key = row.name;
    while (taken.has(key)) key += ' ';
    taken.add(key);
    return { ...row, key };
  });
}

/** @returns undefined where there are none */
export function declaredIn(rows: readonly SegmentRow[]): DeclaredSegments | undefined {
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    keyedRows(rows).map(({ key, from, values }) => [key, declareAs(key, from, readList(values))]),
  );
}
