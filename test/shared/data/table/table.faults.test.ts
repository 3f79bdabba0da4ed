import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../../../shared/data/table/expressions.ts';
import { createTable, type Table } from '../../../../shared/data/table/table.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';
import { anError, createScriptedClient, type ScriptedCall } from '../../../support/faults/failing-client.ts';

const name = 'table';
const keys = Array.from({ length: 230 }, (_, index) => ({ pk: `p${index}`, sk: 's' }));

function scripted(answer: (call: ScriptedCall) => object) {
  const calls: ScriptedCall[] = [];
  const pauses: number[] = [];
  const client = createScriptedClient((call) => {
    calls.push(call);
    return answer(call);
  });
  const table = createTable(client, {
    name,
    pause: async (milliseconds) => pauses.push(milliseconds),
    jitter: () => 0.5,
  });
  return { table, calls, pauses };
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

describe('keys that a read leaves unprocessed', () => {
  it('are read again until all are read, with pauses that double', async () => {
    const { table, calls, pauses } = scripted(({ input }) => {
      const { Keys, ConsistentRead } = input.RequestItems[name];
      expect(Keys.length).toBeLessThanOrEqual(100);
      expect(ConsistentRead).toBe(true);
      const [now, later] = [Keys.slice(0, 30), Keys.slice(30)];
      return {
        Responses: { [name]: now },
        ...(later.length > 0 && { UnprocessedKeys: { [name]: { Keys: later } } }),
      };
    });
    expect(await table.getMany(keys.slice(0, 100))).toEqual(keys.slice(0, 100));
    expect(calls).toHaveLength(4);
    expect(pauses).toEqual([20, 40, 80]);
    expect(await table.getMany(keys)).toEqual(keys);
  });

  it('are given up as throttled after five attempts, so that the caller tries again later', async () => {
    const { table, calls } = scripted(({ input }) => ({ UnprocessedKeys: input.RequestItems }));
    const error = await thrownBy(table.getMany(keys.slice(0, 3)));
    expect(error).toMatchObject({ name: 'ThrottlingException' });
    expect(isUnavailable(error)).toBe(true);
    expect(calls).toHaveLength(5);
  });

  it('are not requested again once they were returned', async () => {
    const { table, calls } = scripted(({ input }) => {
      const [first, ...rest] = input.RequestItems[name].Keys;
      return { Responses: { [name]: [first] }, UnprocessedKeys: { [name]: { Keys: rest } } };
    });
    await table.getMany(keys.slice(0, 3));
    expect(calls.map(({ input }) => input.RequestItems[name].Keys.length)).toEqual([3, 2, 1]);
  });
});

describe('items that a deletion leaves unprocessed', () => {
  it('are deleted again until all are deleted, with pauses that double', async () => {
    const left = new Set(keys.map(({ pk }) => pk));
    const { table, pauses } = scripted(({ input }) => {
      const requests: WriteRequest[] = input.RequestItems[name];
      expect(requests.length).toBeLessThanOrEqual(25);
      for (const { DeleteRequest } of requests.slice(0, 5))
        left.delete(unmarshall(DeleteRequest?.Key ?? {}).pk);
      return { UnprocessedItems: requests.length > 5 ? { [name]: requests.slice(5) } : {} };
    });
    await table.deleteMany(keys.slice(0, 25));
    expect(pauses).toEqual([25, 50, 100, 200]);
    await table.deleteMany(keys.slice(25));
    expect([...left]).toEqual([]);
  });

  it('are given up as throttled after eight attempts, so that the caller tries again later', async () => {
    const { table, calls } = scripted(({ input }) => ({ UnprocessedItems: input.RequestItems }));
    const error = await thrownBy(table.deleteMany(keys.slice(0, 3)));
    expect(error).toMatchObject({ name: 'ThrottlingException' });
    expect(isUnavailable(error)).toBe(true);
    expect(calls).toHaveLength(8);
  });
});

describe('a transaction', () => {
  const cancelled = (...codes: readonly string[]) =>
    new TransactionCanceledException({
      message: codes.join(),
      $metadata: {},
      CancellationReasons: codes.map((Code) => ({ Code })),
    });
  const writes = keys.slice(0, 3).map((put) => ({ put, when: ABSENT }));

  it('is retried after a conflict with another one, with pauses that double', async () => {
    const conflicts = Array.from({ length: 3 }, () => cancelled('None', 'TransactionConflict', 'None'));
    const { table, calls, pauses } = scripted(() => {
      const conflict = conflicts.pop();
      if (conflict !== undefined) throw conflict;
      return {};
    });
    expect(await table.transact(writes)).toEqual({ done: true });
    expect(calls).toHaveLength(4);
    expect(pauses).toEqual([12, 24, 48]);
  });

  it('throws the conflict after ten conflicts with other transactions', async () => {
    const conflict = cancelled('TransactionConflict');
    const { table, calls, pauses } = scripted(() => {
      throw conflict;
    });
    expect(await thrownBy(table.transact(writes))).toBe(conflict);
    expect(calls).toHaveLength(10);
    expect(pauses).toHaveLength(9);
  });

  it('is not retried when a condition fails, even if another item is in a conflict', async () => {
    const { table, calls } = scripted(() => {
      throw cancelled('TransactionConflict', 'None', 'ConditionalCheckFailed');
    });
    expect(await table.transact(writes)).toEqual({ done: false, failed: new Set([2]) });
    expect(calls).toHaveLength(1);
  });

  it('is retried when it is throttled, and fails as throttled', async () => {
    const { table, calls } = scripted(() => {
      throw cancelled('ThrottlingError', 'None');
    });
    expect(await thrownBy(table.transact(writes))).toMatchObject({ name: 'ThrottlingException' });
    expect(calls).toHaveLength(10);
  });

  it('throws at once when it is canceled for another reason', async () => {
    const invalid = cancelled('ValidationError', 'None');
    const { table, calls } = scripted(() => {
      throw invalid;
    });
    expect(await thrownBy(table.transact(writes))).toBe(invalid);
    expect(calls).toHaveLength(1);
  });
});

describe('failures that are not conditions', () => {
  const [key = { pk: 'p', sk: 's' }] = keys;
  type Work = (table: Table) => Promise<unknown>;
  const reads: [string, Work][] = [
    ['get', (table) => table.get(key)],
    ['getMany', (table) => table.getMany([key])],
    ['page', (table) => table.page({ partition: 'p' })],
    ['query', (table) => table.query({ partition: 'p' })],
  ];
  const writes: [string, Work][] = [
    ['put', (table) => table.put(key, ABSENT)],
    ['update', (table) => table.update(key, { set: { a: 1 } }, ABSENT)],
    ['delete', (table) => table.delete(key)],
    ['deleteMany', (table) => table.deleteMany([key])],
    ['putMany', (table) => table.putMany([key])],
    ['transact', (table) => table.transact([{ put: key }])],
  ];
  const [isThrottled, isRefused, isUnknown] = [
    anError('ThrottlingException'),
    Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    anError('TimeoutError'),
  ];

  it.each([
    ...reads.map(([name, work]) => ({ name, work, error: isThrottled, attempts: 1 })),
    ...writes.flatMap(([name, work]) => [
      { name, work, error: isThrottled, attempts: 2 },
      { name, work, error: isRefused, attempts: 2 },
      { name, work, error: isUnknown, attempts: 1 },
    ]),
  ])('throw from $name after $attempts attempts: $error', async ({ work, error, attempts }) => {
    const { table, calls } = scripted(() => {
      throw error;
    });
    expect(await thrownBy(work(table))).toBe(error);
    expect(calls).toHaveLength(attempts);
  });

  it.each(writes)('are hidden by %s if the second attempt succeeds', async (_, work) => {
    const failures = [isThrottled];
    const { table, calls } = scripted(() => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return {};
    });
    await work(table);
    expect(calls).toHaveLength(2);
    const [first, second] = calls.map(({ input }) => input.ClientRequestToken);
    expect(second).toBe(first);
  });

  it('returns a value for a failed condition without the old item', async () => {
    const { table: bare } = scripted(() => {
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    });
    expect(await bare.put(key, ABSENT)).toEqual({ done: false, found: undefined });
  });
});
