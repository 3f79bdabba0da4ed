/** The files that the CLI package contains prebuilt. */

import { readdir, readFile } from 'node:fs/promises';

// The bundle that contains this module is in a folder of chunks.
const folder = new URL('../demo/', import.meta.url);

export const readPage = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

export async function demoAssets(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(m?js|css)$/.test(name));
  return new Map(await Promise.all(names.map(async (name) => [name, await readPage(name)] as const)));
}
