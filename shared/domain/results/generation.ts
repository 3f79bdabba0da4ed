/**
 * Generations of a survey's results. A recount builds a new generation while answers are stored and erased. An answer's
 * row alone determines its generations: by a mark that the recount sets in the transaction that counts the row, or by
 * its time. A stream record therefore counts correctly however late it is (decision 82). Days with expired rows are
 * copied from the shown generation, so their answers are in both.
 */

import { isGone } from '../retention.ts';

export interface Generation {
  /** 0 is every survey's first. */
  readonly number: number;
  /** ISO 8601 UTC: includes answers stored from then on; empty includes all. */
  readonly since: string;
  /** Includes all answers of days before this one; absent if no day was copied. */
  readonly copiedBefore?: string | undefined;
}

export interface Generations {
  /** Increases with every change, and numbers the generation that a change begins. */
  readonly version: number;
  /** The generation that readers see. */
  readonly shown: number;
  /** The shown generation, one under construction, and one that a reader may still remember. */
  readonly counted: readonly Generation[];
}

export const FIRST_GENERATIONS: Generations = { version: 0, shown: 0, counted: [{ number: 0, since: '' }] };

export interface GenerationMark {
  /** The newest generation in which a recount counted this row. */
  readonly generation?: number | undefined;
  /** ISO 8601 UTC; empty if unknown, as for imports older than generations. */
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

/** Whether the change is a recount's mark on a row that it counted. */
export function isMarked(
  before: GenerationMark | undefined,
  after: GenerationMark | undefined,
  { number }: Generation,
): boolean {
  return (before?.generation ?? 0) < number && before !== undefined && after?.generation === number;
}

/** Replaces any generation besides the shown one. */
export function beginGeneration({ version, shown, counted }: Generations, since: string): Generations {
  const number = version + 1;
  return {
    version: number,
    shown,
    counted: [...counted.filter((each) => each.number === shown), { number, since }],
  };
}

/** From now on answers before `day` count as in the shown generation, so their days can be copied. */
export function copyGeneration(
  { version, shown, counted }: Generations,
  number: number,
  day: string,
): Generations {
  const copied = counted.map((each) => (each.number === number ? { ...each, copiedBefore: day } : each));
  return { version: version + 1, shown, counted: copied };
}

/** The previous generation is counted until no reader remembers it. */
export function showGeneration(generations: Generations, number: number): Generations {
  return { ...generations, version: generations.version + 1, shown: number };
}

export function dropGenerations({ version, shown, counted }: Generations): Generations {
  return { version: version + 1, shown, counted: counted.filter(({ number }) => number === shown) };
}
