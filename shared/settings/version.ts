/** The version of the project: of its packages, and of what they deploy. */

import { readFileSync } from 'node:fs';

declare const CANVASS_VERSION: string;

/** What bundles are built with; in a checkout that of `package.json`. */
export const VERSION: string =
  typeof CANVASS_VERSION === 'string'
    ? CANVASS_VERSION
    : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
