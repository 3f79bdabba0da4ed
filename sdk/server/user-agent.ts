declare const CANVASS_VERSION: string;

/** Identifies the client in the service's logs. A client run from its sources has no version. */
export const USER_AGENT = `canvass-server-js/${typeof CANVASS_VERSION === 'string' ? CANVASS_VERSION : 'source'}`;
