import type { Route } from '../shared/contract/route.ts';

/**
 * The most kilobytes of a bundle, by what its function is: up to a tenth above the largest of its kind. Most of a cold
 * start is loading it (docs/decisions/0041-cold-start.md).
 */
const CEILINGS = {
  /** Serves a route that a key opens. */
  keyed: 355,
  /** Serves a route that anyone may ask: no table, no secret. */
  open: 215,
  /** No caller waits for it: the stream, purges, the score adapter. */
  background: 280,
} as const;

/** @param name of the function: a route's, or that of a file under functions/ */
export function bundleCeiling(name: string, routes: readonly Route[]): number {
  const route = routes.find((each) => each.name === name);
  if (route === undefined) return CEILINGS.background;
  return route.key === undefined ? CEILINGS.open : CEILINGS.keyed;
}
