declare const CANVASS_VERSION: string;

/** What the service's logs know the client by; a client that runs from its sources has no version. */
export const USER_AGENT = `canvass-server-js/${typeof CANVASS_VERSION === 'string' ? CANVASS_VERSION : 'source'}`;
