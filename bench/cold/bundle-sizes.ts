import { removeScratchFolder, scratchFolder } from '../scratch.ts';
import { bundle } from './bundles.ts';
import { CEILINGS } from './ceilings.ts';

/** Of every function: its name, its kilobytes as deployed, its ceiling. */
export async function bundleSizes(): Promise<[string, number, number][]> {
  const folder = scratchFolder();
  try {
    const sizes: [string, number, number][] = [];
    for (const [index, [name, ceiling]] of Object.entries(CEILINGS).entries()) {
      const { kilobytes } = await bundle(folder, index, { name, entry: `functions/${name}.ts` });
      sizes.push([name, kilobytes, ceiling]);
    }
    return sizes;
  } finally {
    removeScratchFolder(folder);
  }
}
