/** Records of the table's stream as what they say of answers and shows, read once for all that consume them. */

import type { DynamoDBRecord } from 'aws-lambda';
import { readCounted } from '../../shared/data/answers/answer-item.ts';
import { readShows } from '../../shared/data/shows/shown-item.ts';
import type { Row } from '../../shared/data/table/row.ts';
import { readImage } from '../../shared/data/table/stream-image.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { AnswerChange, ShowsChange } from '../../shared/domain/results/contribution.ts';

/** A record: what a row was and is, and the answer or the shows in it. */
export interface Change extends AnswerChange, ShowsChange {
  /** The record's own, the same whenever and with whatever it is delivered. */
  readonly id: string;
  /** When the row changed, ISO 8601 UTC; to the second. */
  readonly at: string;
  readonly oldRow: Row | undefined;
  readonly newRow: Row | undefined;
}

/** Does its part of the work for these changes. It is given them again when it, or another, fails. */
export type ChangeConsumer = (changes: readonly Change[]) => Promise<void>;

const showsIn = (row: Row | undefined) => (row?.type === 'shown' ? readShows(row) : []);

/** @throws Error when an image is malformed */
export function readChange({ eventID = '', dynamodb = {} }: DynamoDBRecord): Change {
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
