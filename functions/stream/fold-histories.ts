import * as z from 'zod/mini';
import type { FoldTarget } from '../../shared/data/answers/history-folds.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { readRow } from '../../shared/data/table/row.ts';
import { respondentOfPartition } from '../../shared/data/table/schema.ts';
import { once } from '../../shared/domain/memory.ts';
import { clock, log, type Service } from '../runtime/compose.ts';
import { folds } from '../runtime/parts/answers.ts';
import type { Change, ChangeConsumer } from './consume.ts';

const FOLDS_IN_FLIGHT = 10;

const requestRow = once(() => z.object({ projectId: z.string(), respondentHash: z.string() }));

function readTarget({ oldRow, newRow }: Change): FoldTarget | undefined {
  if (oldRow !== undefined || newRow?.fold !== true) return undefined;
  if (newRow.type === 'fold-request') return readRow(requestRow, newRow);
  return respondentOfPartition(String(newRow.pk));
}

function listTargets(targets: readonly (FoldTarget | undefined)[]): readonly FoldTarget[] {
  const known = targets.filter((target) => target !== undefined);
  const byPerson = new Map(known.map((target) => [`${target.projectId}#${target.respondentHash}`, target]));
  return [...byPerson.values()];
}

/** Never throws, because the respondent's next answer or visit requests the fold again. */
export function createHistoryFolding(service: Service): ChangeConsumer {
  function readOrReport(change: Change): FoldTarget | undefined {
    try {
      return readTarget(change);
    } catch (error) {
      log(service).error({ message: 'fold request could not be read', record: change.id, error });
      return undefined;
    }
  }

  return async (changes) => {
    await inFlight(listTargets(changes.map(readOrReport)), FOLDS_IN_FLIGHT, async (target) => {
      try {
        await folds(service).fold(target, clock(service)());
      } catch (error) {
        log(service).error({ message: 'history fold failed', projectId: target.projectId, error });
      }
    });
  };
}
