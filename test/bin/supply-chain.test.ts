import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

it('every package of the lock file has a source and a checksum', () => {
  const { status, stderr } = run('bin/check-lock.ts');
  expect([status, stderr]).toEqual([0, '']);
});

it('every license is on the list', () => {
  const { status, stdout, stderr } = run('bin/check-licences.ts');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\d+ MIT/);
});
