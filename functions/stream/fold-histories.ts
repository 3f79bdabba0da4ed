/** Folding the histories that changes ask for. */

import type { HistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { respondentOfPartition } from '../../shared/data/table/schema.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Change, ChangeConsumer } from './changes.ts';

const FOLDS_IN_FLIGHT = 10;

interface FoldingOptions {
  readonly folds: HistoryFolds;
  readonly clock: () => number;
  readonly log: Logger;
}

/** Partitions of respondents whose new answer was marked when its token was issued. */
function partitionsToFold(changes: readonly Change[]): ReadonlySet<string> {
  const rows = changes.filter(({ oldRow }) => oldRow === undefined).map(({ newRow }) => newRow);
  return new Set(rows.filter((row) => row?.fold === true).map((row) => String(row?.pk)));
}

/** Never throws: what failed is asked for again by the respondent's next answer. */
export function createHistoryFolding({ folds, clock, log }: FoldingOptions): ChangeConsumer {
  return async (changes) => {
    await inFlight([...partitionsToFold(changes)], FOLDS_IN_FLIGHT, async (partition) => {
      const target = respondentOfPartition(partition);
      if (target === undefined) return;
      try {
        await folds.fold(target, clock());
      } catch (error) {
        log.error({ message: 'a history was not folded', projectId: target.projectId, error });
      }
    });
  };
}
