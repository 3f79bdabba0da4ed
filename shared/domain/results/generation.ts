/**
 * A recount builds a new generation of results while answers are stored and erased. An answer's row alone determines
 * its generations: by a mark that the recount sets when it counts the row, or by its time. A stream record therefore
 * counts correctly however late it is (decision 82). Days with expired rows are copied, so their answers are in both.
 */

import { isGone } from '../retention.ts';

export interface Generation {
  readonly number: number;
  /** The generation includes answers that were stored since this time (ISO 8601 UTC). If empty, it includes all. */
  readonly since: string;
  /** Days before this one were copied and are complete. Absent if none was copied. */
  readonly copiedBefore?: string | undefined;
}

export interface Generations {
  /** The number of changes so far. A generation has the number of the change that began it. */
  readonly version: number;
  readonly shown: number;
  /** The generation that is shown, one under construction, and possibly one that readers still use. */
  readonly counted: readonly Generation[];
}

export const FIRST_GENERATIONS: Generations = { version: 0, shown: 0, counted: [{ number: 0, since: '' }] };

export interface GenerationMark {
  /** The newest generation in which a recount counted this row. */
  readonly generation?: number | undefined;
  /** ISO 8601 UTC; empty in older imports. */
  readonly storedAt: string;
  readonly at: string;
}

export function isIn(
  { generation = 0, storedAt, at }: GenerationMark,
  { number, since, copiedBefore }: Generation,
): boolean {
  return (
    generation >= number || storedAt >= since || (copiedBefore !== undefined && isGone(at, copiedBefore))
  );
}

export function isMarked(
  before: GenerationMark | undefined,
  after: GenerationMark | undefined,
  { number }: Generation,
): boolean {
  return (before?.generation ?? 0) < number && before !== undefined && after?.generation === number;
}

/** Replaces every generation except the one that is shown. */
export function beginGeneration({ version, shown, counted }: Generations, since: string): Generations {
  const number = version + 1;
  return {
    version: number,
    shown,
    counted: [...counted.filter((each) => each.number === shown), { number, since }],
  };
}

/** Earlier answers now count as in the generation that is shown, so their days can be copied. */
export function copyGeneration(
  { version, shown, counted }: Generations,
  number: number,
  day: string,
): Generations {
  const copied = counted.map((each) => (each.number === number ? { ...each, copiedBefore: day } : each));
  return { version: version + 1, shown, counted: copied };
}

/** The previous generation is counted until no reader uses it. */
export function showGeneration(generations: Generations, number: number): Generations {
  return { ...generations, version: generations.version + 1, shown: number };
}

export function dropGenerations({ version, shown, counted }: Generations): Generations {
  return { version: version + 1, shown, counted: counted.filter(({ number }) => number === shown) };
}
