import type { Overrides, Service } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import type { LocalStateMachine } from '../../../local/state-machine.ts';
import type { PurgeAttempt, PurgeScope } from '../../../shared/domain/purge.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestMachine } from './test-machine.ts';
import { createTestService, type TestService } from './test-service.ts';
import { createTestTable } from './test-table.ts';

export interface PurgeService {
  readonly service: TestService;
  /** Another instance of every function, with caches of its own. */
  readonly otherInstance: () => Promise<TestService>;
  readonly machine: LocalStateMachine;
  /** What was asked for and not yet run, oldest first. */
  readonly requested: { readonly scope: PurgeScope; readonly attempt: PurgeAttempt }[];
  /** Lets the state machine carry out everything requested so far, to its end. */
  readonly carryOut: () => Promise<void>;
  /** Executions that failed. */
  readonly failures: unknown[];
  /** Lines that the steps logged. */
  readonly logs: string[];
}

interface PurgeServiceOptions {
  readonly aroundIndex?: Overrides['aroundIndex'];
  /** Replaces parts of what the steps are given. */
  readonly arrange?: (service: Service) => void;
  readonly clock?: TestClock;
}

/** A service whose purges wait for the test to let the state machine run. */
export async function createPurgeService(options: PurgeServiceOptions = {}): Promise<PurgeService> {
  const table = await createTestTable();
  const clock = options.clock ?? createTestClock();
  const failures: unknown[] = [];
  const logs: string[] = [];
  const machine = createTestMachine(table, {
    ...options,
    clock,
    log: createLogger((line) => logs.push(line), { metricsNamespace: 'canvass-test', clock: clock.now }),
    onFailure: (error) => failures.push(error),
  });
  const requested: { scope: PurgeScope; attempt: PurgeAttempt }[] = [];
  const starter = {
    async start(scope: PurgeScope, attempt: PurgeAttempt) {
      requested.push({ scope, attempt });
      return `execution-${attempt.attempt}`;
    },
  };
  const instance = () => createTestService({ table, clock, starter });
  return {
    service: await instance(),
    otherInstance: instance,
    machine,
    requested,
    failures,
    logs,
    async carryOut() {
      for (const { scope, attempt } of requested.splice(0)) await machine.start(scope, attempt);
      await machine.idle();
    },
  };
}
