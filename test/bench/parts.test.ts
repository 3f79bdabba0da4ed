/** Every part of the bench still runs, on sizes too small to say anything: it meets the service through its seams. */

import { afterAll, expect, it } from 'vitest';
import { measureColdStarts } from '../../bench/cold/measure.ts';
import { measureLarge } from '../../bench/growth/large.ts';
import { startStage } from '../../bench/stage.ts';
import { measureUnits } from '../../bench/units/measure.ts';
import { measureRoutes } from '../../bench/warm/routes.ts';

const ROUTES = ['bootstrap', 'submit-response', 'submit-dismissal', 'mint-tokens'];
const stage = await startStage();
afterAll(() => stage.stop());

it('warm requests: each hot route against the floor and the plain handler', async () => {
  const figures = await measureRoutes(stage, { rounds: 1, runs: 2 });
  expect(figures.map(({ route }) => route)).toEqual(ROUTES);
  for (const { floor, plain, handler } of figures) {
    for (const { cpuMicros } of [floor, plain, handler]) expect(cpuMicros).toBeGreaterThan(0);
  }
});

it('cold starts: bundles that reply from a process of their own', async () => {
  const figures = await measureColdStarts(stage, 1);
  expect(figures.map(({ name }) => name)).toEqual(expect.arrayContaining(['floor', ...ROUTES]));
});

it('units: what each request consumed', async () => {
  const units = await measureUnits(stage);
  expect(units.find(({ route }) => route === 'bootstrap')).toMatchObject({ readUnits: 1, writeUnits: 0 });
});

it('growth: projects are filled, exported and purged', async () => {
  const series = await measureLarge(stage, [60]);
  expect(series.flatMap(({ points }) => points.map(({ size }) => size))).toEqual([60, 60, 60]);
});
