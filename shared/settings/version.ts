import { readFileSync } from 'node:fs';

/** Set by the build. */
declare const CANVASS_VERSION: string;

export const VERSION: string =
  typeof CANVASS_VERSION === 'string'
    ? CANVASS_VERSION
    : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
