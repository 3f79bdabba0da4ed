/** One consumer of the table's stream: everything that follows from a change of an answer, each part on its own. */

import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { readCounted } from '../../shared/data/answers/answer-item.ts';
import { readShows } from '../../shared/data/shows/shown-item.ts';
import { isOfProbe, type Row, readImage } from '../../shared/data/table/row.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { AnswerChange, ShowsChange } from '../../shared/domain/results/contribution.ts';
import type { Logger } from '../runtime/logger.ts';

/** A record: what a row was and is, and the answer or the shows in it. */
export interface Change extends AnswerChange, ShowsChange {
  /** The record's own, the same whenever and with whatever it is delivered. */
  readonly id: string;
  readonly oldRow: Row | undefined;
  readonly newRow: Row | undefined;
}

/** Does its part of the work for these changes. It is given them again when it, or another, fails. */
export type ChangeConsumer = (changes: readonly Change[]) => Promise<void>;

const showsIn = (row: Row | undefined) => (row?.type === 'shown' ? readShows(row) : []);

/** @throws Error when an image is malformed */
function readChange({ eventID = '', dynamodb = {} }: DynamoDBRecord): Change {
  const { OldImage, NewImage, ApproximateCreationDateTime = 0 } = dynamodb;
  const oldRow = OldImage && readImage(OldImage);
  const newRow = NewImage && readImage(NewImage);
  return {
    id: eventID,
    at: new Date(ApproximateCreationDateTime * SECOND).toISOString(),
    oldRow,
    newRow,
    before: oldRow && readCounted(oldRow),
    after: newRow && readCounted(newRow),
    showsBefore: showsIn(oldRow),
    showsAfter: showsIn(newRow),
  };
}

export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<void>;

/**
 * Gives every part the same changes at the same time, whatever becomes of the others. A record that cannot be read is
 * reported and passed over: it would hold up its shard for hours and be given up in the end. Nothing follows from what a
 * probe leaves, or from its going.
 * @throws when a part failed; the platform then delivers the batch again, and parts that had ended do nothing twice
 */
export function createStreamHandler(parts: readonly ChangeConsumer[], log: Logger): StreamHandler {
  return async ({ Records }) => {
    const changes = new Map<string, Change>();
    for (const record of Records) {
      try {
        const change = readChange(record);
        if (!isOfProbe(change.oldRow) && !isOfProbe(change.newRow)) changes.set(change.id, change);
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
