/** Waking the score adapter for scores that have just become pending. */

import type { ScoreWaker } from '../../shared/data/aws/score-waker.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Change, ChangeConsumer } from './changes.ts';

interface WakingOptions {
  readonly waker: ScoreWaker;
  readonly log: Logger;
}

/** A new pending score, or another revision of one: an acknowledgement is neither. */
function isNewScore({ oldRow, newRow }: Change): boolean {
  if (newRow?.type !== 'response' || newRow.scoreState !== 'pending') return false;
  return oldRow?.scoreState !== 'pending' || oldRow.revision !== newRow.revision;
}

/** Never throws, or counting would wait for it: the schedule finds what nobody was woken for. */
export function createWaking({ waker, log }: WakingOptions): ChangeConsumer {
  return async (changes) => {
    const wake: Record<string, number> = {};
    for (const change of changes.filter(isNewScore)) {
      const projectId = String(change.newRow?.projectId);
      wake[projectId] = (wake[projectId] ?? 0) + 1;
    }
    if (Object.keys(wake).length === 0) return;
    try {
      await waker.wake(wake);
    } catch (error) {
      log.error({ message: 'the score adapter was not woken', error });
    }
  };
}
