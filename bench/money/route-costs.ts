import type { RequestUnits } from '../units/measure.ts';
import type { RouteFigures } from '../warm/routes.ts';
import { costOf, type RouteCost } from './costs.ts';
import { platformLogBytes } from './platform-lines.ts';

/**
 * Of every request whose units were measured; billed is the interleaved p50 of a hot route, else that of its few requests.
 * @throws Error naming a route that was timed and whose units are not known
 */
export function routeCosts(units: readonly RequestUnits[], routes: readonly RouteFigures[]): RouteCost[] {
  for (const { route } of routes) {
    if (!units.some((each) => each.route === route)) throw new Error(`the units of ${route} are not known`);
  }
  const platform = platformLogBytes();
  return units.map(({ request, route, readUnits, writeUnits, replyBytes, logBytes, p50Ms }) => {
    const timed = routes.find((each) => each.route === route)?.handler.p50Ms ?? p50Ms;
    return costOf({
      route: request,
      billedMs: Math.ceil(timed),
      readUnits,
      writeUnits,
      replyBytes,
      logBytes: logBytes + platform,
    });
  });
}
