import { readShowWindow, takeShows } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { surplusShows } from '../../shared/domain/answers/shows.ts';
import type { Logger } from '../runtime/logger.ts';
import type { ChangeConsumer } from './consume.ts';

const UPDATES_IN_FLIGHT = 10;

interface PruningOptions {
  readonly table: Table;
  readonly clock: () => number;
  readonly log: Logger;
}

/** Its own updates arrive again and change nothing. Never throws: the next impression retries. */
export function createShowPruning({ table, clock, log }: PruningOptions): ChangeConsumer {
  return async (changes) => {
    const now = clock();
    const surplus = changes.flatMap(({ newRow, showsAfter }) => {
      if (newRow === undefined || showsAfter.length === 0) return [];
      const shows = surplusShows(showsAfter, readShowWindow(newRow), now);
      return shows.length === 0 ? [] : [{ row: newRow, shows }];
    });
    await inFlight(surplus, UPDATES_IN_FLIGHT, async ({ row, shows }) => {
      try {
        await takeShows(table, row, shows);
      } catch (error) {
        log.error({ message: 'failed to prune impressions', error });
      }
    });
  };
}
