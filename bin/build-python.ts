/** `npm run build:python`: builds the wheel of the Python client into `dist/python`, with any Python from 3.10 on. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePythonPackage } from './build/python-package.ts';

const output = fileURLToPath(new URL('../dist/python', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'canvass-python-'));
try {
  rmSync(output, { recursive: true, force: true });
  writePythonPackage(folder);
  const { status, error } = spawnSync(
    'python3',
    ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', output, folder],
    { stdio: 'inherit' },
  );
  if (error) process.stderr.write(`build:python: python3 cannot be started: ${error.message}\n`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
