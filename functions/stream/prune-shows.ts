import { readShowWindow, takeShows } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { surplusShows } from '../../shared/domain/answers/shows.ts';
import { clock, log, type Service, table } from '../runtime/compose.ts';
import type { ChangeConsumer } from './consume.ts';

const UPDATES_IN_FLIGHT = 10;

/**
 * Its own updates come back through the stream and change nothing. Never throws, because the next impression retries.
 */
export function createShowPruning(service: Service): ChangeConsumer {
  return async (changes) => {
    const now = clock(service)();
    const surplus = changes.flatMap(({ newRow, showsAfter }) => {
      if (newRow === undefined || showsAfter.length === 0) return [];
      const shows = surplusShows(showsAfter, readShowWindow(newRow), now);
      return shows.length === 0 ? [] : [{ row: newRow, shows }];
    });
    await inFlight(surplus, UPDATES_IN_FLIGHT, async ({ row, shows }) => {
      try {
        await takeShows(table(service), row, shows);
      } catch (error) {
        log(service).error({ message: 'failed to prune impressions', error });
      }
    });
  };
}
