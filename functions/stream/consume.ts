/** One consumer of the table's stream: everything that follows from a change of an answer, each part on its own. */

import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { Logger } from '../runtime/logger.ts';
import { type Change, type ChangeConsumer, readChange } from './changes.ts';

export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<void>;

/**
 * Gives every part the same changes at the same time, whatever becomes of the others. A record that cannot be read is
 * reported and passed over: it would hold up its shard for hours and be given up in the end.
 * @throws when a part failed; the platform then delivers the batch again, and parts that had ended do nothing twice
 */
export function createStreamHandler(parts: readonly ChangeConsumer[], log: Logger): StreamHandler {
  return async ({ Records }) => {
    const changes = new Map<string, Change>();
    for (const record of Records) {
      try {
        const change = readChange(record);
        changes.set(change.id, change);
      } catch (error) {
        log.error({
          message: 'a record of the stream was not read',
          record: record.eventID,
          measures: { uncounted: 1 },
          error,
        });
      }
    }
    const outcomes = await Promise.allSettled(parts.map((consume) => consume([...changes.values()])));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  };
}
