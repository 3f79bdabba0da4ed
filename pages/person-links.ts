/** Browsers do not send the key after `#` to servers. */

const on = (service: string, path: string, key: string): string =>
  `${service.replace(/\/$/, '')}${path}#key=${key}`;

export const resultsLink = (service: string, key: string): string => on(service, '/results', key);

export const consoleLink = (service: string, projectId: string, key: string): string =>
  on(service, `/console/${projectId}`, key);
