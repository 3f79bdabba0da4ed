import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildWheel } from '../../../bin/build/python-package.ts';

export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

function run(...args: string[]): void {
  const { status, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`python3 ${args.join(' ')}: ${stderr}`);
}

export function freshPython(): () => string {
  let folder = '';
  const python = () => join(folder, 'venv/bin/python');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'canvass-venv-'));
    const wheels = join(folder, 'wheels');
    buildWheel(wheels);
    const [wheel = ''] = readdirSync(wheels);
    run('-m', 'venv', '--without-pip', join(folder, 'venv'));
    run(
      '-m',
      'pip',
      '--quiet',
      '--python',
      python(),
      'install',
      '--no-index',
      '--no-deps',
      join(wheels, wheel),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return python;
}

export async function runPython(python: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(python, args);
  child.stdin.end(input);
  const closed = new Promise((resolve) => child.on('close', resolve));
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await closed;
  expect({ status, complaints: status === 0 ? '' : complaints }).toEqual({ status: 0, complaints: '' });
  return `${said}${complaints}`;
}
