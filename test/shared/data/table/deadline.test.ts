import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnswerStore } from '../../../../shared/data/answers/answer-store.ts';
import { createPurgeStarter, createStepFunctionsClient } from '../../../../shared/data/aws/purge-starter.ts';
import { createSecretReader } from '../../../../shared/data/aws/secrets-manager.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { untilDeadline, withDeadline } from '../../../../shared/data/table/deadline.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import type { NewAnswer } from '../../../../shared/domain/answers/answer.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/faults/fault-proxy.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { TEST_HASHING } from '../../../support/service/test-secrets.ts';
import { createTestTable, type TestTable } from '../../../support/service/test-table.ts';
import { STATE_MACHINE_ARN } from '../../../support/stand-ins/step-functions.ts';

const OVER = { name: 'TimeoutError', message: 'The time of the request is over' };

describe('work at its deadline', () => {
  it('rejects, whatever happens to the work later', async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    await expect(withDeadline(1, () => untilDeadline(() => promise))).rejects.toMatchObject(OVER);
    // An unhandled rejection would fail the run.
    reject(new Error('too late'));
    await new Promise(setImmediate);
  });

  it('does not start afterwards', async () => {
    const begun = vi.fn(async () => undefined);
    await withDeadline(1, async () => {
      await untilDeadline(() => new Promise(() => undefined)).catch(() => undefined);
      await expect(untilDeadline(begun)).rejects.toMatchObject(OVER);
    });
    expect(begun).not.toHaveBeenCalled();
  });

  it('returns its own result before that, and at any time without a deadline', async () => {
    const work = async () => 'done';
    expect(await withDeadline(60_000, () => untilDeadline(work))).toBe('done');
    expect(await untilDeadline(work)).toBe('done');
  });
});

/** Every pause is far longer than the timeout of a test. */
describe('a deadline between two attempts', () => {
  let table: TestTable;
  let proxy: FaultProxy;
  beforeAll(async () => {
    table = await createTestTable();
    proxy = await startFaultProxy(table.endpoint);
    return proxy.stop;
  });
  beforeEach(() => {
    proxy.heal();
    vi.spyOn(Math, 'random').mockReturnValue(1e6);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  const proxied = () =>
    createTable(createDynamodbClient({ endpoint: proxy.endpoint }), { name: table.tableName });

  it('ends a call of the table', async () => {
    proxy.inject({ fault: 'server-error' });
    await expect(withDeadline(200, () => proxied().get({ pk: 'a', sk: 'b' }))).rejects.toMatchObject(OVER);
  });

  it('ends a batch with unprocessed keys', async () => {
    proxy.inject({ fault: 'partial-batch' });
    const keys = [{ pk: 'a', sk: 'b' }];
    const { deleteMany, getMany } = proxied();
    for (const work of [deleteMany, getMany])
      await expect(withDeadline<unknown>(200, () => work(keys))).rejects.toMatchObject(OVER);
  });

  it('ends the start of a purge', async () => {
    proxy.inject({ fault: 'server-error' });
    const starter = createPurgeStarter(
      STATE_MACHINE_ARN,
      createStepFunctionsClient({ endpoint: proxy.endpoint }),
    );
    const attempt = { attempt: 1, openedAt: '2026-11-20T09:30:00.000Z' };
    const start = () => starter.start({ projectId: 'f'.repeat(16) }, attempt);
    await expect(withDeadline(200, start)).rejects.toMatchObject(OVER);
  });

  it('ends the reading of a secret', async () => {
    proxy.inject({ fault: 'server-error' });
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', proxy.endpoint);
    const read = createSecretReader();
    await expect(withDeadline(200, () => read('arn:hash'))).rejects.toMatchObject(OVER);
  });

  describe('while a token is redeemed', () => {
    const answer = (): NewAnswer => ({
      kind: 'dismissal',
      tokenId: anId(),
      projectId: anId(),
      surveyId: anId(),
      respondentId: 'ann',
      at: '2026-11-20T09:30:00.000Z',
      tokenExpiresAt: Date.parse('2026-11-21T09:30:00.000Z'),
    });
    const redeem = () => {
      const store = createAnswerStore({
        table: proxied(),
        secrets: TEST_HASHING,
        shards: 4,
        writeId: anId,
      });
      return withDeadline(60_000, () => store.redeem(answer()));
    };

    async function pausing(operation: string): Promise<void> {
      const isSeen = () => proxy.calls.some((call) => call.operation === operation);
      vi.mocked(Math.random).mockClear();
      while (!isSeen() || vi.mocked(Math.random).mock.calls.length === 0) await new Promise(setImmediate);
    }

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => vi.useRealTimers());

    it('finds a write that happened without a reply', async () => {
      proxy.inject({ operation: 'PutItem', fault: 'drop-reply' });
      const redeemed = redeem();
      await pausing('PutItem');
      vi.advanceTimersByTime(60_000);
      expect(await redeemed).toMatchObject({ stored: true });
      expect(proxy.calls.map(({ operation }) => operation)).toEqual(['PutItem', 'Query']);
    });

    it('ends the lookup of that write, which has its own time limit', async () => {
      proxy.inject({ fault: 'server-error' });
      const redeemed = redeem();
      redeemed.catch(() => undefined);
      await pausing('PutItem');
      vi.advanceTimersByTime(60_000);
      await pausing('Query');
      vi.advanceTimersByTime(2_000);
      await expect(redeemed).rejects.toMatchObject(OVER);
      expect(proxy.calls.map(({ operation }) => operation)).toEqual(['PutItem', 'Query']);
    });
  });
});
