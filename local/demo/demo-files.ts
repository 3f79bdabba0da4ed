/** bin/build/cli-package.ts replaces this module in the CLI package. */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildSdk, filesOf } from '../../bin/build/build-sdk.ts';

const pagePath = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url));

export const readPage = (name: string): Promise<string> => readFile(pagePath(name), 'utf8');

export async function demoAssets(): Promise<ReadonlyMap<string, string>> {
  const entryPoints = ['panel.ts', 'shop.ts', 'chat.ts', 'panel.css', 'shop.css'].map(pagePath);
  const { outputFiles } = await build({
    entryPoints,
    write: false,
    bundle: true,
    outdir: '.',
    format: 'esm',
  });
  const assets = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  for (const { stableName, hashedName, text } of filesOf(await buildSdk()))
    assets.set(stableName, text).set(hashedName, text);
  return assets;
}
