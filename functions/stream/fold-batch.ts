/** Folding the histories that a batch of the table's stream asks for. */

import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { HistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { respondentOfPartition, TABLE } from '../../shared/data/table/schema.ts';
import type { Logger } from '../runtime/logger.ts';
import type { StreamHandler } from './count-batch.ts';

const FOLDS_IN_FLIGHT = 10;

interface FoldingOptions {
  readonly folds: HistoryFolds;
  readonly clock: () => number;
  readonly log: Logger;
}

/** Partitions of respondents whose answer was marked when its token was issued. */
function partitionsToFold({ Records }: DynamoDBStreamEvent): ReadonlySet<string> {
  const partitions = Records.filter(
    ({ eventName, dynamodb }) => eventName === 'INSERT' && dynamodb?.NewImage?.fold?.BOOL === true,
  ).map(({ dynamodb }) => dynamodb?.Keys?.[TABLE.partitionKey]?.S ?? '');
  return new Set(partitions);
}

/** Never throws: what failed is asked for again by the respondent's next answer. */
export function createBatchFolder({ folds, clock, log }: FoldingOptions): StreamHandler {
  return async (event) => {
    await inFlight([...partitionsToFold(event)], FOLDS_IN_FLIGHT, async (partition) => {
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
