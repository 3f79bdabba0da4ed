declare const CANVASS_CLI: boolean;

export const IS_PACKAGE = typeof CANVASS_CLI === 'boolean';
export const ADMIN = IS_PACKAGE ? 'canvass' : 'npm run admin --';
export const START = IS_PACKAGE ? 'canvass dev' : 'npm start';
