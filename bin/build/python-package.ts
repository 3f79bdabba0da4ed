import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSources } from '../../shared/contract/python-client.ts';

const PACKAGE = fileURLToPath(new URL('../../sdk/python/', import.meta.url));

/** Writes the whole Python package into a folder, with the files that are made of the route table, ready for `pip`. */
export function writePythonPackage(folder: string): void {
  cpSync(PACKAGE, folder, { recursive: true, filter: (path) => !/__pycache__|python\/dist/.test(path) });
  for (const [name, text] of Object.entries(pythonSources())) {
    writeFileSync(join(folder, 'src/canvass_surveys', name), text);
  }
}

/**
 * Builds the wheel into a folder, with any Python from 3.10 on.
 * @throws Error when Python or its pip is not there, or says no
 */
export function buildWheel(output: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-python-'));
  try {
    rmSync(output, { recursive: true, force: true });
    writePythonPackage(folder);
    const wheel = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', output, folder];
    const { status, error } = spawnSync('python3', wheel, { stdio: 'inherit' });
    if (error) throw new Error(`python3 cannot be started: ${error.message}`);
    if (status !== 0) throw new Error(`python3 ${wheel.join(' ')} ended with ${status}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
