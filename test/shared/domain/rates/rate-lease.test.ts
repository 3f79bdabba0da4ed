import { describe, expect, it } from 'vitest';
import { figuresOf, type Scenario, simulate } from '../../../support/model/lease-simulation.ts';

const SEED = 20_261_120;
/** As a factor of the most that any 10 s may admit: ten times the rate plus the burst. */
const MOST = 1.15;

const FLEETS = [1, 20, 200].map((instances) => ({ instances, rate: instances === 20 ? 1_000 : 200 }));

async function run(scenario: Partial<Scenario> & Pick<Scenario, 'rate' | 'instances' | 'offered'>) {
  return figuresOf(await simulate({ kind: 'key', seconds: 40, ...scenario }, SEED), scenario.rate);
}

describe.each(FLEETS)('a key of $rate/s on $instances instances', ({ rate, instances }) => {
  const leastRequestsPerWrite = (load: number) => ((load * rate) / instances >= 20 ? 20 : 4);

  it.each([
    [0.3, false],
    [0.8, false],
    [0.8, true],
  ])('admits 99.9 % at %d times its rate, with few writes (round robin: %s)', async (load, inTurn) => {
    const { passed, requestsPerWrite } = await run({ rate, instances, offered: () => load * rate, inTurn });
    expect(passed).toBeGreaterThanOrEqual(0.999);
    expect(requestsPerWrite).toBeGreaterThanOrEqual(leastRequestsPerWrite(load));
  });

  it.each([1.2, 2, 10])('admits its rate at %d times its rate, with few writes', async (load) => {
    const { most, ofRate, requestsPerWrite } = await run({ rate, instances, offered: () => load * rate });
    expect(most).toBeLessThanOrEqual(MOST);
    expect(ofRate).toBeGreaterThanOrEqual(0.9);
    expect(requestsPerWrite).toBeGreaterThanOrEqual(leastRequestsPerWrite(load));
  });

  it.each([
    ['a surge on a busy fleet', (second: number) => (second < 19 ? 0.8 : 10)],
    ['a surge on an idle fleet', (second: number) => (second < 29 ? 0.1 : 10)],
    ['half a second of 3 times the rate in each ten', (second: number) => (second % 10 < 0.5 ? 3 : 0.6)],
    ['20 s of 3 times the rate, 20 s of little', (second: number) => (second % 40 < 20 ? 3 : 0.05)],
  ])('never admits too many in any 10 s: %s', async (_name, load) => {
    const { most } = await run({ rate, instances, offered: (second) => load(second) * rate });
    expect(most).toBeLessThanOrEqual(MOST);
  });
});

describe('a key', () => {
  it.each([60, 10])('loses little if instances live %d s', async (instanceLifetime) => {
    const fleet = { rate: 1_000, instances: 200, instanceLifetime };
    const { passed } = await run({ ...fleet, offered: () => 800 });
    expect(passed).toBeGreaterThanOrEqual(0.999);
    const { most, ofRate } = await run({ ...fleet, offered: () => 1_500 });
    expect(most).toBeLessThanOrEqual(MOST);
    expect(ofRate).toBeGreaterThanOrEqual(0.9);
  });

  // An instance knows no limit before its first lease, and writes at most one lease for four requests.
  it('exceeds its limit once if it has more instances than permits a second, and still admits its rate', async () => {
    const fleet = { rate: 200, instances: 500, seconds: 90 };
    expect((await run({ ...fleet, offered: () => 160 })).passed).toBeGreaterThanOrEqual(0.999);
    const outcome = await simulate({ ...fleet, kind: 'key', offered: () => 400 }, SEED);
    const { most, ofRate } = figuresOf(outcome, fleet.rate);
    expect(most).toBeLessThanOrEqual(1.6);
    expect(ofRate).toBeGreaterThanOrEqual(0.9);
    const later = { ...outcome, admitted: outcome.admitted.slice(200) };
    expect(figuresOf(later, fleet.rate).most).toBeLessThanOrEqual(MOST);
  });
});

describe.each([1, 5, 50, 200, 500])('an address of 20/s on %d instances', (instances) => {
  const address = { kind: 'address', rate: 20, instances, seconds: 60 } as const;

  it.each([24, 100, 200, 1_000])(
    'admits its rate at all times at %d/s, and three more for each instance',
    async (load) => {
      const { most, leastOfRate } = await run({ ...address, offered: () => load });
      expect(most * 240).toBeLessThanOrEqual(MOST * 240 + 3 * instances);
      expect(leastOfRate).toBeGreaterThanOrEqual(0.8);
    },
  );

  it('admits everything at 10/s', async () => {
    const { passed } = await run({ ...address, offered: () => 10 });
    expect(passed).toBe(1);
  });
});
