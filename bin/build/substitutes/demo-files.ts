/** In place of `local/demo/demo-files.ts` in the package of the command line: what was built lies beside the bundle. */

import { readdir, readFile } from 'node:fs/promises';

// The bundle that serves is a chunk, in a folder of its own.
const folder = new URL('../demo/', import.meta.url);

export const readPage = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

export async function demoAssets(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(m?js|css)$/.test(name));
  return new Map(await Promise.all(names.map(async (name) => [name, await readPage(name)] as const)));
}
