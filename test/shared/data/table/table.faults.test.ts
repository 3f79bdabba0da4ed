import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../../../shared/data/table/expressions.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';
import { createScriptedClient, type ScriptedCall } from '../../../support/faults/failing-client.ts';

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
    const asked = calls.map(({ input }) => input.RequestItems[name].Keys.length);
    expect(asked).toEqual([3, 2, 1]);
  });
});

describe('items that a deletion leaves unprocessed', () => {
  it('are deleted again until all are deleted, with pauses that double', async () => {
    const left = new Set(keys.map(({ pk }) => pk));
    const { table, pauses } = scripted(({ input }) => {
      const requests: WriteRequest[] = input.RequestItems[name];
      expect(requests.length).toBeLessThanOrEqual(25);
      for (const { DeleteRequest } of requests.slice(0, 5)) {
        left.delete(unmarshall(DeleteRequest?.Key ?? {}).pk);
      }
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
  const broken = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
  const { table, pauses } = scripted(() => {
    throw broken;
  });
  const [key = { pk: 'p', sk: 's' }] = keys;

  it.each<[string, () => Promise<unknown>]>([
    ['get', () => table.get(key)],
    ['getMany', () => table.getMany([key])],
    ['page', () => table.page({ partition: 'p' })],
    ['query', () => table.query({ partition: 'p' })],
    ['put', () => table.put(key, ABSENT)],
    ['update', () => table.update(key, { set: { a: 1 } }, ABSENT)],
    ['delete', () => table.delete(key)],
    ['deleteMany', () => table.deleteMany([key])],
    ['transact', () => table.transact([{ put: key }])],
  ])('throws from %s at once, because the SDK has retried already', async (_, work) => {
    expect(await thrownBy(work())).toBe(broken);
    expect(pauses).toEqual([]);
  });

  it('returns a value for a failed condition without the old item', async () => {
    const { table: bare } = scripted(() => {
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    });
    expect(await bare.put(key, ABSENT)).toEqual({ done: false, found: undefined });
  });
});
