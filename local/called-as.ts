/** What the command line's programs are called where they run, for people at the terminal. */

declare const CANVASS_CLI: boolean;

/** Whether this is the package's bundle, not a checkout. */
export const IS_PACKAGE = typeof CANVASS_CLI === 'boolean';
export const ADMIN = IS_PACKAGE ? 'canvass' : 'npm run admin --';
export const START = IS_PACKAGE ? 'canvass dev' : 'npm start';
