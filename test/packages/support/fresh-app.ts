import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, inject } from 'vitest';
import { SCOPE } from '../../../bin/build/packages.ts';
import type { Packed } from './global-setup.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export function packed(name: string): Packed {
  const found = inject('packages')[name];
  if (found === undefined) throw new Error(`bin/build/packages.ts has no package ${name}`);
  return found;
}

export function unpack(app: string, name: string): void {
  const target = join(app, 'node_modules', SCOPE, name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', packed(name).tarball, '--strip-components=1', '-C', target]);
}

interface FreshApp {
  /** Without the scope. */
  readonly packages: readonly string[];
  /** Other packages, linked from this project. */
  readonly others?: readonly string[];
}

export function freshApp({ packages, others = [] }: FreshApp): string {
  const app = mkdtempSync(join(tmpdir(), 'canvass-app-'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  for (const name of packages) unpack(app, name);
  for (const name of others) {
    const link = join(app, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  afterAll(() => rmSync(app, { recursive: true, force: true }));
  return app;
}

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

export const RESOLUTIONS = [
  { module: 'preserve', moduleResolution: 'bundler' },
  { module: 'node16', moduleResolution: 'node16' },
] as const;

export function typeErrors(
  app: string,
  files: Readonly<Record<string, string>>,
  compilerOptions: object = RESOLUTIONS[0],
): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    jsx: 'react-jsx',
    types: [],
    skipLibCheck: false,
    lib: ['es2022', 'dom', 'dom.iterable'],
  };
  const project = join(app, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files: Object.keys(files) }),
  );
  try {
    return execFileSync(process.execPath, [TSC, '--project', project], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  } finally {
    for (const name of Object.keys(files)) rmSync(join(app, name));
  }
}
