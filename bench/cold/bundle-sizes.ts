import { globSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCeiling } from '../../lib/bundle-ceilings.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { removeScratchFolder, scratchFolder } from '../scratch.ts';
import { bundle } from './bundles.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');

/** Of every function: its name, its kilobytes as deployed, its ceiling. */
export async function bundleSizes(): Promise<[string, number, number][]> {
  const folder = scratchFolder();
  try {
    const sizes: [string, number, number][] = [];
    const names = globSync('{*,purge/*}.ts', { cwd: FUNCTIONS }).map((path) => path.replace(/\.ts$/, ''));
    for (const [index, name] of names.sort().entries()) {
      const { kilobytes } = await bundle(folder, index, { name, entry: `functions/${name}.ts` });
      sizes.push([name, kilobytes, bundleCeiling(name, [...ROUTES, unknownPathRoute])]);
    }
    return sizes;
  } finally {
    removeScratchFolder(folder);
  }
}
