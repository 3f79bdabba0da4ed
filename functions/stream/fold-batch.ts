/** Folding the histories that a batch of the table's stream asks for. */

import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { FoldTarget, HistoryFolds } from '../../shared/data/answers/history-folds.ts';
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

/** Whose history a record asks to fold: an answer that was marked when its token was issued, or a request for it. */
function targetOf({ eventName, dynamodb }: DynamoDBRecord): FoldTarget | undefined {
  const { NewImage: image, Keys: keys } = dynamodb ?? {};
  if (eventName !== 'INSERT' || image?.fold?.BOOL !== true) return undefined;
  if (image.type?.S !== 'fold-request') return respondentOfPartition(keys?.[TABLE.partitionKey]?.S ?? '');
  const { projectId, respondentHash } = image;
  if (projectId?.S === undefined || respondentHash?.S === undefined) return undefined;
  return { projectId: projectId.S, respondentHash: respondentHash.S };
}

function targetsOf({ Records }: DynamoDBStreamEvent): Iterable<FoldTarget> {
  const targets = Records.map(targetOf).filter((target) => target !== undefined);
  return new Map(targets.map((target) => [`${target.projectId}#${target.respondentHash}`, target])).values();
}

/** Never throws: what failed is asked for again by the respondent's next answer, or next visit. */
export function createBatchFolder({ folds, clock, log }: FoldingOptions): StreamHandler {
  return async (event) => {
    await inFlight([...targetsOf(event)], FOLDS_IN_FLIGHT, async (target) => {
      try {
        await folds.fold(target, clock());
      } catch (error) {
        log.error({ message: 'a history was not folded', projectId: target.projectId, error });
      }
    });
  };
}
