/** The published packages, in order of their dependencies. */

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBrowserPackage } from './browser-package.ts';
import { buildCdkPackage } from './cdk-package.ts';
import { buildCliPackage } from './cli-package.ts';
import { buildReactPackage } from './react-package.ts';
import { buildServerPackage } from './server-package.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** To publish under another scope, change it here and in the packages' names. */
export const SCOPE = '@canvass-surveys';

/** The size limit of a file after gzip. */
export interface SizeBudget {
  /** Relative to the package's folder. */
  readonly file: string;
  readonly bytes: number;
}

export interface NpmPackage {
  /** Without the scope. */
  readonly name: string;
  /** Relative to the root; the build is in its `dist`. */
  readonly folder: string;
  readonly build: (dist: string) => Promise<void>;
  readonly budgets: readonly SizeBudget[];
}

export const NPM_PACKAGES: readonly NpmPackage[] = [
  {
    name: 'browser',
    folder: 'sdk/browser',
    build: buildBrowserPackage,
    // The budget of what a page loads is in `test/sdk/browser/size.test.ts`.
    budgets: [
      { file: 'dist/canvass.js', bytes: 3_072 },
      { file: 'dist/canvass.mjs', bytes: 3_072 },
      { file: 'dist/headless.mjs', bytes: 5_760 },
      { file: 'dist/widget.js', bytes: 5_248 },
      { file: 'dist/kit.js', bytes: 2_112 },
      { file: 'dist/bare.js', bytes: 3_712 },
      { file: 'dist/thumbs.js', bytes: 2_944 },
    ],
  },
  {
    name: 'react',
    folder: 'sdk/react',
    build: buildReactPackage,
    budgets: [{ file: 'dist/index.js', bytes: 1_792 }],
  },
  {
    name: 'server',
    folder: 'sdk/server',
    build: buildServerPackage,
    budgets: [
      { file: 'dist/index.cjs', bytes: 6_656 },
      { file: 'dist/scores.cjs', bytes: 8_192 },
    ],
  },
  {
    name: 'cdk',
    folder: 'lib',
    build: buildCdkPackage,
    budgets: [{ file: 'dist/index.cjs', bytes: 114_688 }],
  },
  {
    name: 'cli',
    folder: 'sdk/cli',
    build: buildCliPackage,
    budgets: [{ file: 'dist/canvass.js', bytes: 307_200 }],
  },
];

const CARRIED = ['package.json', 'README.md', 'LICENSE'];

export async function buildInPlace({ folder, build }: NpmPackage): Promise<void> {
  const dist = join(ROOT, folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build(dist);
}

export async function writePackage({ folder, build }: NpmPackage, target: string): Promise<void> {
  const dist = join(target, 'dist');
  mkdirSync(dist, { recursive: true });
  await build(dist);
  for (const name of CARRIED) cpSync(join(ROOT, folder, name), join(target, name));
}
