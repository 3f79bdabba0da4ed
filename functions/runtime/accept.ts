/** Weighted request headers (RFC 9110 §12.4.2). */

interface Accepted {
  readonly value: string;
  /** From 0 (not accepted) to 1; NaN if malformed. */
  readonly weight: number;
}

function acceptedIn(header: string): Accepted[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
    return { value, weight: weight === undefined ? 1 : Number(weight) };
  });
}

/** Reads `accept-encoding` (RFC 9110 §12.5.3). */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = new Map(
    acceptedIn(acceptEncoding).map(({ value, weight }) => [value.toLowerCase(), weight]),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

const MOST_TAGS = 20;

/** Tags of `accept-language`, most wanted first (RFC 9110 §12.5.4). */
export function acceptedTags(acceptLanguage: string): string[] {
  return acceptedIn(acceptLanguage)
    .filter(({ value, weight }) => /^[a-z0-9-]{1,35}$/i.test(value) && weight > 0)
    .slice(0, MOST_TAGS)
    .sort((a, b) => b.weight - a.weight)
    .map(({ value }) => value);
}
