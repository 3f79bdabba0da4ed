import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { readCounted } from '../../shared/data/answers/answer-item.ts';
import { readShows } from '../../shared/data/shows/show-store.ts';
import { isOfProbe, type Row, readImage } from '../../shared/data/table/row.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { AnswerChange, ShowsChange } from '../../shared/domain/results/contribution.ts';
import type { Logger } from '../runtime/logger.ts';

export interface Change extends AnswerChange, ShowsChange {
  /** The id is the same in each delivery. */
  readonly id: string;
  readonly oldRow: Row | undefined;
  readonly newRow: Row | undefined;
}

export type ChangeConsumer = (changes: readonly Change[]) => Promise<void>;

const showsIn = (row: Row | undefined) => (row?.type === 'shown' ? readShows(row) : []);

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
 * Unreadable records are skipped, because they would block their shard for hours.
 * @throws if a consumer failed, so that the batch is delivered again; consumers are idempotent
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
          message: 'stream record could not be read',
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
