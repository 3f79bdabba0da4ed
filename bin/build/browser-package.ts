/** Builds `@canvass-surveys/browser`: what a bundler takes, what a script tag needs, and plain declarations. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk, filesOf } from '../../sdk/build-browser.ts';
import { declarationsOf } from './declarations.ts';

/**
 * Builds the package's `dist` in a folder. Every file stands there under a name with its content's hash, to be cached for
 * ever, and under a stable one.
 */
export async function buildBrowserPackage(dist: string): Promise<void> {
  for (const { stableName, hashedName, text, map } of filesOf(await buildSdk())) {
    for (const name of [stableName, hashedName]) writeFileSync(join(dist, name), text);
    writeFileSync(join(dist, `${stableName}.map`), map);
  }
  const types = join(dist, 'types');
  mkdirSync(types);
  for (const [name, text] of declarationsOf('browser', ['canvass', 'headless'])) {
    writeFileSync(join(types, name), text);
  }
}
