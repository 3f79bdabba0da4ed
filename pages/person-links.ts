/** Addresses that open a page with the key of a person, which stays behind the `#` and is sent to nobody. */

const on = (service: string, path: string, key: string): string =>
  `${service.replace(/\/$/, '')}${path}#key=${key}`;

export const resultsLink = (service: string, key: string): string => on(service, '/results', key);

export const consoleLink = (service: string, projectId: string, key: string): string =>
  on(service, `/console/${projectId}`, key);
