import { compose, type Overrides, type Service } from '../../../functions/runtime/compose.ts';
import { createLogger, type Logger } from '../../../functions/runtime/logger.ts';
import { createLocalStateMachine, type LocalStateMachine } from '../../../local/state-machine.ts';
import type { PurgeAttempt, PurgeScope } from '../../../shared/domain/purge.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestService, type TestService, testConfig } from './test-service.ts';
import { createTestTable, type TestTable } from './test-table.ts';

export interface PurgeService {
  readonly service: TestService;
  readonly otherInstance: () => Promise<TestService>;
  readonly machine: LocalStateMachine;
  /** Requested purges that have not run, oldest first. */
  readonly requested: { readonly scope: PurgeScope; readonly attempt: PurgeAttempt }[];
  readonly carryOut: () => Promise<void>;
  readonly failures: unknown[];
  readonly logs: string[];
}

interface PurgeServiceOptions {
  readonly aroundIndex?: Overrides['aroundIndex'];
  readonly arrange?: (service: Service) => void;
  readonly clock?: TestClock;
}

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

interface TestMachineOptions {
  readonly clock: TestClock;
  readonly log?: Logger;
  readonly aroundIndex?: Overrides['aroundIndex'];
  readonly arrange?: ((service: Service) => void) | undefined;
  readonly onFailure: (error: unknown) => void;
}

export function createTestMachine(table: TestTable, options: TestMachineOptions): LocalStateMachine {
  const { clock, aroundIndex, arrange, onFailure, log = createLogger(() => undefined) } = options;
  const service = compose(testConfig(table), { client: table.client, clock: clock.now, log, aroundIndex });
  arrange?.(service);
  return createLocalStateMachine({
    service,
    waits: { WaitForCaches: 0, WaitForIndexes: 0 },
    retryPauseMs: 0,
    onFailure: (_, error) => onFailure(error),
  });
}
