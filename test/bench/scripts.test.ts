/** Every script of the bench runs, on sizes too small to say anything, and its figures are sane. */

import { expect, it, vi } from 'vitest';
import { cold } from '../../bench/cold.ts';
import { growth } from '../../bench/growth.ts';
import { money } from '../../bench/money.ts';
import { fillReport, glanceRows, type Measured } from '../../bench/report.ts';
import { units } from '../../bench/units.ts';
import { warm } from '../../bench/warm.ts';
import { ROUTES } from '../../shared/contract/routes.ts';

// What runs here are processes and loads: on a busy machine they take their time.
vi.setConfig({ testTimeout: 180_000 });

const TINY = {
  warmRounds: 1,
  warmRequests: 2,
  coldRounds: 1,
  requests: 2,
  histories: [1, 10],
  surveys: [1, 2],
  projects: [30, 60],
  answers: [5, 50],
  expired: [10, 20],
};
const HOT_ROUTES = ['bootstrap', 'submit-response', 'submit-dismissal', 'mint-tokens'];
const results: Record<string, Measured> = {};

it('warm: each hot route against the floor', async () => {
  const { tables, goals } = await warm(TINY);
  results.warm = { tables, goals };
  expect(new Set(tables.routes.map(({ route }) => route))).toEqual(new Set(HOT_ROUTES));
  for (const row of tables.routes) {
    expect(row['CPU µs']).toBeGreaterThan(0);
    expect(row['p99 ms']).toBeGreaterThanOrEqual(Number(row['p50 ms']));
    if (row.what === 'floor') expect(row).toMatchObject({ 'p50 / floor': 1, 'CPU / floor': 1 });
  }
  expect(goals).toHaveLength(2 * HOT_ROUTES.length);
});

it('cold: bundles that reply from a process of their own; the floors differ by what the packages hold unused', async () => {
  const { tables, goals } = await cold(TINY);
  results.cold = { tables, goals };
  const kilobytes = new Map(tables.starts.map(({ bundle, KB }) => [bundle, KB]));
  expect([...kilobytes.keys()]).toEqual(expect.arrayContaining(HOT_ROUTES));
  const [shipped = 0, equal = 0] = [kilobytes.get('floor'), kilobytes.get('floor, bundled as ours')];
  expect(shipped - equal).toBeGreaterThan(50);
  expect(tables.bundles.map((row) => row.function)).toEqual(
    expect.arrayContaining(ROUTES.map(({ name }) => name)),
  );
  expect(goals.map(({ measured }) => Number.isFinite(measured))).toEqual(HOT_ROUTES.map(() => true));
});

it('units: routes that ask DynamoDB, without what is done once a day', async () => {
  const { tables } = await units(TINY);
  results.units = { tables };
  const asking = ROUTES.filter(({ access }) => Object.keys(access).length > 0).map(({ name }) => name);
  const measured = tables.requests.map(({ request }) => request.split(',')[0]);
  expect(asking).toEqual(expect.arrayContaining([...new Set(measured)]));
  expect(measured).toEqual(expect.arrayContaining(HOT_ROUTES));
  const row = (name: string) => tables.requests.find(({ request }) => request === name);
  expect(row('bootstrap')).toMatchObject({ calls: '1 Query', 'read units': 1, 'write units': 0 });
  expect(row('mint-tokens')).toMatchObject({ calls: '1 Query', 'read units': 1, 'write units': 0 });
  expect(row('submit-response')).toMatchObject({ calls: '1 PutItem', 'write units': 2 });
  expect(row('submit-impression')).toMatchObject({ calls: '1 UpdateItem', 'write units': 2 });
  expect(row('revise-response')).toMatchObject({ calls: '1 UpdateItem', 'write units': 1 });
  expect(row('deferred-ask-link')).toMatchObject({ calls: '1 Query', 'write units': 0 });
  expect(row('show-link')).toMatchObject({ calls: '1 Query', 'write units': 0 });
  expect(row('answer-link')).toMatchObject({ calls: '1 PutItem', 'write units': 2 });
  expect(row('ack-scores, 20 results')?.['write units']).toBeGreaterThanOrEqual(20);
});

it('growth: histories, surveys and projects of each size; what is exported and purged is counted', async () => {
  const { tables, goals } = await growth(TINY);
  results.growth = { tables, goals };
  const sizes = tables.points.map(({ size }) => size);
  expect(sizes).toEqual(['1; 10', '1; 10', '1; 2', '1; 2', '30; 60', '30; 60', '30; 60']);
  for (const { measured } of goals) expect(measured).toEqual(expect.any(Number));
});

it('growth: the cost of one more answer, over each place where a local run keeps them', () => {
  const { tables = {}, goals = [] } = results.growth ?? {};
  expect(tables.answers?.map((row) => row['submit-response over'])).toEqual(['--memory', 'a data folder']);
  for (const row of tables.answers ?? []) {
    expect(row['CPU ms at 5']).toBeGreaterThan(0);
    expect(row['CPU ms at 50']).toBeGreaterThan(0);
    expect(row.exponent).toEqual(expect.any(Number));
  }
  expect(goals).toHaveLength(11);
});

it('growth: the sweep of expired answers, what each costs and what a million would', () => {
  const { tables = {} } = results.growth ?? {};
  const [row] = tables.expiry ?? [];
  expect(row?.['CPU ms for 20']).toBeGreaterThan(0);
  expect(row?.exponent).toEqual(expect.any(Number));
  // Of few answers the places where the sweep was, one for each shard, are a part.
  expect(row?.['write units each']).toBeGreaterThan(3);
  expect(row?.['$ a million']).toBeGreaterThan(3 * 0.625);
  expect(row?.['minutes a million']).toBeCloseTo(1e6 / 200 / 60);
});

it('money: the parts of a million bootstraps, and the typical mix', async () => {
  const { tables } = await money(TINY);
  results.money = { tables };
  const [mix, bootstrap] = tables.million;
  expect(mix?.request).toContain('typical mix');
  expect(bootstrap).toMatchObject({ request: 'bootstrap', gateway: 1, dynamodb: 0.125 });
  expect(mix?.total).toBeGreaterThan(bootstrap?.total ?? Number.NaN);
});

it('the report: what a reader asks first of each request, and a table for each mark', () => {
  const [mix, bootstrap] = glanceRows(results);
  expect(mix?.['$ a million']).toEqual(expect.any(Number));
  for (const cell of Object.values(bootstrap ?? {}).slice(1, -1)) expect(cell).toEqual(expect.any(Number));
  expect(bootstrap?.calls).toBe('1 Query');

  const run = { date: '2026-11-22', seconds: 1, machine: 'this one', packages: 'zod 4' };
  const fill = (text: string) => fillReport(text, { run, results: {}, goals: [] });
  const mark = (name: string) => `<!-- bench: ${name} -->\nold\n<!-- end -->\n`;
  const all = ['run', 'glance', 'goals'].map(mark).join('');
  expect(fill(all)).toContain('Measured on 2026-11-22, in 1 s.');
  expect(fill(all)).not.toContain('old');
  expect(fill(fill(all))).toBe(fill(all));
  expect(() => fill(mark('run'))).toThrow('there is no mark for glance, goals');
  expect(() => fill(`${all}${mark('speed')}`)).toThrow('nothing is measured for the mark speed');
});
