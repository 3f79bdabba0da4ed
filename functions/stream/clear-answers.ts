import { hasOldAnswers, isRevision } from '../../shared/data/answers/answer-item.ts';
import { all, PRESENT } from '../../shared/data/table/expressions.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { type Service, table } from '../runtime/compose.ts';
import type { ChangeConsumer } from './consume.ts';

const UPDATES_IN_FLIGHT = 10;

/**
 * An older release that revises or withdraws an answer leaves the answers to further questions in the row.
 * @throws if a row could not be written, so that the batch is delivered again
 */
export function createAnswerClearing(service: Service): ChangeConsumer {
  return async (changes) => {
    const outdated = changes.flatMap(({ newRow }) => (newRow && hasOldAnswers(newRow) ? [newRow] : []));
    await inFlight(outdated, UPDATES_IN_FLIGHT, async ({ pk, sk, revision = 0 }) => {
      const key = { pk: String(pk), sk: String(sk) };
      await table(service).update(key, { remove: ['answers'] }, all(PRESENT, isRevision(Number(revision))));
    });
  };
}
