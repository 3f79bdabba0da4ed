/** A warm request of each hot route against the bare call of the SDK: what the code around one call costs. */

import { randomUUID } from 'node:crypto';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import { lambdaContext } from '../local/lambda-context.ts';
import { createFloor } from './floor.ts';
import type { Goal, Row } from './measured.ts';
import type { Plan } from './plan.ts';
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
    const service = stage.compose(stage.createClient());
    const routes: Row[] = [];
    const goals: Goal[] = [];
    for (const endpoint of HOT_ENDPOINTS) {
      const { route } = endpoint;
      const floor = await createFloor(stage, endpoint, tenant);
      const handle = serve(endpoint, service);
      let plainCall: Run = () => Promise.resolve();
      const plain = plainHandler(() => plainCall());
      const events = (runs: number) => hotEvents(route, runs, tenant, service);
      const contestants: Record<string, Prepare> = {
        floor: async (runs) => (await floor(runs)).map(({ bare }) => bare),
        'floor, prepared': async (runs) => (await floor(runs)).map(({ prepared }) => prepared),
        async plain(runs) {
          const calls = await floor(runs);
          return (await events(runs)).map((event, index) => () => {
            plainCall = calls[index]?.bare ?? plainCall;
            return Promise.resolve(plain(event, lambdaContext('plain', 10_000)));
          });
        },
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
