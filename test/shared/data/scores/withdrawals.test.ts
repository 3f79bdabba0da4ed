import { beforeEach, describe, expect, it } from 'vitest';
import { createRunLease } from '../../../../shared/data/scores/run-lease.ts';
import { createWithdrawals, placeOf, type Withdrawals } from '../../../../shared/data/scores/withdrawals.ts';
import { answerKey, scorePushJob } from '../../../../shared/data/table/schema.ts';
import { HOUR } from '../../../../shared/domain/duration.ts';
import { collect } from '../../../support/collect.ts';
import { START } from '../../../support/service/test-clock.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const SHARDS = 2;
const COUNT = 60;

let now = START;
let queue: Withdrawals;
beforeEach(async () => {
  now = START;
  const { table } = await createTestTable();
  queue = createWithdrawals({ table, shards: SHARDS, clock: () => now });
  for (const project of ['one', 'other']) {
    await createRunLease(table, scorePushJob(project)).acquire('run', now, now, { deletes: true });
  }
});

/** The number modulo the shard count selects the shard. */
const add = (number: number, project = 'one') => {
  const id = `score-${String(number).padStart(3, '0')}`;
  const tokenId = number.toString(16).padStart(32, '0');
  const row = { ...answerKey(project, 'hash', tokenId), type: 'response', id, scoreState: 'delivered' };
  return queue.queue(project, [row]);
};
const sweep = async (behind?: string) => (await collect(queue.sweep('one', behind))).map(({ id }) => id);

describe('withdrawals in the queue', () => {
  it('are all counted, with the age of the oldest, wherever it is', async () => {
    expect(await queue.waiting('one')).toEqual({ count: 0, since: undefined });
    await add(COUNT);
    now += HOUR;
    for (let number = 0; number < COUNT; number += 1) await add(number);
    await add(0, 'other');
    const since = new Date(START).toISOString();
    expect(await queue.waiting('one')).toEqual({ count: COUNT + 1, since });
  });

  it('are each swept once, starting after the last position of an earlier sweep', async () => {
    for (let number = 0; number < COUNT; number += 1) await add(number);
    await add(0, 'other');
    const all = await collect(queue.sweep('one'));
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(COUNT);
    for (const [index, withdrawal] of all.entries()) {
      const around = [...ids.slice(index + 1), ...ids.slice(0, index + 1)];
      expect(await sweep(placeOf(withdrawal))).toEqual(around);
    }
  });

  it('are swept from a position that no longer exists, or that belongs to another number of shards', async () => {
    for (let number = 0; number < 6; number += 1) await add(number);
    const all = await collect(queue.sweep('one'));
    const [first, second, ...rest] = all;
    if (first === undefined || second === undefined) throw new Error('none is queued');
    await queue.finish(second);
    expect(await sweep(placeOf(second))).toEqual([...rest, first].map(({ id }) => id));
    expect(new Set(await sweep(placeOf({ ...first, shard: 7 })))).toEqual(
      new Set([first, ...rest].map(({ id }) => id)),
    );
  });
});
