import type { Row } from '../../shared/data/table/row.ts';
import { TABLE } from '../../shared/data/table/schema.ts';
import { log, type Service } from '../runtime/compose.ts';
import { scoreWaker } from '../runtime/parts/scores.ts';
import type { Change, ChangeConsumer } from './consume.ts';

const INDEX = TABLE.indexes.byScoreState;

/** A withdrawn score that was never pushed is in no index shard. */
const waits = (row: Row | undefined): boolean =>
  row?.type === 'response' && row.scoreState === 'pending' && row[INDEX.partitionKey] !== undefined;

function isNewScore({ oldRow, newRow }: Change): boolean {
  if (!waits(newRow)) return false;
  return !waits(oldRow) || oldRow?.revision !== newRow?.revision;
}

/** Never throws, because scheduled runs find scores that started no run. */
export function createWaking(service: Service): ChangeConsumer {
  return async (changes) => {
    const wake: Record<string, number> = {};
    for (const change of changes.filter(isNewScore)) {
      const projectId = String(change.newRow?.projectId);
      wake[projectId] = (wake[projectId] ?? 0) + 1;
    }
    if (Object.keys(wake).length === 0) return;
    try {
      await scoreWaker(service).wake(wake);
    } catch (error) {
      log(service).error({ message: 'failed to wake the score adapter', error });
    }
  };
}
