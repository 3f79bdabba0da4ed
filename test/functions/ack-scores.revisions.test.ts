/** See docs/contract.md §10. */

import { beforeEach, describe, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { DAY, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import {
  aLinkedAnswer,
  anAnswer,
  exportedOf,
  type Given,
  revise,
  SESSION,
  waiting,
} from '../support/fixtures/revising.ts';
import type { Caller } from '../support/fixtures/submission.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService } from '../support/service/test-service.ts';

let caller: Caller;
let given: Given;
const service = await createTestService();
beforeEach(async () => {
  caller = { service, tenant: await service.tenant({ rates: { publishable: 0, secret: 0 } }) };
  given = await aLinkedAnswer(caller, { rating: 2, text: 'bad' });
});

const rate = (revision: number, rating: number) =>
  revise(caller, given.showToken, { revision, rating, ...SESSION });
const withdraw = (revision: number) =>
  revise(caller, given.showToken, { revision, withdraw: true, ...SESSION });

async function ack(...results: readonly Readonly<Record<string, unknown>>[]): Promise<number> {
  const body = { results: results.map((result) => ({ id: given.id, ...result })) };
  const reply = await service.call(ackScores, { secretKey: caller.tenant.secretKey, body });
  expect(reply.status).toBe(200);
  return reply.body.updated;
}

const now = () => new Date(service.clock.now()).toISOString();
const stateOf = async () => (await exportedOf(caller, given.respondentId)).scoreState;

describe('a changed answer', () => {
  it('is pending again with its revision and the same id after the older revision was delivered', async () => {
    expect(await ack({ state: 'delivered', revision: 0 })).toBe(1);
    expect(await waiting(caller)).toEqual([]);
    service.clock.advance(SECOND);
    await rate(1, 9);
    expect(await waiting(caller)).toMatchObject([
      {
        id: given.id,
        at: given.at,
        rating: 9,
        text: null,
        state: 'pending',
        revision: 1,
        revisedAt: now(),
        withdrawn: false,
        ...SESSION,
      },
    ]);
    expect(await ack({ state: 'delivered', revision: 1 })).toBe(1);
    expect(await waiting(caller)).toEqual([]);
    expect(await ack({ state: 'failed', revision: 1 })).toBe(0);
    expect(await stateOf()).toBe('delivered');
  });

  describe('acknowledged without a revision', () => {
    it.each(['delivered', 'failed'])('stays pending for ten minutes, whatever was %s', async (state) => {
      service.clock.advance(SECOND);
      await rate(1, 10);
      service.clock.advance(10 * MINUTE - 1);
      expect(await ack({ state, error: 'of what was listed before' })).toBe(0);
      const triedAt = now();
      const left = { rating: 10, state: 'pending', attempts: 0, lastError: null, revision: 1, triedAt };
      expect(await waiting(caller)).toMatchObject([left]);
      service.clock.advance(1);
      expect(await ack({ state: 'trying' })).toBe(1);
      expect(await waiting(caller)).toMatchObject([{ ...left, triedAt: now() }]);
      expect(await ack({ state })).toBe(1);
    });

    it('is settled like one acknowledged with its revision', async () => {
      await rate(1, 9);
      expect(await ack({ state: 'failed', revision: 1 })).toBe(1);
      expect(await ack({ state: 'delivered' })).toBe(0);
      expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([
        { state: 'failed', attempts: 1 },
      ]);
      expect(await ack({ state: 'delivered', revision: 1 })).toBe(1);
      expect(await waiting(caller, { includeFailed: 'true' })).toEqual([]);
    });

    it('is settled when it is withdrawn, however recently', async () => {
      await ack({ state: 'trying' });
      await withdraw(1);
      expect(await ack({ state: 'delivered' })).toBe(1);
      expect(await waiting(caller, { includeFailed: 'true' })).toEqual([]);
    });

    it('is left unchanged when the answer changes between read and write', async () => {
      const racing = service.call(ackScores, {
        secretKey: caller.tenant.secretKey,
        body: { results: [{ id: given.id, state: 'delivered' }] },
      });
      const [{ body }, changed] = await Promise.all([racing, rate(1, 10)]);
      expect(changed.status).toBe(200);
      expect(await waiting(caller)).toMatchObject([{ rating: 10, state: 'pending', revision: 1 }]);
      expect([0, 1]).toContain(body.updated);
    });
  });

  it('is pending again after the older revision failed; attempts continue to count and the error is cleared', async () => {
    await ack({ state: 'failed', revision: 0, error: 'no trace' });
    await rate(1, 9);
    expect(await waiting(caller)).toMatchObject([{ state: 'pending', attempts: 1, lastError: null }]);
    expect(await ack({ state: 'failed', revision: 1, error: 'again' })).toBe(1);
    expect(await waiting(caller)).toEqual([]);
    expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([
      { state: 'failed', attempts: 2, lastError: 'again' },
    ]);
  });

  it('keeps its place in a sweep, by the time of the answer', async () => {
    await ack({ state: 'delivered', revision: 0 });
    service.clock.advance(SECOND);
    const second = await aLinkedAnswer(caller);
    await rate(1, 9);
    expect(await waiting(caller)).toMatchObject([{ id: given.id }, { id: second.id }]);
    const { secretKey } = caller.tenant;
    const first = await service.call(listPendingScores, { secretKey, query: { limit: '1' } });
    const { nextCursor: cursor } = first.body;
    const next = await service.call(listPendingScores, { secretKey, query: { limit: '1', cursor } });
    expect(next.body).toEqual({ scores: [expect.objectContaining({ id: second.id })] });
  });

  it('waits from the time of the change, whatever the time of the answer', async () => {
    await ack({ state: 'delivered', revision: 0 });
    service.clock.advance(DAY / 2);
    await rate(1, 9);
    service.clock.advance(SECOND);
    await aLinkedAnswer(caller);
    service.clock.advance(5 * SECOND);
    service.logs.splice(0);
    await waiting(caller);
    expect(service.logs.some((line) => line.includes('"oldest_pending":6'))).toBe(true);
  });

  it('that has no score gets none', async () => {
    const unlinked = await anAnswer(caller);
    await revise(caller, unlinked.showToken, { revision: 1, rating: 1 });
    await revise(caller, unlinked.showToken, { revision: 2, withdraw: true });
    expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([{ id: given.id }]);
  });
});

describe('a withdrawn answer', () => {
  it('waits to be deleted after delivery, and only requests for withdrawn scores list it', async () => {
    await ack({ state: 'delivered', revision: 0 });
    await withdraw(1);
    const { secretKey } = caller.tenant;
    for (const query of [{}, { includeFailed: 'true' }])
      expect((await service.call(listPendingScores, { secretKey, query })).body.scores).toEqual([]);
    expect(await waiting(caller)).toMatchObject([
      { id: given.id, withdrawn: true, rating: null, text: null, revision: 1, state: 'pending', ...SESSION },
    ]);
    expect(await ack({ state: 'failed', revision: 1, error: 'down' })).toBe(1);
    expect(await waiting(caller)).toEqual([]);
    expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([
      { withdrawn: true, state: 'failed', attempts: 1, lastError: 'down' },
    ]);
    expect(await ack({ state: 'delivered', revision: 1 })).toBe(1);
    expect(await waiting(caller, { includeFailed: 'true' })).toEqual([]);
    expect(await stateOf()).toBe('delivered');
  });

  it('is not waiting and has no state if it was never pushed', async () => {
    await withdraw(1);
    expect(await waiting(caller, { includeFailed: 'true' })).toEqual([]);
    expect(await stateOf()).toBeNull();
    expect(await exportedOf(caller, given.respondentId)).toMatchObject({ linked: true, withdrawn: true });
  });

  it.each([
    ['a push that failed', [{ state: 'failed', revision: 0 }]],
    ['a push of which only the beginning is known', [{ state: 'trying', revision: 0 }]],
  ])('waits after %s', async (_, results) => {
    await ack(...results);
    await withdraw(1);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: true, state: 'pending' }]);
  });

  it.each([
    ['was delivered', { state: 'delivered', revision: 0 }],
    ['failed', { state: 'failed', revision: 0 }],
    ['has begun', { state: 'trying', revision: 0 }],
    ['was delivered, acknowledged without a revision', { state: 'delivered' }],
    ['failed, acknowledged without a revision', { state: 'failed' }],
  ])('waits from the moment when a push of it %s', async (_, result) => {
    await withdraw(1);
    await ack(result);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: true, revision: 1, state: 'pending' }]);
    expect(await ack({ state: 'delivered', revision: 1 })).toBe(1);
    expect(await waiting(caller, { includeFailed: 'true' })).toEqual([]);
  });

  it('waits after a change that was never pushed when the earlier revision had been pushed', async () => {
    await rate(1, 9);
    await ack({ state: 'delivered', revision: 0 });
    await withdraw(2);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: true, revision: 2 }]);
  });

  it('waits after a change when it was delivered before pushes were recorded', async () => {
    await ack({ state: 'delivered', revision: 0 });
    const row = (await scanAll(service.table, caller.tenant.project.id)).find(({ id }) => id === given.id);
    await service.table.table.update({ pk: row?.pk, sk: row?.sk }, { set: {}, remove: ['triedAt'] });
    await rate(1, 9);
    await withdraw(2);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: true, revision: 2 }]);
  });

  it('keeps the start of its latest push or deletion', async () => {
    await ack({ state: 'delivered', revision: 0 });
    await withdraw(1);
    service.clock.advance(SECOND);
    expect(await ack({ state: 'trying', revision: 1 })).toBe(1);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: true, triedAt: now() }]);
  });

  it('is pushed again when it is rated again, and no longer waits to be deleted', async () => {
    await ack({ state: 'delivered', revision: 0 });
    await withdraw(1);
    await rate(2, 7);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: false, rating: 7, revision: 2 }]);
    expect(await ack({ state: 'delivered', revision: 1 })).toBe(0);
    expect(await waiting(caller)).toMatchObject([{ withdrawn: false, rating: 7, state: 'pending' }]);
  });
});

describe('the start of a push', () => {
  it('is returned to the next run; its end sets the start only if there is none', async () => {
    expect(await waiting(caller)).toMatchObject([{ triedAt: null }]);
    expect(await ack({ state: 'trying', revision: 0 })).toBe(1);
    const triedAt = now();
    service.clock.advance(SECOND);
    await ack({ state: 'failed', revision: 0 });
    expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([{ triedAt, attempts: 1 }]);
    await ack({ state: 'trying', revision: 0 });
    expect(await waiting(caller, { includeFailed: 'true' })).toMatchObject([{ triedAt: now(), attempts: 1 }]);
  });

  it('changes nothing else, and nothing without a score', async () => {
    const unlinked = await anAnswer(caller);
    const before = await scanAll(service.table, caller.tenant.project.id);
    expect(await ack({ id: unlinked.id, state: 'trying' }, { id: 'x', state: 'trying' })).toBe(0);
    expect(await scanAll(service.table, caller.tenant.project.id)).toEqual(before);
  });
});
