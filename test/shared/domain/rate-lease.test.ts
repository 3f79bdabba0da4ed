import { describe, expect, it } from 'vitest';
import { figuresOf, type Scenario, simulate, sumOf } from '../../support/lease-simulation.ts';

const SEED = 20_261_120;
/** Of what any 10 s may admit. */
const MOST = 1.15;

const FLEETS = [1, 20, 200].flatMap((instances) => [200, 1_000].map((rate) => ({ instances, rate })));

async function run(scenario: Partial<Scenario> & Pick<Scenario, 'rate' | 'instances' | 'offered'>) {
  return figuresOf(await simulate({ kind: 'key', seconds: 40, ...scenario }, SEED), scenario.rate);
}

describe.each(FLEETS)('a key of $rate/s on $instances instances', ({ rate, instances }) => {
  it.each([true, false])('passes 99.9 % of 0.8 times its rate, instances in turn: %s', async (inTurn) => {
    const { passed } = await run({ rate, instances, offered: () => 0.8 * rate, inTurn });
    expect(passed).toBeGreaterThanOrEqual(0.999);
  });

  it.each([1.2, 2, 10])('of %d times its rate passes what is due, from a cold start on', async (load) => {
    const { most, ofRate } = await run({ rate, instances, offered: () => load * rate });
    expect(most).toBeLessThanOrEqual(MOST);
    expect(ofRate).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['a surge on a busy fleet', (second: number) => (second < 19 ? 0.8 : 10)],
    ['a surge on an idle fleet', (second: number) => (second < 29 ? 0.1 : 10)],
    ['half a second of 3 times the rate in each ten', (second: number) => (second % 10 < 0.5 ? 3 : 0.6)],
    ['20 s of 3 times the rate, 20 s of little', (second: number) => (second % 40 < 20 ? 3 : 0.05)],
  ])('%s: not too many in any 10 s', async (_name, load) => {
    const { most } = await run({ rate, instances, offered: (second) => load(second) * rate });
    expect(most).toBeLessThanOrEqual(MOST);
  });

  it.each([0.3, 0.8, 1.2, 10])('writes at most one lease in 20 or in 4 requests at %d times its rate', async (load) => {
    const { requestsPerWrite } = await run({ rate, instances, offered: () => load * rate });
    expect(requestsPerWrite).toBeGreaterThanOrEqual((load * rate) / instances >= 20 ? 20 : 4);
  });
});

describe('a key', () => {
  it.each([60, 10])('loses little to instances that live %d s', async (instanceLifetime) => {
    const fleet = { rate: 1_000, instances: 200, instanceLifetime };
    const { passed } = await run({ ...fleet, offered: () => 800 });
    expect(passed).toBeGreaterThanOrEqual(0.999);
    const { most, ofRate } = await run({ ...fleet, offered: () => 1_500 });
    expect(most).toBeLessThanOrEqual(MOST);
    expect(ofRate).toBeGreaterThanOrEqual(0.9);
  });

  // No instance knows of a limit before its first lease, and it may write but one lease in four requests.
  it('of more instances than permits a second exceeds its limit once, and gets its rate all the same', async () => {
    const fleet = { rate: 200, instances: 500, seconds: 90 };
    const calm = await run({ ...fleet, offered: () => 160 });
    expect(calm.passed).toBeGreaterThanOrEqual(0.999);
    const outcome = await simulate({ ...fleet, kind: 'key', offered: () => 400 }, SEED);
    expect(figuresOf(outcome, 200)).toMatchObject({ ofRate: expect.closeTo(1, 0) });
    expect(figuresOf(outcome, 200).most).toBeLessThanOrEqual(1.6);
    const later = { ...outcome, admitted: outcome.admitted.slice(200) };
    expect(figuresOf(later, 200).most).toBeLessThanOrEqual(MOST);
  });
});

describe.each([1, 5, 50, 200, 500])('an address of 20/s on %d instances', (instances) => {
  const address = { kind: 'address', rate: 20, instances, seconds: 60 } as const;

  it.each([24, 40, 100, 200, 1_000])('of %d/s passes its rate as long as it lasts, and three an instance', async (load) => {
    const { mostCount, leastOfRate } = await run({ ...address, offered: () => load });
    expect(mostCount).toBeLessThanOrEqual(MOST * 240 + 3 * instances);
    expect(leastOfRate).toBeGreaterThanOrEqual(0.8);
  });

  it('passes 10/s', async () => {
    const { passed } = await run({ ...address, offered: () => 10 });
    expect(passed).toBe(1);
  });
});

describe('an address', () => {
  it('that makes three requests in ten seconds costs no lease, however long', async () => {
    const pages = (second: number) => (second % 11 < 0.003 ? 1_000 : 0);
    const { offered, admitted, writes } = await simulate(
      { kind: 'address', rate: 20, instances: 1, seconds: 300, offered: pages },
      5,
    );
    expect(sumOf(offered)).toBeGreaterThan(50);
    expect(sumOf(admitted)).toBe(sumOf(offered));
    expect(sumOf(writes)).toBe(0);
  });
});
