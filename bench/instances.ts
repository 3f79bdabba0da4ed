/** Instances of functions, and what each request that has a name asks, answers and logs. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { meter } from './meter.ts';
import { browserEvent, serve } from './requests.ts';
import { createBenchLogger, type Stage } from './stage.ts';
import { median } from './statistics.ts';

export async function createInstances(stage: Stage) {
  const client = stage.createClient();
  const takeUse = meter(client);
  let logBytes = 0;
  const log = createBenchLogger((line) => {
    logBytes += Buffer.byteLength(line) + 1;
  });
  const service = stage.compose(client, log);
  const tenant = await stage.tenant();

  type Sample = ReturnType<typeof takeUse> & { replyBytes: number; logBytes: number; ms: number };
  const samples = new Map<string, Sample[]>();

  function measured(endpoint: Endpoint) {
    const handle = serve(endpoint, service);
    return async (event: APIGatewayProxyEventV2, name?: string) => {
      takeUse();
      logBytes = 0;
      const startedAt = performance.now();
      const reply = await handle(event);
      const ms = performance.now() - startedAt;
      if (name !== undefined) {
        const sample = { ...takeUse(), replyBytes: Buffer.byteLength(reply.body ?? ''), logBytes, ms };
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
      return reply;
    };
  }

  return {
    tenant,

    /** One instance of a function; what it is asked under a name is measured. */
    instance(endpoint: Endpoint) {
      const call = measured(endpoint);
      return async (body: object, name?: string, query = '') => {
        const reply = await call(browserEvent(endpoint.route, body, tenant, query), name);
        return reply.isBase64Encoded === true ? {} : JSON.parse(reply.body ?? '');
      };
    },

    /** The same of a page behind a link. */
    page(endpoint: Endpoint) {
      const call = measured(endpoint);
      return async (showToken: string, name?: string, form = '') => {
        const event = browserEvent(endpoint.route, {}, tenant);
        await call({ ...event, rawPath: `/l/${showToken}`, body: form }, name);
      };
    },

    /** Of each name the first request, and the median of the times of all. */
    rows: () =>
      [...samples].flatMap(([request, all]) => {
        const [first] = all;
        if (first === undefined) return [];
        const { ms: _, replyBytes, logBytes: line, calls, ...use } = first;
        const p50 = median(all.map(({ ms }) => ms));
        return [{ request, ...use, 'reply bytes': replyBytes, 'log bytes': line, 'p50 ms': p50, calls }];
      }),
  };
}
