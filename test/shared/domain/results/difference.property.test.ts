import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IS_WHOLE } from '../../../support/depth.ts';
import { differenceCoverage } from '../../../support/difference-coverage.ts';

const SAMPLES = IS_WHOLE ? 2_000 : 500;
/** Percentage points by which the lowest of 25 coverages may differ from a measurement with 20,000 samples. */
const NOISE = IS_WHOLE ? 1.2 : 3;
const METRICS = ['thumbs', 'nps', 'ces'] as const;

type Sizes = readonly [number, number];
const LARGE: readonly Sizes[] = IS_WHOLE
  ? [
      [100, 100],
      [100, 1_000],
      [1_000, 1_000],
    ]
  : [
      [100, 100],
      [100, 500],
    ];

/** Sample sizes, and the lowest coverage for shares, the NPS and means, from the contract's table. */
function statedRows(): readonly { readonly sizes: Sizes; readonly lowest: readonly number[] }[] {
  const contract = readFileSync(new URL('../../../../docs/contract.md', import.meta.url), 'utf8');
  const rows = contract.matchAll(/^\| (\d+) and (\d+) +\|(.+)\|$/gm);
  return [...rows].map(([, one, other, cells = '']) => ({
    sizes: [Number(one), Number(other)],
    lowest: cells.split('|').map(Number),
  }));
}

const stated = statedRows().filter(({ sizes }) => IS_WHOLE || sizes[0] === sizes[1]);

it('has a table of coverage with few answers in the contract', () => {
  expect(statedRows()).toHaveLength(6);
});

describe.each(METRICS.map((metric, column) => ({ metric, column })))('$metric', ({ metric, column }) => {
  it.each(LARGE)('keeps 95 ± 2 % on average over all pairs with %i and %i answers', (size, other) => {
    expect(Math.abs(differenceCoverage(metric, [size, other], SAMPLES).mean - 95)).toBeLessThanOrEqual(2);
  });

  it.each(stated)(
    'keeps for each pair the coverage that the contract states for $sizes answers',
    ({ sizes, lowest }) => {
      const measured = differenceCoverage(metric, sizes, SAMPLES).lowest;
      expect(Math.abs(measured - (lowest[column] ?? 0))).toBeLessThanOrEqual(NOISE);
    },
  );
});
