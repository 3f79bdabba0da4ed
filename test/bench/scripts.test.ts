import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { cold } from '../../bench/cold.ts';
import { figure, median, medianRatio, quantile, tableText } from '../../bench/figures.ts';
import { large } from '../../bench/large.ts';
import { money, partsOf, units } from '../../bench/money.ts';
import { warm } from '../../bench/warm.ts';
import { ROUTES } from '../../shared/contract/routes.ts';

// The scripts start processes and load the service, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const HOT_ROUTES = ['bootstrap', 'submit-response', 'submit-dismissal', 'mint-tokens'];

it('compares each warm hot route with the floor', async () => {
  const rows = await warm(1, 2);
  expect(rows.map(({ route }) => route)).toEqual(HOT_ROUTES);
  for (const row of rows) {
    expect(row['CPU µs']).toBeGreaterThan(0);
    expect(row['floor CPU µs']).toBeGreaterThan(0);
    expect(row['p99 ms']).toBeGreaterThanOrEqual(row['p50 ms']);
    expect(Number.isFinite(row['p50 / floor'])).toBe(true);
  }
});

it('runs the floor and each hot route in separate processes', async () => {
  const [floor, ...rows] = await cold(1);
  expect(floor).toMatchObject({ bundle: 'floor', 'total / floor': 1, 'CPU / floor': 1 });
  expect(rows.map(({ bundle }) => bundle)).toEqual(HOT_ROUTES);
  for (const row of rows) {
    expect(row.KB).toBeGreaterThan(100);
    expect(Number.isFinite(row['total / floor'])).toBe(true);
  }
});

it('counts units and calls without the work that an instance does once a day', async () => {
  const rows = await units(2);
  const asking = ROUTES.filter(({ access }) => Object.keys(access).length > 0).map(({ name }) => name);
  const measured = rows.map(({ request }) => request.split(',')[0]);
  expect(asking).toEqual(expect.arrayContaining([...new Set(measured)]));
  expect(measured).toEqual(expect.arrayContaining(HOT_ROUTES));
  const row = (name: string) => rows.find(({ request }) => request === name);
  expect(row('bootstrap')).toMatchObject({ calls: '1 Query', readUnits: 1, writeUnits: 0 });
  expect(row('mint-tokens')).toMatchObject({ calls: '1 Query', readUnits: 1, writeUnits: 0 });
  expect(row('submit-response')).toMatchObject({ calls: '1 PutItem', writeUnits: 2 });
  expect(row('submit-impression')).toMatchObject({ calls: '1 UpdateItem', writeUnits: 2 });
  expect(row('revise-response')).toMatchObject({ calls: '1 UpdateItem', writeUnits: 1 });
  expect(row('deferred-ask-link')).toMatchObject({ calls: '1 Query', writeUnits: 0 });
  expect(row('show-link')).toMatchObject({ calls: '1 Query', writeUnits: 0 });
  expect(row('answer-link')).toMatchObject({ calls: '1 PutItem', writeUnits: 2 });
  expect(row('ack-scores, 20 results')?.writeUnits).toBeGreaterThanOrEqual(20);
});

it('prices a million bootstraps and the typical mix', async () => {
  const [mix, bootstrap] = await money(2);
  expect(mix?.request).toContain('typical mix');
  expect(bootstrap).toMatchObject({ request: 'bootstrap', gateway: 1, dynamodb: 0.125 });
  expect(mix?.['$ a million']).toBeGreaterThan(bootstrap?.['$ a million'] ?? Number.NaN);
});

it('compares an import of two sizes', async () => {
  const [small, larger] = await large([250, 500], ['import']);
  expect(small).toMatchObject({ operation: 'import', answers: 250, ratio: '' });
  expect(Number(larger?.ratio)).toBeLessThanOrEqual(2.2);
  expect(larger?.['write units']).toBeGreaterThan(Number(small?.['write units']));
});

function runBench(...args: string[]) {
  const cwd = join(import.meta.dirname, '../..');
  return spawnSync(process.execPath, ['bench/run.ts', ...args], { cwd, encoding: 'utf8' });
}

it.each([['--qick'], ['warn']])('prints its usage and exits with 2 for %s', (argument) => {
  const { status, stdout, stderr } = runBench(argument);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('npm run bench [-- [--quick] [SCRIPT...]]');
});

it('prints only the table of the named script', () => {
  const { status, stdout } = runBench('money', '--quick');
  expect(status).toBe(0);
  expect(stdout).toMatch(/\nmoney\n\n\| request .*\| \$ a million \|/);
  expect(stdout).toContain('| bootstrap ');
  expect(stdout).not.toMatch(/\n(warm|cold)\n/);
});

it.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[4, 1, 3, 2], 0.99, 4],
  [[7], 0, 7],
])('for %j, returns the quantile %d as %d', (samples, share, expected) => {
  expect(quantile(samples, share)).toBe(expected);
});

it('compares samples of the same index', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(medianRatio([2, 9, 40], [1, 3, 10])).toBe(3);
});

it.each([
  [0.012345, '0.0123'],
  [1.5, '1.50'],
  [2, '2'],
  [1_234.5, '1,235'],
  [Number.NaN, '–'],
])('prints %d as %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

it('aligns a table', () => {
  expect(tableText([{ what: 'floor', 'p50 ms': 1.5 }])).toBe(
    '| what  | p50 ms |\n| ----- | ------ |\n| floor | 1.50   |',
  );
});

it('prices a million requests, and a reply of more than 512 KB as several requests', () => {
  const use = { billedMs: 10, readUnits: 1, writeUnits: 0, logBytes: 1_000, replyBytes: 1_000 };
  const { gateway, lambda, dynamodb, logs, transfer } = partsOf(use);
  expect([gateway, lambda, dynamodb, logs, transfer].map((part) => part.toFixed(3))).toEqual([
    '1.000',
    '0.333',
    '0.125',
    '0.500',
    '0.090',
  ]);
  expect(partsOf({ ...use, replyBytes: 512 * 1_024 }).gateway).toBeCloseTo(1);
  expect(partsOf({ ...use, replyBytes: 512 * 1_024 + 1 }).gateway).toBeCloseTo(2);
});
