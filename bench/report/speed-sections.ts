/** Sections on time: warm, cold, over HTTP. */

import type { ColdFigures } from '../cold/measure.ts';
import type { Throughput } from '../http/throughput.ts';
import { type Figures, ratio } from '../interleave.ts';
import type { RouteFigures } from '../warm/routes.ts';
import type { Section } from './section.ts';

export function warmSection(routes: readonly RouteFigures[]): Section {
  const row = (route: string, figures: Figures, floor: Figures) => [
    route,
    figures.name,
    figures.p50Ms,
    figures.p99Ms,
    figures.cpuMicros,
    ratio(figures, floor, 'p50Ms'),
    ratio(figures, floor, 'cpuMicros'),
  ];
  return {
    title: 'Warm requests',
    text: [
      'One at a time, in one process, rounds interleaved. _floor_: the bare SDK making the same call with the same item. _floor, prepared_: that call with the SDK’s chain of middleware made once (docs/decisions/0043-prepared-calls.md), as ours makes it, whence ours can come close to the floor or below it. _plain_: middy, its JSON parser, a zod schema and that call, no keys, no tokens. _handler_: ours, its log line made as a deployment makes it and thrown away. Ratios are medians over the rounds.',
    ],
    tables: [
      {
        head: ['route', 'what', 'p50 ms', 'p99 ms', 'CPU µs', 'p50 / floor', 'CPU / floor'],
        rows: routes.flatMap(({ route, floor, prepared, plain, handler }) =>
          [floor, prepared, plain, handler].map((figures) => row(route, figures, floor)),
        ),
      },
    ],
  };
}

export function coldSection(
  starts: readonly ColdFigures[],
  sizes: readonly (readonly [string, number, number])[],
): Section {
  return {
    title: 'Cold starts',
    text: [
      'Fresh processes from their first instruction, Node’s own start included, to their first reply. _floor_: the document client alone, one query, with the search for credentials that the SDK ships. _floor, our credentials_: the same with what our bundles hold in its place (docs/decisions/0041-cold-start.md), so that nothing but our code differs; its ratios stand in the last two columns. Ours asks a stand-in for Secrets Manager for both secrets and reads the settings besides. Maps lie beside the bundles; Node reads them only where that is said. The import of `node:http` that the SDK makes over http, never over https, is left out of all.',
    ],
    tables: [
      {
        head: [
          'bundle',
          'KB',
          'load ms',
          'first reply ms',
          'total ms',
          'CPU ms',
          'total / floor',
          'CPU / floor',
          'total / floor, our credentials',
          'CPU / floor, our credentials',
        ],
        rows: starts.map((start) => [
          start.name,
          start.kilobytes,
          start.loadMs,
          start.replyMs,
          start.totalMs,
          start.cpuMs,
          start.totalRatio,
          start.cpuRatio,
          start.equalTotalRatio,
          start.equalCpuRatio,
        ]),
      },
      { head: ['function', 'KB', 'ceiling'], rows: sizes },
    ],
  };
}

export function httpSection(loads: readonly Throughput[], seconds: number): Section {
  return {
    title: 'HTTP throughput of the local service',
    text: [
      `\`npm start\` in a process of its own, data on a RAM disk where there is one, rates off; autocannon with 16 connections for ${seconds} s each; CPU is that of the service's process alone, while the load lasts: the reader of the stream, which counts answers, is behind by then and rests some seconds later (last column; then the next load begins). Requests/s counts replies of 2xx. The load, the service and the embedded DynamoDB share the machine's cores. _floor_ is the bare SDK, 16 calls at once, against the same embedded DynamoDB while nothing else asks it: what it gives at most.`,
      'For comparison, the open-source Formbricks, its production build with Postgres and Redis on a machine of two cores, under the same load: its environment route 873 requests/s, p50 16 ms, 1.2 ms CPU; its submit 180/s, p50 86 ms, 5.5 ms CPU, 28 SQL statements.',
    ],
    tables: [
      {
        head: ['load', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms/request', 'errors', 'at rest after s'],
        rows: loads.map(({ name, perSecond, p50Ms, p99Ms, cpuMsPerRequest, errors, settledSeconds }) => [
          name,
          perSecond,
          p50Ms,
          p99Ms,
          cpuMsPerRequest,
          errors,
          settledSeconds,
        ]),
      },
    ],
  };
}
