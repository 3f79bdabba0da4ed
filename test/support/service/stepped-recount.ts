import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { bringPlace, type Ended, runInProcess } from '../admin-cli.ts';
import type { TestService } from './test-service.ts';
import { NO_LIMIT } from './test-table.ts';

export interface SteppedRecount {
  go(calls: number): Promise<void>;
  /** The call fails before or after it was carried out. */
  kill(after: boolean): Promise<void>;
  readonly end: () => Promise<Ended>;
}

type Turn = 'go' | 'fail' | 'go and fail';

export function startRecount(
  { table, clock }: Pick<TestService, 'table' | 'clock'>,
  args: readonly string[],
): SteppedRecount {
  const waiting: ((turn: Turn) => void)[] = [];
  let isFree = false;
  let isEnded = false;
  let onMove = (): void => undefined;

  const client = createDynamodbClient({ endpoint: table.endpoint, requestTimeoutMs: NO_LIMIT });
  client.middlewareStack.add(
    (next) => async (args) => {
      const turn = isFree
        ? 'go'
        : await new Promise<Turn>((resolve) => {
            waiting.push(resolve);
            onMove();
          });
      if (turn === 'fail') throw new Error('the recount ends');
      const result = await next(args);
      if (turn === 'go and fail') throw new Error('the recount ends');
      return result;
    },
    { step: 'initialize' },
  );
  const running = runInProcess(['results', 'recount', ...args, '--json'], {
    ...bringPlace({ table, clock }, { client }),
    sleep: async (ms) => clock.advance(ms),
  })
    .catch((error: unknown): Ended => ({ status: 1, stdout: '', stderr: String(error) }))
    .finally(() => {
      isEnded = true;
      client.destroy();
      onMove();
    });

  async function settle(): Promise<void> {
    while (waiting.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        onMove = resolve;
      });
    }
  }
  async function turn(kind: Turn): Promise<void> {
    await settle();
    waiting.shift()?.(kind);
  }
  return {
    async go(calls) {
      for (let call = 0; call < calls; call++) await turn('go');
      await settle();
    },
    async kill(after) {
      await turn(after ? 'go and fail' : 'fail');
      while (!isEnded) await turn('fail');
    },
    async end() {
      isFree = true;
      for (const resolve of waiting.splice(0)) resolve('go');
      return running;
    },
  };
}
