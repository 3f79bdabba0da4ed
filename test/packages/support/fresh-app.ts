/** Apps of people who have installed the packages, and have nothing else of this project. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, inject } from 'vitest';
import { SCOPE } from '../../../bin/build/packages.ts';
import type { Packed } from './global-setup.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A package as it would be published. */
export function packed(name: string): Packed {
  const found = inject('packages')[name];
  if (found === undefined) throw new Error(`bin/build/packages.ts has no package ${name}`);
  return found;
}

interface FreshApp {
  /** Packages of ours, without the scope: from their tarballs. */
  readonly packages: readonly string[];
  /** What else the app has: packages of others, linked from where this project has them. */
  readonly others?: readonly string[];
}

/** A folder outside of the project with these packages in `node_modules`; for the length of the suite that asks for it. */
export function freshApp({ packages, others = [] }: FreshApp): string {
  const app = mkdtempSync(join(tmpdir(), 'canvass-app-'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  for (const name of packages) {
    const target = join(app, 'node_modules', SCOPE, name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', packed(name).tarball, '--strip-components=1', '-C', target]);
  }
  for (const name of others) {
    const link = join(app, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  afterAll(() => rmSync(app, { recursive: true, force: true }));
  return app;
}
