import { compose, type Overrides, type Service } from '../../../functions/runtime/compose.ts';
import { createLogger, type Logger } from '../../../functions/runtime/logger.ts';
import { createLocalStateMachine, type LocalStateMachine } from '../../../local/state-machine.ts';
import type { TestClock } from './test-clock.ts';
import { testConfig } from './test-service.ts';
import type { TestTable } from './test-table.ts';

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
