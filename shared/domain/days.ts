/** Days of UTC, as a request names them: `2026-11-20`. */

/** Both inclusive; an absent one is no bound. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param at ISO 8601 UTC */
export function isWithin(at: string, { from, to }: Days): boolean {
  const day = at.slice(0, 10);
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}
