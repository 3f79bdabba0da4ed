/** Contestants measured in turn, round by round, so that whatever the machine does meanwhile hits all of them. */

import { median, quantile } from './statistics.ts';

export interface Contestant {
  readonly name: string;
  /** Prepares as many runs as a round has; not measured. */
  readonly prepare?: (runs: number) => Promise<void>;
  readonly run: () => Promise<void>;
}

export interface Figures {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of this process, user and system: the median of the rounds. */
  readonly cpuMicros: number;
  /** By round: the median time of a run, milliseconds, and processor time per run, microseconds. */
  readonly rounds: readonly { readonly p50Ms: number; readonly cpuMicros: number }[];
}

interface Plan {
  readonly rounds: number;
  readonly runs: number;
  /** Rounds that are run first and forgotten. */
  readonly warmUp: number;
}

async function round({ prepare, run }: Contestant, runs: number): Promise<{ times: number[]; cpu: number }> {
  await prepare?.(runs);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  return { times, cpu: (user + system) / runs };
}

export async function interleave(contestants: readonly Contestant[], plan: Plan): Promise<Figures[]> {
  const results = contestants.map((contestant) => ({
    contestant,
    times: [] as number[],
    rounds: [] as { p50Ms: number; cpuMicros: number }[],
  }));
  for (let turn = -plan.warmUp; turn < plan.rounds; turn += 1) {
    // The order turns, so that nobody always follows the same neighbour.
    const order = turn % 2 === 0 ? results : results.toReversed();
    for (const result of order) {
      const { times, cpu } = await round(result.contestant, plan.runs);
      if (turn < 0) continue;
      result.times.push(...times);
      result.rounds.push({ p50Ms: median(times), cpuMicros: cpu });
    }
  }
  return results.map(({ contestant, times, rounds }) => ({
    name: contestant.name,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
    rounds,
  }));
}

/** The median over the rounds of one contestant's figure divided by another's in the same round. */
export function ratio(of: Figures, to: Figures, figure: 'p50Ms' | 'cpuMicros'): number {
  return median(of.rounds.map((each, index) => each[figure] / (to.rounds[index]?.[figure] ?? Number.NaN)));
}
