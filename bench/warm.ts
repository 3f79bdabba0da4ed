/** Compares a warm request of each hot route with the bare SDK call that it makes. */

import { median, medianRatio, quantile } from './figures.ts';
import { createFloor } from './floor.ts';
import { HOT_ENDPOINTS, hotEvents, serve } from './requests.ts';
import { onStage } from './stage.ts';

/** Rounds at the start whose samples are discarded. */
const WARM_UP = 2;

/** Prepares the runs of a round, which is not measured. */
type Prepare = (runs: number) => Promise<(() => Promise<unknown>)[]>;

/** Samples of one contestant: milliseconds of each run, and of each round their median and CPU microseconds per run. */
function createSamples(prepare: Prepare) {
  const empty = (): number[] => [];
  return { prepare, times: empty(), p50: empty(), cpu: empty() };
}

/** Runs both contestants in turns, so that other load on the machine affects both. */
async function interleave([floor, handler]: readonly [Prepare, Prepare], rounds: number, runs: number) {
  const both = [createSamples(floor), createSamples(handler)] as const;
  for (let turn = -WARM_UP; turn < rounds; turn += 1) {
    for (const { prepare, ...samples } of turn % 2 === 0 ? both : both.toReversed()) {
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
  return both;
}

/** A row for each hot route. */
export function warm(rounds: number, requests: number) {
  return onStage(async (stage) => {
    const tenant = await stage.tenant();
    const service = stage.compose(stage.createClient());
    const rows = [];
    for (const endpoint of HOT_ENDPOINTS) {
      const { route } = endpoint;
      const handle = serve(endpoint, service);
      const prepareHandler: Prepare = async (runs) =>
        (await hotEvents(route, runs, tenant, service)).map((event) => () => handle(event));
      const prepareFloor = await createFloor(stage, endpoint, tenant);
      const [floor, handler] = await interleave([prepareFloor, prepareHandler], rounds, requests);
      rows.push({
        route: route.name,
        'floor p50 ms': median(floor.times),
        'p50 ms': median(handler.times),
        'p99 ms': quantile(handler.times, 0.99),
        'floor CPU µs': median(floor.cpu),
        'CPU µs': median(handler.cpu),
        'p50 / floor': medianRatio(handler.p50, floor.p50),
        'CPU / floor': medianRatio(handler.cpu, floor.cpu),
      });
    }
    return rows;
  });
}
