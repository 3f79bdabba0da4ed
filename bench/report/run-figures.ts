/** The figures of a run by name: what goals judge and the next run is compared with. */

import { type ColdFigures, FLOORS } from '../cold/measure.ts';
import { exponentsOf, type GrowthSeries, SERIES, unitsOf } from '../growth/series.ts';
import type { Throughput } from '../http/throughput.ts';
import { ratio } from '../interleave.ts';
import type { RouteCost } from '../money/costs.ts';
import type { RequestUnits } from '../units/measure.ts';
import { HOT_ROUTES } from '../warm/hot-routes.ts';
import type { RouteFigures } from '../warm/routes.ts';

export interface RunParts {
  readonly routes: readonly RouteFigures[];
  readonly cold: readonly ColdFigures[];
  /** Name, kilobytes, ceiling. */
  readonly sizes: readonly (readonly [string, number, number])[];
  readonly units: readonly RequestUnits[];
  readonly series: readonly GrowthSeries[];
  readonly http: readonly Throughput[];
  readonly costs: readonly RouteCost[];
  /** Of the whole run. */
  readonly seconds: number;
}

export type RunFigures = Readonly<Record<string, number>>;

export const FIGURES = {
  httpErrors: 'http errors',
  longHistory: 'units at 1000 answers',
  seconds: 'seconds of the run',
} as const;

export const lastExponentOf = (what: string): string => `${what}: last exponent of units`;

const LONG_HISTORY = 1_000;

export function runFigures({
  routes,
  cold,
  sizes,
  units,
  series,
  http,
  costs,
  seconds,
}: RunParts): RunFigures {
  const figures: Record<string, number> = {};
  for (const { route, floor, prepared, handler } of routes) {
    figures[`warm ${route} p50 ratio`] = ratio(handler, floor, 'p50Ms');
    figures[`warm ${route} cpu ratio`] = ratio(handler, floor, 'cpuMicros');
    figures[`warm ${route} cpu µs`] = handler.cpuMicros;
    figures[`warm ${route} floor prepared p50 ratio`] = ratio(prepared, floor, 'p50Ms');
    figures[`warm ${route} floor prepared cpu ratio`] = ratio(prepared, floor, 'cpuMicros');
  }
  const judged: readonly string[] = [...HOT_ROUTES, FLOORS.equal];
  for (const { name, totalRatio, cpuRatio, equalTotalRatio, equalCpuRatio } of cold) {
    if (!judged.includes(name)) continue;
    figures[`cold ${name} ratio`] = totalRatio;
    figures[`cold ${name} cpu ratio`] = cpuRatio;
    figures[`cold ${name} equal ratio`] = equalTotalRatio;
    figures[`cold ${name} equal cpu ratio`] = equalCpuRatio;
  }
  for (const [name, kilobytes] of sizes) figures[`bundle ${name} KB`] = kilobytes;
  for (const { name, perSecond, cpuMsPerRequest } of http) {
    figures[`http ${name} per second`] = perSecond;
    figures[`http ${name} cpu ms`] = cpuMsPerRequest;
  }
  figures[FIGURES.httpErrors] = http.reduce((sum, { errors }) => sum + errors, 0);
  for (const { request, readUnits, writeUnits, p50Ms } of units) {
    figures[`units ${request}`] = readUnits + writeUnits;
    figures[`p50 ms ${request}`] = p50Ms;
  }
  for (const each of series) {
    const last = each.points.at(-1);
    if (last !== undefined) figures[`${each.what}: units at ${last.size}`] = unitsOf(last);
    figures[lastExponentOf(each.what)] = exponentsOf(each, 'units').last;
  }
  const long = series
    .find(({ what }) => what === SERIES.folded)
    ?.points.find(({ size }) => size === LONG_HISTORY);
  if (long !== undefined) figures[FIGURES.longHistory] = long.readUnits;
  for (const { route, total } of costs) figures[`dollars a million ${route}`] = total;
  figures[FIGURES.seconds] = seconds;
  return figures;
}
