import { readFileSync } from 'node:fs';

declare const CANVASS_VERSION: string;

/** Set by the build. */
export const VERSION: string =
  typeof CANVASS_VERSION === 'string'
    ? CANVASS_VERSION
    : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
