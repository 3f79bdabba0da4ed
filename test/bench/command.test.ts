/** The command line of the bench, and what it leaves behind. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstLine } from '../../bench/http/service.ts';
import { readOptions } from '../../bench/options.ts';

const ROOT = join(import.meta.dirname, '../..');

it.each([
  [[], { isQuick: false }],
  [['--quick'], { isQuick: true }],
  [['--qick'], undefined],
  [['--quick', 'now'], undefined],
  [['--quick=3'], undefined],
])('%j is read as %j', (args, options) => {
  expect(readOptions(args)).toEqual(options);
});

it('an unknown flag measures nothing: usage, status 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.ts', '--qick'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('npm run bench [-- --quick]');
});

describe('scratch folders', () => {
  const made = (then: string) => {
    const source = `import { scratchFolder } from './bench/scratch.ts'; console.log(scratchFolder()); ${then}`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return { folder: stdout.trim(), status };
  };

  it.each([
    ['an error that nobody caught', "throw new Error('half-way');", 1],
    ['an exit', 'process.exit(130);', 130],
  ])('are gone after %s', (_, then, expected) => {
    const { folder, status } = made(then);
    expect(folder).toContain('canvass-bench-');
    expect(existsSync(folder)).toBe(false);
    expect(status).toBe(expected);
  });
});

it('a service that ends before it serves is an error, not a wait for ever', async () => {
  const child = spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: ['ignore', 'pipe', 'ignore'] });
  await expect(firstLine(child, () => 'the folder is in use')).rejects.toThrow(
    'ended before it served: status 3\nthe folder is in use',
  );
});
