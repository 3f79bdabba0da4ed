/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns undefined when there is no header, or none that can be read
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date names its weekday; Date.parse alone would also take `-1` or `2.5`.
  const timestamp = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timestamp) ? undefined : Math.max(0, timestamp - now);
}
