import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { Scene } from './scene.tsx';

export const VERSIONS = [18, 19] as const;
export type Version = (typeof VERSIONS)[number];

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

async function bundle(version: Version, entry: string, options: BuildOptions) {
  const { outputFiles } = await build({
    entryPoints: [path(entry)],
    bundle: true,
    write: false,
    jsx: 'automatic',
    loader: { '.css': 'text' },
    tsconfigRaw: {},
    // The development build runs effects twice under StrictMode, and reports mistakes.
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: {
      '@canvass-surveys/browser': path('../../../../sdk/browser/canvass.ts'),
      ...(version === 18 && { react: 'react-18', 'react-dom': 'react-dom-18' }),
    },
    ...options,
  });
  return outputFiles ?? [];
}

type Scripts = ReadonlyMap<string, string>;

const built = new Map<Version, Promise<Scripts>>();

async function buildPage(version: Version): Promise<Scripts> {
  const files = await bundle(version, 'page.tsx', { format: 'esm', splitting: true, outdir: '/react' });
  return new Map(files.map((file) => [basename(file.path), file.text]));
}

/** @returns the page's scripts by name, built once; `page.js` is the first */
export function pageScripts(version: Version): Promise<Scripts> {
  const scripts = built.get(version) ?? buildPage(version);
  built.set(version, scripts);
  return scripts;
}

export async function serverRenderer(version: Version): Promise<(scene: Scene) => string> {
  const [file] = await bundle(version, 'server.tsx', { format: 'cjs', platform: 'node' });
  const folder = mkdtempSync(join(tmpdir(), 'canvass-react-'));
  try {
    const name = join(folder, 'server.cjs');
    writeFileSync(name, file?.text ?? '');
    return createRequire(import.meta.url)(name).render;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
