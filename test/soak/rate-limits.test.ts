/** `RATE_LIMIT_TABLE=FILE` writes every row of the table into a file. */

import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IS_SOAK } from '../support/depth.ts';
import { figuresOf, type Scenario, simulate } from '../support/model/lease-simulation.ts';

const SEEDS = IS_SOAK ? [20_261_120, 20_261_121] : [20_261_120];
const FLEETS = [1, 10, 50, 200, 500];
/** A fleet at the largest rate takes seconds to simulate. */
const FEW_FLEETS = IS_SOAK ? FLEETS : [1, 50, 500];
const MOST = 1.15;
/** Gives each scenario 30 seconds to settle. */
const ENOUGH_REQUESTS = 450_000;

async function sweep(scenario: Scenario, what: string) {
  const runs = [];
  for (const seed of SEEDS) runs.push(figuresOf(await simulate(scenario, seed), scenario.rate));
  const { kind, rate, instances } = scenario;
  const worst = {
    most: Math.max(...runs.map(({ most }) => most)),
    passed: Math.min(...runs.map(({ passed }) => passed)),
    ofRate: Math.min(...runs.map(({ ofRate }) => ofRate)),
    leastOfRate: Math.min(...runs.map(({ leastOfRate }) => leastOfRate)),
    writesPerRequest: 1 / Math.min(...runs.map(({ requestsPerWrite }) => requestsPerWrite)),
  };
  const figures = [worst.most, worst.passed, worst.ofRate, worst.leastOfRate, worst.writesPerRequest];
  const cells = [kind, `${rate}/s`, instances, what, ...figures.map((figure) => figure.toFixed(3))];
  const file = process.env.RATE_LIMIT_TABLE;
  if (file !== undefined) appendFileSync(file, `| ${cells.join(' | ')} |\n`);
  return worst;
}

describe.each([200, 1_000, 10_000])('a key of %d/s', (rate) => {
  const fleets = rate === 10_000 ? FEW_FLEETS : FLEETS;
  const cases = fleets.flatMap((instances) => [0.3, 0.8, 1.2, 2, 10].map((load) => ({ instances, load })));

  it.each(cases)(
    'admits the rate on $instances instances at $load times the rate',
    async ({ instances, load }) => {
      const seconds = Math.floor(Math.min(Math.max(ENOUGH_REQUESTS / (load * rate), 30), 90));
      const scenario = { kind: 'key', rate, instances, seconds, offered: () => load * rate } as const;
      const figures = await sweep(scenario, `${load * rate}/s`);
      if (instances <= rate || load < 1) expect(figures.most).toBeLessThanOrEqual(MOST);
      if (load < 1) expect(figures.passed).toBeGreaterThanOrEqual(0.999);
      else expect(figures.ofRate).toBeGreaterThanOrEqual(0.9);
      const perInstance = (load * rate) / instances;
      expect(figures.writesPerRequest).toBeLessThanOrEqual(perInstance >= 20 ? 1 / 20 : 1 / 4);
    },
  );

  it.each(fleets)('admits the rate on %d instances after a surge', async (instances) => {
    const offered = (second: number) => rate * (second < 29 ? 0.8 : 10);
    const { most } = await sweep(
      { kind: 'key', rate, instances, seconds: 40, offered },
      `${0.8 * rate}/s, then ${10 * rate}/s`,
    );
    if (instances <= rate) expect(most).toBeLessThanOrEqual(MOST);
  });
});

describe('an address of 20/s', () => {
  const cases = FLEETS.flatMap((instances) => [10, 24, 100, 200, 1_000].map((load) => ({ instances, load })));

  it.each(cases)('admits the rate on $instances instances at $load/s', async ({ instances, load }) => {
    const figures = await sweep(
      { kind: 'address', rate: 20, instances, seconds: 120, offered: () => load },
      `${load}/s`,
    );
    expect(figures.most * 240).toBeLessThanOrEqual(MOST * 240 + 3 * instances);
    if (load > 20) expect(figures.leastOfRate).toBeGreaterThanOrEqual(0.8);
    else expect(figures.passed).toBe(1);
  });
});
