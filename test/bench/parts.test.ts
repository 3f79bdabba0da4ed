/** Every part of the bench still runs, on sizes too small to say anything: it meets the service through its seams. */

import { afterAll, describe, expect, it } from 'vitest';
import { FLOORS, measureColdStarts } from '../../bench/cold/measure.ts';
import { measureLarge } from '../../bench/growth/large.ts';
import { measureHistories, measureSurveys } from '../../bench/growth/small.ts';
import { LOADS } from '../../bench/http/throughput.ts';
import { mixOf } from '../../bench/money/costs.ts';
import { routeCosts } from '../../bench/money/route-costs.ts';
import { GOALS, goalsTable } from '../../bench/report/goals.ts';
import { runFigures } from '../../bench/report/run-figures.ts';
import { startStage } from '../../bench/stage.ts';
import { measureUnits } from '../../bench/units/measure.ts';
import { HOT_ROUTES } from '../../bench/warm/hot-routes.ts';
import { measureRoutes } from '../../bench/warm/routes.ts';
import { ROUTES } from '../../shared/contract/routes.ts';

const stage = await startStage();
afterAll(() => stage.stop());

const routes = await measureRoutes(stage, { rounds: 1, runs: 2 });
const cold = await measureColdStarts(stage, 1);
const units = await measureUnits(stage);
const large = await measureLarge(stage, [30, 60], () => undefined);
const series = [...(await measureHistories(stage)), ...(await measureSurveys(stage, [1, 2])), ...large];

it('warm requests: each hot route against the floors and the plain handler', () => {
  expect(routes.map(({ route }) => route)).toEqual([...HOT_ROUTES]);
  for (const { floor, prepared, plain, handler } of routes) {
    for (const { cpuMicros } of [floor, prepared, plain, handler]) expect(cpuMicros).toBeGreaterThan(0);
  }
});

it('cold starts: bundles that reply from a process of their own', () => {
  const names = cold.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([FLOORS.shipped, FLOORS.equal, ...HOT_ROUTES]));
});

it('cold starts: the equal floor differs from the shipped one by the search for credentials', () => {
  const kilobytesOf = (name: string) => cold.find((each) => each.name === name)?.kilobytes ?? Number.NaN;
  expect(kilobytesOf(FLOORS.shipped) - kilobytesOf(FLOORS.equal)).toBeGreaterThan(50);
});

describe('units', () => {
  const of = (request: string) => units.find((each) => each.request === request);

  it('of every route that asks DynamoDB', () => {
    const asking = ROUTES.filter(({ access }) => Object.keys(access).length > 0).map(({ name }) => name);
    expect(new Set(units.map(({ route }) => route))).toEqual(new Set(asking));
  });

  it.each(['bootstrap', 'mint'])('%s: one query, without what is done once a day', (request) => {
    expect(of(request)).toMatchObject({ calls: '1 Query', readUnits: 1, writeUnits: 0 });
  });

  it('a page of pending scores is filled and acked whole', () => {
    expect(of('ack of 20')?.writeUnits).toBeGreaterThanOrEqual(20);
  });
});

it('growth: projects are filled, exported and purged', () => {
  expect(large.map(({ points }) => points.map(({ size }) => size))).toEqual([
    [30, 60],
    [30, 60],
    [30, 60],
  ]);
});

it('money: the typical mix is of requests that were measured', () => {
  const costs = routeCosts(units, routes);
  expect(mixOf(costs).total).toBeGreaterThan(1);
  expect(() => routeCosts(units.slice(1, 2), routes)).toThrow('submit-response');
});

describe('goals', () => {
  const http = Object.values(LOADS).map((name) => ({
    name,
    perSecond: 1,
    p50Ms: 1,
    p99Ms: 1,
    cpuMsPerRequest: 1,
    errors: name === LOADS.mixed ? 3 : 0,
    settledSeconds: 1,
  }));
  const parts = { routes, cold, sizes: [], units, series, http, costs: [], seconds: 700 };
  const figures = runFigures(parts);

  it.each(GOALS)('$name: there is a figure to judge', ({ figure, beside }) => {
    expect(figures[figure]).toEqual(expect.any(Number));
    if (beside !== undefined) expect(figures[beside.figure]).toEqual(expect.any(Number));
  });

  const verdictOn = (name: string, of = figures) =>
    goalsTable(of)
      .rows.find((row) => row[0] === name)
      ?.slice(1, 4);

  it('errors over HTTP and a run of more than ten minutes miss theirs', () => {
    expect(verdictOn('errors over HTTP')).toEqual(['≤ 0', 3, '**missed**']);
    expect(verdictOn('seconds of the whole run')).toEqual(['≤ 600', 700, '**missed**']);
    expect(verdictOn('errors over HTTP', runFigures({ ...parts, http: [] }))).toEqual(['≤ 0', 0, 'met']);
  });

  it('a figure that is not there is said to be missing', () => {
    expect(verdictOn('answers a second over HTTP', runFigures({ ...parts, http: [] }))).toEqual([
      '≥ 900',
      Number.NaN,
      '**not measured**',
    ]);
  });
});
