/** The arithmetic under the figures, and the command line. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { partsOf, platformLogBytes } from '../../bench/money.ts';
import { figure, goalRow, tableText } from '../../bench/report.ts';
import { growthExponent, quantile } from '../../bench/statistics.ts';

it.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[4, 1, 3, 2], 0.99, 4],
  [[7], 0, 7],
])('the quantile of %j at %d is %d', (samples, share, expected) => {
  expect(quantile(samples, share)).toBe(expected);
});

it.each([0, 1, 2])('a power law of exponent %d is recognised', (exponent) => {
  const points = [1, 10, 1_000].map((x): [number, number] => [x, 3 * x ** exponent]);
  expect(growthExponent(points)).toBeCloseTo(exponent);
});

it.each([
  [0.012345, '0.0123'],
  [1.5, '1.50'],
  [2, '2'],
  [1_234.5, '1,235'],
  [Number.NaN, '–'],
])('%d is written %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

it('a table is aligned, and a goal that is not measured is missed', () => {
  expect(tableText([{ what: 'floor', 'p50 ms': 1.5 }])).toBe(
    '| what  | p50 ms |\n| ----- | ------ |\n| floor | 1.50   |',
  );
  expect(goalRow({ goal: 'a', measured: 1.2, atMost: 1.25 })).toMatchObject({
    wanted: '≤ 1.25',
    result: 'met',
  });
  expect(goalRow({ goal: 'a', measured: 1.3, atMost: 1.25 }).result).toBe('**missed**');
  expect(goalRow({ goal: 'a', measured: Number.NaN, atMost: 1 }).result).toBe('**missed**');
});

it('money: a million requests cost what their parts cost; a reply of more than 512 KB is more requests', () => {
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
  expect(platformLogBytes()).toBeGreaterThan(500);
  expect(platformLogBytes()).toBeLessThan(800);
});

function runNode(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' });
}

it.each([['--qick'], ['warn']])('%s measures nothing: usage, status 2', (argument) => {
  const { status, stdout, stderr } = runNode('bench/run.ts', argument);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('npm run bench [-- [--quick] [--json] [SCRIPT...]]');
});

it('a script that is named prints one JSON document with --json, and writes nothing', () => {
  const { status, stdout } = runNode('bench/run.ts', 'units', '--quick', '--json');
  expect(status).toBe(0);
  const { results } = JSON.parse(stdout);
  expect(Object.keys(results)).toEqual(['units']);
  expect(results.units.tables.requests[0]).toEqual(expect.objectContaining({ request: 'bootstrap' }));
});
