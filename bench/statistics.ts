/** @param share from 0 to 1 @returns NaN without samples */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** The median of each sample divided by the other's of the same index. */
export const medianRatio = (samples: readonly number[], to: readonly number[]): number =>
  median(samples.map((sample, index) => sample / (to[index] ?? Number.NaN)));

/** The exponent e of y ~ x^e, by least squares over the logarithms; NaN with fewer than two points. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (index: 0 | 1) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
