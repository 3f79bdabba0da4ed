/** See docs/contract.md §9.6 and §10. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { erase } from '../../functions/erase.ts';
import { onChange } from '../../functions/on-change.ts';
import { aRecord, aResponseRow } from '../support/fixtures/a-stream.ts';
import {
  aLinkedAnswer,
  anAnswer,
  exportedOf,
  revise,
  SESSION,
  waiting,
} from '../support/fixtures/revising.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();
const caller = { service, tenant: await service.tenant({ rates: { publishable: 0, secret: 0 } }) };

const storedOf = async (id: string) =>
  (await scanAll(service.table, caller.tenant.project.id)).filter((row) => row.id === id);

describe('concurrent revisions', () => {
  it('of one number: one is stored, and the others are refused', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    const ratings = Array.from({ length: 20 }, (_, index) => index % 10);
    const replies = await Promise.all(
      ratings.map((rating) => revise(caller, showToken, { revision: 1, rating })),
    );
    const { rating, revision } = await exportedOf(caller, respondentId);
    expect(revision).toBe(1);
    for (const [index, reply] of replies.entries()) {
      expect(reply.status).toBe(ratings[index] === rating ? 200 : 409);
    }
  });

  it('of the same content all succeed as one', async () => {
    const { showToken } = await aLinkedAnswer(caller);
    const same = { revision: 1, rating: 1, text: 'once', ...SESSION };
    const replies = await Promise.all(Array.from({ length: 20 }, () => revise(caller, showToken, same)));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
  });
});

it('leaves nothing of the answer when a revision and an erasure are concurrent', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { showToken, respondentId, id } = await aLinkedAnswer(caller);
    const { secretKey } = caller.tenant;
    const [revised, erased] = await Promise.all([
      revise(caller, showToken, { revision: 1, rating: 1, text: 'secret', ...SESSION }),
      service.call(erase, { secretKey, query: { respondentId } }),
    ]);
    expect(['200 recorded', '404 response_not_found']).toContain(codeOf(revised));
    expect(erased.body.responsesDeleted).toBe(1);
    const [row, ...more] = await storedOf(id);
    expect([row?.type, row?.text, row?.rating, more]).toEqual(['tombstone', undefined, undefined, []]);
  }
});

it('creates no row for a revision of an answer that a purge has deleted', async () => {
  const other = { service, tenant: await service.tenant() };
  const { showToken } = await aLinkedAnswer(other);
  const [survey] = other.tenant.surveys;
  const elsewhere = await createTestService({ table: service.table, clock: service.clock });
  const query = { surveySlug: survey?.content.slug ?? '' };
  await elsewhere.call(erase, { secretKey: other.tenant.secretKey, query });
  for (const fields of [
    { revision: 1, rating: 1 },
    { revision: 1, withdraw: true },
  ]) {
    const reply = await revise(other, showToken, { ...fields, ...SESSION });
    expect(codeOf(reply)).toBe('404 response_not_found');
  }
  const rows = await scanAll(service.table, other.tenant.project.id);
  expect(rows.filter(({ tokenId }) => tokenId !== undefined)).toEqual([]);
});

describe('results', () => {
  it('follow: a changed answer moves, a withdrawn one leaves and one rated again returns, while accepted counts stay', async () => {
    const tenant = await service.tenant();
    const of = { projectId: tenant.project.id, surveyId: surveyOf(tenant) };
    const rated = (rating: number, more = {}) => ({
      ...aResponseRow({ ...of, rating, ...more }),
      sk: 'A',
      pk: 'P',
    });
    const withdrawn = { ...rated(0), rating: undefined, withdrawn: true, revision: 2 };
    const steps = [
      rated(2, { text: 'bad' }),
      rated(9, { revision: 1 }),
      withdrawn,
      rated(7, { revision: 3 }),
    ];
    const counts: unknown[] = [];
    for (const [index, row] of steps.entries()) {
      await onChange(service.service)({ Records: [aRecord(steps[index - 1], row)] });
      const rows = await scanAll(service.table, tenant.project.id);
      const result = rows.find(({ type, sk }) => type === 'result' && !String(sk).includes('~'));
      const total = rows.find(({ type }) => type === 'survey-total');
      counts.push([result?.r2, result?.r9, result?.r7, result?.comments, total?.responses, total?.answered]);
    }
    expect(counts).toEqual([
      [1, undefined, undefined, 1, 1, 1],
      [0, 1, undefined, 0, 1, 1],
      [0, 0, undefined, 0, 1, 0],
      [0, 0, 1, 0, 1, 1],
    ]);
  });
});

/** A revision is the person's nth choice, sent in any order and number. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('revise' as const), number: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ack' as const),
      state: fc.constantFrom('trying', 'delivered', 'failed'),
      revision: fc.integer({ min: 0, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'erase' as const }) },
);

/** Undefined withdraws the answer. */
const choices = fc.array(fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }), {
  minLength: 5,
  maxLength: 5,
});

it('ends with the newest acknowledged choice and its score in any order, with delays and repetitions', async () => {
  await fc.assert(
    fc.asyncProperty(choices, fc.array(step, { maxLength: 14 }), async (chosen, steps) => {
      const { showToken, respondentId, id } = await aLinkedAnswer(caller, { rating: 5 });
      const { secretKey } = caller.tenant;
      let current = 0;
      let isErased = false;
      let isTried = false;
      let state: 'pending' | 'failed' | 'delivered' = 'pending';
      for (const next of steps) {
        if (next.do === 'erase') {
          await service.call(erase, { secretKey, query: { respondentId } });
          isErased = true;
        } else if (next.do === 'revise') {
          const rating = chosen[next.number - 1];
          const words = rating === undefined ? { withdraw: true } : { rating };
          const reply = await revise(caller, showToken, { revision: next.number, ...words, ...SESSION });
          if (isErased) expect(reply.status).toBe(404);
          else expect(reply.status).toBe(next.number === current || next.number === current + 1 ? 200 : 409);
          if (reply.status === 200 && next.number > current) {
            current = next.number;
            state = 'pending';
          }
        } else {
          const results = [{ id, state: next.state, revision: next.revision }];
          const { body } = await service.call(ackScores, { secretKey, body: { results } });
          if (isErased) expect(body.updated).toBe(0);
          const isWaiting = isTried || current === 0 || chosen[current - 1] !== undefined;
          const isOpen = next.revision === current && state !== 'delivered' && isWaiting;
          if (next.state !== 'trying' && isOpen) state = next.state === 'failed' ? 'failed' : 'delivered';
          if (next.state === 'trying' || next.revision <= current) isTried = true;
        }
      }
      const row = await exportedOf(caller, respondentId);
      const mine = (await waiting(caller, { includeFailed: 'true', limit: '100' })).filter(
        (score: { id: string }) => score.id === id,
      );
      await service.call(erase, { secretKey, query: { respondentId } });
      if (isErased) {
        expect([row, mine]).toEqual([undefined, []]);
        return;
      }
      const rating = current === 0 ? 5 : chosen[current - 1];
      expect(row).toMatchObject({
        revision: current,
        rating: rating ?? null,
        withdrawn: rating === undefined,
      });
      const waits = state !== 'delivered' && (rating !== undefined || isTried);
      expect(mine).toMatchObject(
        waits ? [{ revision: current, state, withdrawn: rating === undefined, rating: rating ?? null }] : [],
      );
    }),
    { numRuns: 60 },
  );
});
