import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AckResult, PendingScore } from '../../../sdk/server/contract-types.ts';
import { type PushOptions, pushScores } from '../../../shared/delivery/push-scores.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { linkedAnswer } from '../../support/fixtures/linked-answer.ts';
import { aLinkedAnswer, revise, SESSION } from '../../support/fixtures/revising.ts';
import { createPushSetting, type PushSetting, toldDestination } from '../../support/service/push-setting.ts';

const HOUR = 3_600_000;

describe('a run', () => {
  let setting: PushSetting;
  beforeEach(async () => {
    setting = await createPushSetting();
  });
  afterEach(() => setting.stop());

  const run = (options: Pick<PushOptions, 'destination'> & Partial<PushOptions>) =>
    pushScores({ client: setting.client, timers: setting.timers, ...options });

  it('delivers everything oldest first and acknowledges page by page', async () => {
    const ids = await setting.answers(12);
    const destination = toldDestination();
    const acks: string[] = [];
    const client: PushOptions['client'] = {
      ...setting.client,
      ackScores(results, options) {
        acks.push(`${results.length} ${results[0]?.state}`);
        return setting.client.ackScores(results, options);
      },
    };
    const report = await run({ destination, client, concurrency: 1 });
    expect(report).toEqual({ polled: 12, delivered: 12, rejected: 0, left: 0 });
    expect(destination.given).toEqual(ids);
    // Ten seconds allow these calls at 25 requests a minute.
    const page = ['4 trying', '4 delivered'];
    expect(acks).toEqual([...page, ...page, ...page]);
    expect(await setting.open(true)).toEqual([]);
  });

  it('deletes withdrawn scores, even if the run that pushed them died before recording it', async () => {
    const caller = { service: setting.service, tenant: setting.tenant };
    const given = await aLinkedAnswer(caller);
    const dying: PushOptions['client'] = {
      ...setting.client,
      ackScores: async (results, options) => {
        if (results.some(({ state }) => state !== 'trying')) throw new Error('killed');
        return setting.client.ackScores(results, options);
      },
    };
    await expect(run({ destination: toldDestination(), client: dying })).rejects.toThrow('killed');
    await revise(caller, given.showToken, { revision: 1, withdraw: true, ...SESSION });
    const destination = toldDestination();
    expect(await run({ destination })).toMatchObject({ polled: 1, delivered: 1 });
    expect(destination.given).toEqual([]);
    expect(destination.withdrawn).toEqual([{ id: given.id, revision: 1 }]);
    expect(await setting.open(true)).toEqual([]);
  });

  it('skips scores that the destination wants to wait, without any request', async () => {
    const [first, second] = await setting.answers(2);
    const destination = {
      ...toldDestination(),
      waits: ({ id }: PendingScore) => (id === first ? 'not yet' : undefined),
    };
    expect(await run({ destination })).toMatchObject({ polled: 2, delivered: 1, left: 1 });
    expect(destination.given).toEqual([second]);
    const { scores } = await setting.client.pendingScores();
    expect(scores).toMatchObject([{ id: first, triedAt: null, attempts: 0 }]);
  });

  it('acknowledges choices without a delivery if the destination stores no categories', async () => {
    const choosing = await createPushSetting([aSurvey({}, { type: 'choice' })]);
    onTestFinished(() => choosing.stop());
    const answer = (rating: number) =>
      linkedAnswer(choosing.service, choosing.tenant, { submission: { rating } });
    await answer(0);
    const acks: string[] = [];
    const client: PushOptions['client'] = {
      ...choosing.client,
      ackScores(results, options) {
        acks.push(...results.map(({ state }) => state));
        return choosing.client.ackScores(results, options);
      },
    };
    const numbers = toldDestination();
    expect(await run({ destination: numbers, client })).toMatchObject({ polled: 1, delivered: 1, left: 0 });
    expect([numbers.given, acks, await choosing.open()]).toEqual([[], ['delivered'], []]);
    const { id } = await answer(1);
    const categories = { ...toldDestination(), categories: true };
    expect(await run({ destination: categories, client })).toMatchObject({ delivered: 1 });
    expect(categories.given).toEqual([id]);
  });

  it('respects the pace and the concurrency', async () => {
    await setting.answers(30);
    const start = setting.timers.now();
    let underWay = 0;
    let most = 0;
    const deliver = async () => {
      most = Math.max(most, ++underWay);
      await setting.timers.sleep(9_000);
      underWay -= 1;
      return { kind: 'delivered' } as const;
    };
    await run({ destination: { ...toldDestination(), deliver }, requestsPerMinute: 60, concurrency: 3 });
    expect(most).toBe(3);
    expect(setting.timers.now() - start).toBeGreaterThan(29_000);
  });

  it('continues past scores that stay pending or are rejected', async () => {
    const ids = await setting.answers(15);
    const [poison, refused] = ids;
    const destination = toldDestination(({ id }) => {
      if (id === poison) return { kind: 'retry', reason: 'HTTP 500' };
      return id === refused ? { kind: 'reject', reason: 'HTTP 400: no' } : { kind: 'delivered' };
    });
    expect(await run({ destination })).toEqual({ polled: 15, delivered: 13, rejected: 1, left: 1 });
    expect(await setting.open()).toEqual([poison]);
    const { scores } = await setting.client.pendingScores({ includeFailed: true });
    expect(scores[1]).toMatchObject({ id: refused, state: 'failed', lastError: 'HTTP 400: no', attempts: 1 });
  });

  it('starts over when the cursor is refused, even by another copy of the package', async () => {
    const ids = await setting.answers(1);
    class CanvassError extends Error {
      override readonly name = 'CanvassError';
      readonly status = 400;
    }
    const client: PushOptions['client'] = {
      ...setting.client,
      pendingScores: async (query, options) => {
        if (query?.cursor !== undefined) throw new CanvassError('no such cursor');
        return setting.client.pendingScores(query, options);
      },
    };
    const destination = toldDestination();
    expect(await run({ destination, client, cursor: 'c-1' })).toMatchObject({ delivered: 1 });
    expect(destination.given).toEqual(ids);
  });

  it.each([
    ['null', null],
    ['the one before', 'c-1'],
  ])('ends when the cursor is %s', async (_name, nextCursor) => {
    let polls = 0;
    const client = {
      ...setting.client,
      pendingScores: async () => {
        polls += 1;
        if (polls > 2) throw new Error('it goes on');
        return { scores: [], nextCursor };
      },
    } as unknown as PushOptions['client'];
    const report = await run({ destination: toldDestination(), client, cursor: 'c-1' });
    expect(report).toEqual({ polled: 0, delivered: 0, rejected: 0, left: 0 });
  });

  it('refuses a limit that would abort every request at once', async () => {
    const requestTimeoutMs = Number.NaN;
    await expect(run({ destination: toldDestination(), requestTimeoutMs })).rejects.toThrow(
      /^requestTimeoutMs .*above 0/,
    );
  });

  it('gives up a score 24 h after its answer, with the last reason', async () => {
    const [id] = await setting.answers(1);
    const destination = toldDestination(() => ({ kind: 'retry', reason: `HTTP 503 ${'x'.repeat(600)}` }));
    setting.service.clock.advance(24 * HOUR - 1);
    expect(await run({ destination })).toMatchObject({ rejected: 0, left: 1 });
    setting.service.clock.advance(1);
    expect(await run({ destination })).toMatchObject({ rejected: 1, left: 0 });
    const { scores } = await setting.client.pendingScores({ includeFailed: true });
    expect(scores).toMatchObject([{ id, state: 'failed', lastError: `HTTP 503 ${'x'.repeat(491)}` }]);
  });

  it('retries failed scores only when asked', async () => {
    const ids = await setting.answers(1);
    await run({ destination: toldDestination(() => ({ kind: 'reject', reason: 'no' })) });
    const destination = toldDestination();
    expect(await run({ destination })).toMatchObject({ polled: 0 });
    expect(await run({ destination, includeFailed: true })).toMatchObject({ delivered: 1 });
    expect(destination.given).toEqual(ids);
  });

  it('halts without failing scores, and acknowledges deliveries', async () => {
    const ids = await setting.answers(12);
    const destination = toldDestination(({ id }) => {
      const index = ids.indexOf(id);
      if (index === 0) return { kind: 'delivered' };
      return index === 1 ? { kind: 'reject', reason: 'no' } : { kind: 'halt', reason: 'HTTP 401' };
    });
    const report = await run({ destination, concurrency: 1 });
    expect(report).toEqual({
      polled: 4,
      delivered: 1,
      rejected: 0,
      left: 3,
      halted: 'HTTP 401',
    });
    expect(destination.given).toEqual(ids.slice(0, 3));
    expect(await setting.open()).toEqual(ids.slice(1));
  });

  it('pauses as long as the destination asks', async () => {
    await setting.answers(2);
    const moments: number[] = [];
    const deliver = async () => {
      moments.push(setting.timers.now());
      return moments.length === 1
        ? ({ kind: 'retry', reason: '429', holdMs: 20_000 } as const)
        : { kind: 'delivered' as const };
    };
    await run({ destination: { ...toldDestination(), deliver }, concurrency: 1 });
    expect((moments[1] ?? 0) - (moments[0] ?? 0)).toBe(20_000);
  });

  it('ends when the caller aborts, without failing interrupted scores', async () => {
    const ids = await setting.answers(3);
    setting.service.clock.advance(25 * HOUR);
    const stop = new AbortController();
    const destination = toldDestination(({ id }) => {
      if (id === ids[0]) return { kind: 'delivered' };
      stop.abort();
      return { kind: 'retry', reason: 'no reply' };
    });
    const report = await run({ destination, concurrency: 1, signal: stop.signal });
    expect(report).toEqual({ polled: 3, delivered: 1, rejected: 0, left: 2 });
    expect(await setting.open()).toEqual(ids.slice(1));
  });

  it('leaves a score pending if its destination throws', async () => {
    const ids = await setting.answers(1);
    const deliver = async () => {
      throw new Error('a bug');
    };
    expect(await run({ destination: { ...toldDestination(), deliver } })).toMatchObject({ left: 1 });
    expect(await setting.open()).toEqual(ids);
  });

  it('delivers exactly once wherever it stops: before or after any poll, push or ack', async () => {
    const ids = await setting.answers(9);
    const held = new Map<string, number>();
    const acknowledged = new Set<string>();
    class Crash extends Error {}
    let calls = 0;
    for (let crashAt = 0; acknowledged.size < ids.length; crashAt += 1) {
      calls = 0;
      const crash = () => {
        if (calls++ === crashAt) throw new Crash();
      };
      const client: PushOptions['client'] = {
        async pendingScores(query, options) {
          crash();
          return setting.client.pendingScores(query, options);
        },
        async ackScores(results: readonly AckResult[], options) {
          crash();
          const ended = results.filter(({ state }) => state !== 'trying');
          for (const { id } of ended) expect(held.has(id)).toBe(true);
          const reply = await setting.client.ackScores(results, options);
          for (const { id } of ended) acknowledged.add(id);
          crash();
          return reply;
        },
      };
      const destination = toldDestination(({ id }) => {
        held.set(id, (held.get(id) ?? 0) + 1);
        return { kind: 'delivered' };
      });
      await run({ client, destination }).catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
    }
    expect([...held.keys()].toSorted()).toEqual(ids.toSorted());
    expect(await setting.open(true)).toEqual([]);
  });
});
