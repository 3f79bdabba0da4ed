/** Text, a whole number or a boolean; undefined and null mean absent. */
export type QueryValue = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** A date would be sent in words and a list as one text, so that a filter meant something else. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') throw new TypeError(`${name} must be text, a whole number or a boolean`);
  // Half of a surrogate pair: a URL would name somebody else.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be whole characters`);
  return value;
}

/** @param base address of the service, without a slash at its end. @throws TypeError naming the parameter */
export function requestUrl(base: string, path: string, query: Query = {}): URL {
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(name, value));
  }
  return url;
}
