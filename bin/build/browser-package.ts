/** Builds `@canvass-surveys/browser`: what a bundler takes, what a script tag needs, and plain declarations. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk, filesOf } from '../../sdk/build-browser.ts';
import { writeDeclarations } from './declarations.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/**
 * Builds the package's `dist` in a folder. Every file stands there under a name with its content's hash, to be cached for
 * ever, and under a stable one.
 */
export async function buildBrowserPackage(dist: string): Promise<void> {
  for (const { stableName, hashedName, text, map } of filesOf(await buildSdk())) {
    for (const name of [stableName, hashedName]) writeFileSync(join(dist, name), text);
    writeFileSync(join(dist, `${stableName}.map`), map);
  }
  const [project, rootDir] = [path('sdk/browser'), path('.')];
  const entries = ['canvass', 'headless'];
  writeDeclarations(join(dist, 'types'), { project, rootDir, folder: 'sdk/browser', entries });
}
