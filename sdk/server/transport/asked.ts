/** What was asked, for errors to say. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
}

/** Method and address, without the query, which may name a person. */
export const placeOf = ({ method, url }: Asked): string => `${method} ${url.origin}${url.pathname}`;
