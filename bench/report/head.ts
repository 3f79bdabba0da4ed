/** Where and with what a run was made. */

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const manifest = z.object({ version: z.string() });

/** What the figures depend on, beside our own code. */
const PACKAGES: Readonly<Record<string, string>> = {
  'AWS SDK': '@aws-sdk/lib-dynamodb',
  dynoxide: '@dynoxide/linux-x64',
  autocannon: 'autocannon',
  esbuild: 'esbuild',
  middy: '@middy/core',
  zod: 'zod',
};

function versionOf(name: string): string {
  try {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    return manifest.parse(JSON.parse(text)).version;
  } catch {
    return 'of unknown version';
  }
}

export function machine(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() ?? 'unknown';
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}`;
}

export function versions(): string {
  const packages = Object.entries(PACKAGES).map(([title, name]) => `${title} ${versionOf(name)}`);
  return [`Node ${process.version}`, ...packages].join(', ');
}
