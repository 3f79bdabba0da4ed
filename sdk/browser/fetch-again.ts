import type { Loaders, Source } from './parts.ts';

declare global {
  /** The build puts a comment of this length in its place, which keeps bundlers from looking into the import. */
  const unknownToBundlersUntilTheBrowserSaysIt: (address: string) => string;
}

/**
 * Fetches parts as a bundler finds them. What has failed is fetched from the address that the browser's error names, under
 * another query. An error that names none is a bundler's own, which fetches anew by itself, or Safari's.
 */
export function fetchAgain(parts: Loaders): Source {
  return (name, fault) => {
    const [, address] = /module: (http\S+)/.exec(`${fault}`) ?? [];
    if (!address) return parts[name]();
    return import(
      unknownToBundlersUntilTheBrowserSaysIt(`${address}${address.includes('?') ? '&' : '?'}${Date.now()}`)
    );
  };
}
