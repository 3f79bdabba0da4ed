import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { NPM_PACKAGES, writePackage } from '../../../bin/build/packages.ts';
import startDynamodb from '../../support/global-setup.ts';

export interface Packed {
  readonly tarball: string;
  readonly folder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    packages: Readonly<Record<string, Packed>>;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stopDynamodb = await startDynamodb(project);
  const root = mkdtempSync(join(tmpdir(), 'canvass-packages-'));
  const packages: Record<string, Packed> = {};
  for (const built of NPM_PACKAGES) {
    const folder = join(root, built.name);
    mkdirSync(folder);
    await writePackage(built, folder);
    // The output of `prepack` exists already.
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root];
    const tarball = execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim();
    packages[built.name] = { tarball: join(root, tarball), folder };
  }
  project.provide('packages', packages);
  return async () => {
    await stopDynamodb();
    rmSync(root, { recursive: true, force: true });
  };
}
