/** The intervals' coverage is in docs/contract.md §17.4. Tests simulate it. */

export const CONFIDENCE = 0.95;

/** The 97.5th percentile of the normal distribution. */
export const Z = 1.959964;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export const clamp = ({ low, high }: Interval, min: number, max: number): Interval => ({
  low: Math.max(min, low),
  high: Math.min(max, high),
});

export const around = (centre: number, margin: number): Interval => ({
  low: centre - margin,
  high: centre + margin,
});

export const inPercent = ({ low, high }: Interval): Interval => ({ low: 100 * low, high: 100 * high });

/** The adjusted methods move their center, so for few answers a bound can pass the value itself. */
export const containing = (value: number, { low, high }: Interval): Interval => ({
  low: Math.min(low, value),
  high: Math.max(high, value),
});

/**
 * A proportion, from 0 to 1. A. Agresti, B. A. Coull, "Approximate is better than 'exact' for interval estimation of
 * binomial proportions", The American Statistician 52 (1998) 119–126.
 * @param n at least 1
 */
export function agrestiCoull(successes: number, n: number): Interval {
  const adjusted = n + Z ** 2;
  const centre = (successes + Z ** 2 / 2) / adjusted;
  return clamp(around(centre, Z * Math.sqrt((centre * (1 - centre)) / adjusted)), 0, 1);
}

/**
 * A paired difference of proportions, from -1 to 1, such as the NPS: an adjusted Wald interval with three answers
 * added. D. G. Bonett, R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based
 * on paired data", Journal of Educational and Behavioral Statistics 37 (2012) 479–488; for the NPS
 * measuringu.com/nps-confidence-intervals.
 * @param n at least 1
 */
export function adjustedWald(ups: number, downs: number, n: number): Interval {
  const adjusted = n + 3;
  const up = (ups + 3 / 4) / adjusted;
  const down = (downs + 3 / 4) / adjusted;
  const variance = up + down - (up - down) ** 2;
  return clamp(around(up - down, Z * Math.sqrt(variance / adjusted)), -1, 1);
}

/**
 * The 97.5th percentile of Student's t, to six digits. G. W. Hill, "Algorithm 396: Student's t-quantiles",
 * Communications of the ACM 13 (1970) 619–620.
 * @param freedom degrees of freedom, a whole number of at least 1
 */
export function studentT(freedom: number): number {
  const tails = 1 - CONFIDENCE;
  if (freedom === 1) return 1 / Math.tan((tails * Math.PI) / 2);
  if (freedom === 2) return Math.sqrt(2 / (tails * (2 - tails)) - 2);
  const a = 1 / (freedom - 0.5);
  const b = 48 / a ** 2;
  let c = ((20_700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * freedom;
  let y = (d * tails) ** (2 / freedom);
  if (y > 0.05 + a) {
    const x = -Z;
    y = x ** 2;
    if (freedom < 5) c += 0.3 * (freedom - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = Math.expm1(a * y ** 2);
  } else {
    y =
      ((1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) *
        y -
        1) *
        ((freedom + 1) / (freedom + 2)) +
      1 / y;
  }
  return Math.sqrt(freedom * y);
}

export type Distribution = ReadonlyMap<number, number>;

const sumOver = (distribution: Distribution, term: (value: number) => number): number =>
  [...distribution].reduce((sum, [value, count]) => sum + count * term(value), 0);

export function countAll(distribution: Distribution): number {
  return sumOver(distribution, () => 1);
}

export function countWhere(distribution: Distribution, isCounted: (value: number) => boolean): number {
  return sumOver(distribution, (value) => (isCounted(value) ? 1 : 0));
}

/** @returns NaN without values */
export function mean(distribution: Distribution): number {
  return sumOver(distribution, (value) => value) / countAll(distribution);
}

/** Sample variance. @returns NaN with fewer than two values */
export function variance(distribution: Distribution): number {
  const centre = mean(distribution);
  return sumOver(distribution, (value) => (value - centre) ** 2) / (countAll(distribution) - 1);
}

/**
 * A mean on a scale ("Student", "The probable error of a mean", Biometrika 6 (1908) 1–25). With one value the interval
 * is the whole scale.
 */
export function tInterval(
  distribution: Distribution,
  { min, max }: { readonly min: number; readonly max: number },
): Interval {
  const n = countAll(distribution);
  if (n < 2) return { low: min, high: max };
  const centre = mean(distribution);
  return clamp(around(centre, studentT(n - 1) * Math.sqrt(variance(distribution) / n)), min, max);
}
