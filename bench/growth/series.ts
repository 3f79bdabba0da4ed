/** What is measured as something grows. */

import { growthExponent } from '../statistics.ts';

export interface GrowthPoint {
  readonly size: number;
  readonly ms: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: string;
}

export interface GrowthSeries {
  readonly what: string;
  readonly points: readonly GrowthPoint[];
}

/** The series, by the names that figures and goals know them by. */
export const SERIES = {
  asRows: 'bootstrap, answers of a respondent, not folded',
  folded: 'bootstrap, answers of a respondent, folded',
  surveys: 'bootstrap, surveys of a project',
  coldSurveys: 'bootstrap of a cold instance, surveys of a project',
  pending: 'pending scores, first page of 50, pending in the project',
  exported: 'export in pages of 1,000, answers of the project',
  purged: 'purge sweep, answers of the project',
} as const;

export const unitsOf = ({ readUnits, writeUnits }: GrowthPoint): number => readUnits + writeUnits;

interface Exponents {
  /** Of a power law through all points of sizes above zero. */
  readonly whole: number;
  /** Between the last two points alone: small sizes, where what is fixed weighs more, do not flatten it. */
  readonly last: number;
}

/** @returns NaN where there are fewer than two sizes above zero */
export function exponentsOf({ points }: GrowthSeries, of: 'ms' | 'units'): Exponents {
  const measured = points
    .filter(({ size }) => size > 0)
    .map((point): [number, number] => [point.size, of === 'ms' ? point.ms : unitsOf(point)]);
  return { whole: growthExponent(measured), last: growthExponent(measured.slice(-2)) };
}
