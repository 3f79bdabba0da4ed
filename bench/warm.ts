/** A warm request of each hot route against the bare call of the SDK: what the code around one call costs. */

import { randomUUID } from 'node:crypto';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import { lambdaContext } from '../local/lambda-context.ts';
import { createFloor, type FloorCall } from './floor.ts';
import type { Goal, Row } from './measured.ts';
import type { Plan } from './plan.ts';
import { gatewayEvent, HOT_ENDPOINTS, hotBodies, serve } from './requests.ts';
import { onStage } from './stage.ts';
import { median, medianRatio, quantile } from './statistics.ts';

/** Rounds that are run first and forgotten. */
const WARM_UP = 2;

interface Contestant {
  readonly what: string;
  /** Makes ready as many runs as a round has; not measured. */
  readonly prepare: (runs: number) => Promise<(() => Promise<unknown>)[]>;
}

interface Samples {
  readonly what: string;
  /** Milliseconds of each run. */
  readonly times: number[];
  /** By round: the median time, and microseconds of this process's processor time a run, user and system. */
  readonly p50: number[];
  readonly cpu: number[];
}

/** Contestants take turns, round by round, so that whatever the machine does meanwhile hits all of them. */
async function interleave(
  contestants: readonly Contestant[],
  rounds: number,
  runs: number,
): Promise<Samples[]> {
  const all = contestants.map(({ what, prepare }) => {
    return { prepare, samples: { what, times: [], p50: [], cpu: [] } as Samples };
  });
  for (let turn = -WARM_UP; turn < rounds; turn += 1) {
    // The order turns too: none always follows the same neighbour.
    for (const { prepare, samples } of turn % 2 === 0 ? all : all.toReversed()) {
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
  return all.map(({ samples }) => samples);
}

const PLAIN_INPUT = z.object({
  key: z.string().min(1).optional(),
  userId: z.string().min(1).max(256).optional(),
  respondentId: z.string().min(1).max(256).optional(),
  sessionId: z.string().min(1).max(256).optional(),
  showToken: z.string().min(1).max(1_024).optional(),
  surveyId: z.string().min(1).max(256).optional(),
  rating: z.int().min(0).max(10).optional(),
  text: z.string().max(5_000).optional(),
});

/** What a team writes without much thought: middy, its JSON parser, a zod schema, one call of the document client. */
function plainHandler(call: () => Promise<unknown>) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
    .handler(async (event) => {
      const { surveyId } = PLAIN_INPUT.parse(event.body);
      await call();
      const body = JSON.stringify({ ok: true, id: randomUUID(), surveyId });
      return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
    });
}

export function warm({ warmRounds, warmRequests }: Plan) {
  return onStage(async (stage) => {
    const tenant = await stage.tenant();
    const deps = stage.compose(stage.createClient());
    const routes: Row[] = [];
    const goals: Goal[] = [];
    for (const endpoint of HOT_ENDPOINTS) {
      const { route } = endpoint;
      const floor = await createFloor(stage, endpoint, tenant);
      const handle = serve(endpoint, deps);
      let plainCall: FloorCall['bare'] = () => Promise.resolve();
      const plain = plainHandler(() => plainCall());
      const events = async (runs: number) =>
        (await hotBodies(route.name, runs, tenant, deps)).map((body) => gatewayEvent(route, body, tenant));
      const contestants: Contestant[] = [
        { what: 'floor', prepare: async (runs) => (await floor(runs)).map(({ bare }) => bare) },
        {
          what: 'floor, prepared',
          prepare: async (runs) => (await floor(runs)).map(({ prepared }) => prepared),
        },
        {
          what: 'plain',
          async prepare(runs) {
            const calls = await floor(runs);
            return (await events(runs)).map((event, index) => () => {
              plainCall = calls[index]?.bare ?? plainCall;
              return Promise.resolve(plain(event, lambdaContext('plain', 10_000)));
            });
          },
        },
        {
          what: 'handler',
          prepare: async (runs) => (await events(runs)).map((event) => () => handle(event)),
        },
      ];
      const samples = await interleave(contestants, warmRounds, warmRequests);
      const [first] = samples;
      for (const { what, times, p50, cpu } of samples) {
        const [time, processor] = [medianRatio(p50, first?.p50 ?? []), medianRatio(cpu, first?.cpu ?? [])];
        routes.push({
          route: route.name,
          what,
          'p50 ms': median(times),
          'p99 ms': quantile(times, 0.99),
          'CPU µs': median(cpu),
          'p50 / floor': time,
          'CPU / floor': processor,
        });
        if (what !== 'handler') continue;
        goals.push(
          {
            goal: `${route.name}, warm: processor time over the bare call's`,
            measured: processor,
            atMost: 1.25,
          },
          { goal: `${route.name}, warm: p50 over the bare call's`, measured: time, atMost: 1.25 },
        );
      }
    }
    return { tables: { routes }, goals };
  });
}
