/**
 * Generations of a survey's results. A recount builds a new one beside the one that is shown, while answers are stored
 * and erased. Whether an answer is in a generation depends on its row alone: on a mark, which the recount sets in the
 * same transaction that counts the row, or on its time. So a record of the stream adds what its new image has in a
 * generation less what its old image had there, however late it is (decision 82). Days whose rows may be gone are copied
 * from the shown generation: answers of those days are in both.
 */

import { isGone } from '../retention.ts';

export interface Generation {
  /** 0 is the one that every survey begins with. */
  readonly number: number;
  /** ISO 8601 UTC: answers stored from then on are in it; empty for all. */
  readonly since: string;
  /** A day: all answers of the days before it are in it; absent where none was copied. */
  readonly copiedBefore?: string | undefined;
}

/** By what a survey's results are counted, and from what they are read. */
export interface Generations {
  /** Grows with every change, and numbers the generation that a change begins. */
  readonly version: number;
  /** The generation that is shown. */
  readonly shown: number;
  /** Those that are counted: the shown one, one that is being built, one that some reader may still remember. */
  readonly counted: readonly Generation[];
}

export const FIRST_GENERATIONS: Generations = { version: 0, shown: 0, counted: [{ number: 0, since: '' }] };

/** As much of an answer as generations look at. */
export interface GenerationMark {
  /** The newest generation that a recount counted its row in; absent where none did. */
  readonly generation?: number | undefined;
  /** ISO 8601 UTC; empty where that is not known, as of imports before there were generations. */
  readonly storedAt: string;
  /** When it was given, ISO 8601 UTC. */
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

/** Whether the change is the mark of a recount, which has counted the row already. */
export function isMarked(
  before: GenerationMark | undefined,
  after: GenerationMark | undefined,
  { number }: Generation,
): boolean {
  return (before?.generation ?? 0) < number && before !== undefined && after?.generation === number;
}

/** Begins one beside the shown one, in place of any other. */
export function beginGeneration({ version, shown, counted }: Generations, since: string): Generations {
  const number = version + 1;
  return {
    version: number,
    shown,
    counted: [...counted.filter((each) => each.number === shown), { number, since }],
  };
}

/** From here on answers of days before `day` count in it as in the shown one: the days can be copied. */
export function copyGeneration(
  { version, shown, counted }: Generations,
  number: number,
  day: string,
): Generations {
  const copied = counted.map((each) => (each.number === number ? { ...each, copiedBefore: day } : each));
  return { version: version + 1, shown, counted: copied };
}

/** Shows one that is whole; the one before is counted on until no reader remembers it. */
export function showGeneration(generations: Generations, number: number): Generations {
  return { ...generations, version: generations.version + 1, shown: number };
}

/** Counts the shown one alone. */
export function dropGenerations({ version, shown, counted }: Generations): Generations {
  return { version: version + 1, shown, counted: counted.filter(({ number }) => number === shown) };
}
