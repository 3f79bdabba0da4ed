/** Opens the page of results with a reader key, which stays behind the `#` and is sent to nobody. */
export const resultsLink = (service: string, readerKey: string): string =>
  `${service.replace(/\/$/, '')}/results#key=${readerKey}`;
