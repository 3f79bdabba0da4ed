/** Counting a batch of the table's stream into the totals. */

import { createHash } from 'node:crypto';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { TotalsStore } from '../../shared/data/answers/totals.ts';
import { type CountedResponse, tally } from '../../shared/domain/tally.ts';

/** The accepted response a record tells of, if it does: an insert from a browser or a server, not an import. */
function countedResponse({ eventName, dynamodb }: DynamoDBRecord): CountedResponse | undefined {
  const image = dynamodb?.NewImage;
  if (eventName !== 'INSERT' || image?.type?.S !== 'response' || image.source?.S !== 'sdk') return undefined;
  const { projectId, surveyId, at } = image;
  if (projectId?.S === undefined || surveyId?.S === undefined || at?.S === undefined) return undefined;
  return { projectId: projectId.S, surveyId: surveyId.S, at: at.S };
}

/** The same records give the same id, whenever they are delivered. */
function hashBatch(records: readonly DynamoDBRecord[]): string {
  const hash = createHash('sha256');
  for (const { eventID } of records) hash.update(`${eventID}\n`);
  return hash.digest('hex');
}

export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<void>;

/** @throws when the batch could not be counted whole; the platform then delivers it again */
export function createBatchCounter(totals: TotalsStore): StreamHandler {
  return async ({ Records }) => {
    const responses = Records.map(countedResponse).filter((response) => response !== undefined);
    if (responses.length > 0) await totals.add(tally(responses), hashBatch(Records));
  };
}
