/** In front of most routes; the service's own limits are per key and per address. */
export const THROTTLE = { rate: 2_000, burst: 4_000 } as const;
