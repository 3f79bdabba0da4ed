/** The version of the packages and of what they deploy. */

import { readFileSync } from 'node:fs';

declare const CANVASS_VERSION: string;

/** Set by the build; in a checkout from `package.json`. */
export const VERSION: string =
  typeof CANVASS_VERSION === 'string'
    ? CANVASS_VERSION
    : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
