/** Requests a second of the local service over HTTP, beside what its DynamoDB gives the bare SDK. */

import autocannon, { type Request } from 'autocannon';
import { bootstrap } from '../functions/bootstrap.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { createFloor } from './floor.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import type { Goal } from './measured.ts';
import type { Plan } from './plan.ts';
import { hotBodies } from './requests.ts';
import { onStage, type Stage, type Tenant } from './stage.ts';
import { quantile } from './statistics.ts';

const CONNECTIONS = 16;
/** Bodies and calls are made ready before a load; what takes more than these in a second runs out of them. */
const MOST_PER_SECOND = 3_000;
const HEADERS = { 'content-type': 'application/json', origin: 'https://shop.example.com' };

type LoadRow = {
  readonly load: string;
  readonly 'requests/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  /** Of the service's process alone; of this one for the floor. */
  readonly 'CPU ms/request': number;
  readonly errors: number;
  readonly 'at rest after s': number;
};

/** One body a request, and the first again when they have run out. */
function requestOf(path: string, bodies: readonly object[]): Request {
  const texts = bodies.map((body) => JSON.stringify(body));
  let next = 0;
  return {
    method: 'POST',
    path,
    headers: HEADERS,
    setupRequest: (request) => ({ ...request, body: texts[next++ % texts.length] ?? '' }),
  };
}

async function load(
  service: LocalService,
  name: string,
  requests: readonly Request[],
  { httpSeconds, httpPauseMs }: Plan,
): Promise<LoadRow> {
  const before = service.cpuMs();
  const { url } = service;
  const result = await autocannon({ url, connections: CONNECTIONS, duration: httpSeconds, requests });
  const cpu = service.cpuMs() - before;
  const succeeded = result['2xx'];
  return {
    load: name,
    'requests/s': succeeded / result.duration,
    'p50 ms': result.latency.p50,
    'p99 ms': result.latency.p99,
    'CPU ms/request': cpu / succeeded,
    errors: result.errors + result.non2xx,
    'at rest after s': await service.settle(httpPauseMs),
  };
}

/** As many calls at once as there are connections. */
async function floorLoad(name: string, calls: (() => Promise<unknown>)[], seconds: number): Promise<LoadRow> {
  const times: number[] = [];
  const startedAt = performance.now();
  const before = process.cpuUsage();
  async function send(): Promise<void> {
    while (performance.now() - startedAt < seconds * 1_000) {
      const call = calls.pop();
      if (call === undefined) return;
      const sentAt = performance.now();
      await call();
      times.push(performance.now() - sentAt);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const { user, system } = process.cpuUsage(before);
  return {
    load: name,
    'requests/s': (times.length * 1_000) / (performance.now() - startedAt),
    'p50 ms': quantile(times, 0.5),
    'p99 ms': quantile(times, 0.99),
    'CPU ms/request': (user + system) / 1_000 / times.length,
    errors: 0,
    'at rest after s': 0,
  };
}

async function serviceLoads(stage: Stage, tenant: Tenant, plan: Plan): Promise<LoadRow[]> {
  const composed = stage.compose(stage.createClient());
  const count = MOST_PER_SECOND * plan.httpSeconds;
  const requests = async ({ route }: typeof bootstrap) =>
    requestOf(route.path, await hotBodies(route.name, count, tenant, composed));
  const boot = await requests(bootstrap);
  const service = await startLocalService(stage.endpoint);
  try {
    const warmUp = { ...plan, httpSeconds: Math.min(3, plan.httpSeconds) };
    await load(service, 'warm-up', [boot, await requests(submitResponse)], warmUp);
    return [
      await load(service, 'bootstrap', [boot], plan),
      await load(service, 'submit-response', [await requests(submitResponse)], plan),
      await load(
        service,
        'bootstrap and submit-response, 50:1',
        [...Array.from({ length: 50 }, () => boot), await requests(submitResponse)],
        plan,
      ),
    ];
  } finally {
    await service.stop();
  }
}

export function http(plan: Plan) {
  return onStage(async (stage) => {
    const tenant = await stage.tenant();
    const loads = await serviceLoads(stage, tenant, plan);
    const seconds = plan.httpSeconds / 2;
    const goals: Goal[] = [];
    for (const endpoint of [bootstrap, submitResponse]) {
      const { name } = endpoint.route;
      const makeCalls = await createFloor(stage, endpoint, tenant);
      const calls = (await makeCalls(MOST_PER_SECOND * seconds)).map(({ bare }) => bare);
      const floor = await floorLoad(`floor: the call of ${name}`, calls, seconds);
      loads.push(floor);
      const own = loads.find((row) => row.load === name);
      const goal = (what: string, figure: 'requests/s' | 'CPU ms/request', limit: object) => {
        const measured = (own?.[figure] ?? Number.NaN) / floor[figure];
        goals.push({ goal: `${name} over HTTP: ${what} over the bare call's`, measured, ...limit });
      };
      goal('requests a second', 'requests/s', { atLeast: 0.45 });
      goal('processor time', 'CPU ms/request', { atMost: 2.2 });
    }
    const errors = loads.reduce((sum, row) => sum + row.errors, 0);
    goals.push({ goal: 'errors over HTTP', measured: errors, atMost: 0 });
    return { tables: { loads }, goals };
  });
}
