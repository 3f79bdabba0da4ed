import type { Seams } from '../../functions/runtime/dependencies.ts';
import { createLogger, type Logger } from '../../functions/runtime/logger.ts';
import { createPurgeDependencies, type PurgeDependencies } from '../../functions/runtime/purge-step.ts';
import { createLocalStateMachine, type LocalStateMachine } from '../../local/state-machine.ts';
import { TEST_SHARDS } from './seed-answers.ts';
import type { TestClock } from './test-clock.ts';
import type { TestTable } from './test-table.ts';

interface TestMachineOptions {
  readonly clock: TestClock;
  readonly log?: Logger;
  readonly aroundIndex?: Seams['aroundIndex'];
  /** Stands in for parts of what the steps are given. */
  readonly override?: (deps: PurgeDependencies) => Partial<PurgeDependencies>;
  /** What failed executions end with. */
  readonly onFailure: (error: unknown) => void;
}

/** The purge's state machine on a test's table, without its waits. */
export function createTestMachine(
  { tableName, erasureLogTableName, client }: TestTable,
  options: TestMachineOptions,
): LocalStateMachine {
  const { clock, aroundIndex, override, onFailure, log = createLogger(() => undefined) } = options;
  const deps = createPurgeDependencies(
    { tableName, erasureLogTableName, shards: TEST_SHARDS },
    { client, clock: clock.now, log, ...(aroundIndex !== undefined && { aroundIndex }) },
  );
  return createLocalStateMachine({
    deps: { ...deps, ...override?.(deps) },
    waits: { WaitForCaches: 0, WaitForIndexes: 0 },
    retryPauseMs: 0,
    onFailure: (_, error) => onFailure(error),
  });
}
