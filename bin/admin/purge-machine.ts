/** The purge's state machine as a command reaches it: in AWS, or for a local instance in this process. */

import { createLogger } from '../../functions/runtime/logger.ts';
import { createPurgeDependencies } from '../../functions/runtime/purge-step.ts';
import { createLocalStateMachine } from '../../local/state-machine.ts';
import { createPurgeStarter, type PurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { failure } from './admin-error.ts';
import type { Session } from './session.ts';

interface PurgeMachine extends PurgeStarter {
  /** Waits for what runs in this process; what runs in AWS goes on by itself. */
  settle(): Promise<void>;
}

/** A running instance keeps settings in memory for a second. */
const LOCAL_WAITS_MS = { WaitForCaches: 3 * SECOND, WaitForIndexes: 0 };

export function openPurgeMachine({ deployment, terminal }: Session): PurgeMachine {
  const { origin, client, tableName, erasureLogTableName, shards } = deployment;
  if (origin.kind === 'stack') {
    const starter = createPurgeStarter(origin.outputs.get('PurgeStateMachineArn') ?? '');
    return { start: starter.start, settle: async () => undefined };
  }
  const failed: string[] = [];
  const machine = createLocalStateMachine({
    deps: createPurgeDependencies(
      { tableName, erasureLogTableName, shards },
      { client, log: createLogger(terminal.note) },
    ),
    waits: LOCAL_WAITS_MS,
    onFailure: (execution) => failed.push(execution),
  });
  return {
    start: machine.start,
    async settle() {
      await machine.idle();
      if (failed.length > 0) throw failure(`The purge failed: ${failed.join(', ')}.`);
    },
  };
}
