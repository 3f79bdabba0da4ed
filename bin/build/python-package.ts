import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSources } from '../../shared/contract/clients/python-client.ts';

const PACKAGE = fileURLToPath(new URL('../../sdk/python/', import.meta.url));

function writePythonPackage(folder: string): void {
  cpSync(PACKAGE, folder, { recursive: true, filter: (path) => !/__pycache__|python\/dist/.test(path) });
  for (const [name, text] of Object.entries(pythonSources())) {
    writeFileSync(join(folder, 'src/canvass_surveys', name), text);
  }
}

/** The system's Python often includes setuptools. */
const PYTHONS = ['python3', '/usr/bin/python3'];

function wheelCommand(): readonly string[] {
  const hasTools = (python: string) =>
    spawnSync(python, ['-c', 'import setuptools, wheel, pip']).status === 0;
  const equipped = PYTHONS.find(hasTools);
  const offline = ['--no-build-isolation', '--no-index'];
  return equipped === undefined
    ? ['python3', '-m', 'pip', 'wheel']
    : [equipped, '-m', 'pip', 'wheel', ...offline];
}

/** @throws Error without Python 3.10 or pip, or if one of them fails */
export function buildWheel(output: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-python-'));
  try {
    rmSync(output, { recursive: true, force: true });
    writePythonPackage(folder);
    const [python = '', ...args] = [...wheelCommand(), '--quiet', '--no-deps', '--wheel-dir', output, folder];
    const { status, error } = spawnSync(python, args, { stdio: 'inherit' });
    if (error) throw new Error(`${python} cannot be started: ${error.message}`);
    if (status !== 0) throw new Error(`${python} ${args.join(' ')} ended with ${status}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
