import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSources } from '../../shared/contract/python-client.ts';

const PACKAGE = fileURLToPath(new URL('../../sdk/python/', import.meta.url));

/** Writes the whole Python package into a folder, with the files that are made of the route table, ready for `pip`. */
export function writePythonPackage(folder: string): void {
  cpSync(PACKAGE, folder, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  for (const [name, text] of Object.entries(pythonSources())) {
    writeFileSync(join(folder, 'src/canvass_surveys', name), text);
  }
}
