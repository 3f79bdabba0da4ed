import type { CanvassEvent } from '../../domain/happening.ts';
import type { Untaken } from '../events/event-outlet.ts';
import { inFlight } from '../table/retry.ts';

const RUNS_IN_FLIGHT = 10;

/**
 * Sends runs of events, each in one request. What became of a request that failed is not known: all its events count
 * as not taken, and those that were come a second time.
 * @param send says which were not taken, by their place in the run, and why
 */
export async function takeInRuns(
  runs: readonly (readonly CanvassEvent[])[],
  send: (run: readonly CanvassEvent[]) => Promise<ReadonlyMap<number, string>>,
): Promise<Untaken> {
  const outcomes = await inFlight(runs, RUNS_IN_FLIGHT, async (run): Promise<Untaken> => {
    try {
      const failed = await send(run);
      if (failed.size === 0) return { events: [] };
      const [code] = failed.values();
      return {
        events: run.filter((_event, index) => failed.has(index)),
        reason: Object.assign(new Error(`an event was not taken: ${code}`), { name: code, $fault: 'server' }),
      };
    } catch (reason) {
      return { events: run, reason };
    }
  });
  return {
    events: outcomes.flatMap(({ events }) => events),
    reason: outcomes.find(({ reason }) => reason !== undefined)?.reason,
  };
}
