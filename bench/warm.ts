/** A warm request of each hot route against the bare call of the SDK: what the code around one call costs. */

import { createFloor } from './floor.ts';
import type { Plan } from './plan.ts';
import type { Goal, Row } from './report.ts';
import { HOT_ENDPOINTS, hotEvents, serve } from './requests.ts';
import { onStage } from './stage.ts';
import { median, medianRatio, quantile } from './statistics.ts';

/** Rounds that are run first and forgotten. */
const WARM_UP = 2;

type Run = () => Promise<unknown>;
/** Makes ready as many runs as a round has; not measured. */
type Prepare = (runs: number) => Promise<Run[]>;

/** Contestants take turns, round by round, so that whatever the machine does meanwhile hits all of them. */
async function interleave(contestants: Readonly<Record<string, Prepare>>, rounds: number, runs: number) {
  const all = Object.entries(contestants).map(([what, prepare]) => {
    // Of each run its milliseconds; of each round their median, and microseconds of processor time a run.
    const empty = (): number[] => [];
    return { what, prepare, times: empty(), p50: empty(), cpu: empty() };
  });
  for (let turn = -WARM_UP; turn < rounds; turn += 1) {
    // The order turns too, so that no contestant always follows the same other one.
    for (const { prepare, ...samples } of turn % 2 === 0 ? all : all.toReversed()) {
      const ready = await prepare(runs);
      const times: number[] = [];
      const before = process.cpuUsage();
      for (const run of ready) {
        const startedAt = performance.now();
        await run();
        times.push(performance.now() - startedAt);
      }
      const { user, system } = process.cpuUsage(before);
      if (turn < 0) continue;
      samples.times.push(...times);
      samples.p50.push(median(times));
      samples.cpu.push((user + system) / runs);
    }
  }
  return all;
}

export function warm({ warmRounds, warmRequests }: Plan) {
  return onStage(async (stage) => {
    const tenant = await stage.tenant();
    const service = stage.compose(stage.createClient());
    const routes: Row[] = [];
    const goals: Goal[] = [];
    for (const endpoint of HOT_ENDPOINTS) {
      const { route } = endpoint;
      const floor = await createFloor(stage, endpoint, tenant);
      const handle = serve(endpoint, service);
      const events = (runs: number) => hotEvents(route, runs, tenant, service);
      const contestants: Record<string, Prepare> = {
        floor,
        handler: async (runs) => (await events(runs)).map((event) => () => handle(event)),
      };
      const samples = await interleave(contestants, warmRounds, warmRequests);
      const [first] = samples;
      for (const { what, times, p50, cpu } of samples) {
        const ratios = {
          'p50 / floor': medianRatio(p50, first?.p50 ?? []),
          'CPU / floor': medianRatio(cpu, first?.cpu ?? []),
        };
        const own = { 'p50 ms': median(times), 'p99 ms': quantile(times, 0.99), 'CPU µs': median(cpu) };
        routes.push({ route: route.name, what, ...own, ...ratios });
        if (what !== 'handler') continue;
        const goal = (name: string, measured: number) =>
          goals.push({ goal: `${route.name}, warm: ${name} over the bare call's`, measured, atMost: 1.25 });
        goal('processor time', ratios['CPU / floor']);
        goal('p50', ratios['p50 / floor']);
      }
    }
    return { tables: { routes }, goals };
  });
}
