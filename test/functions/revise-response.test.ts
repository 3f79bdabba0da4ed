import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { onChange } from '../../functions/on-change.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { aStep } from '../support/a-step.ts';
import { aRecord, aResponseRow } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import {
  aLinkedAnswer,
  anAnswer,
  exportedOf,
  revise,
  SESSION,
  waiting,
} from '../support/fixtures/revising.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();

const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

const caller = { service, tenant };

const WORDS = { text: 'Why not', followUpRequested: true, contact: 'ann@example.com' };

describe('200', () => {
  it('replaces rating, text, follow-up and contact, with the same id and time', async () => {
    const given = await anAnswer(caller, { ...WORDS, rating: 2, traits: { plan: 'pro' } });
    service.clock.advance(1_000);
    const reply = await revise(caller, given.showToken, {
      revision: 1,
      rating: 9,
      text: 'Better',
      followUpRequested: false,
    });
    const revisedAt = new Date(service.clock.now()).toISOString();
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ok: true, id: given.id, at: revisedAt, revision: 1 });
    expect(await exportedOf(caller, given.respondentId)).toMatchObject({
      id: given.id,
      at: given.at,
      rating: 9,
      text: 'Better',
      followUpRequested: false,
      contact: null,
      traits: { plan: 'pro' },
      revision: 1,
      revisedAt,
      withdrawn: false,
    });
  });

  it('clears omitted fields', async () => {
    const { showToken, respondentId } = await anAnswer(caller, WORDS);
    expect((await revise(caller, showToken, { revision: 1, rating: 0 })).status).toBe(200);
    expect(await exportedOf(caller, respondentId)).toMatchObject({
      rating: 0,
      text: null,
      followUpRequested: null,
      contact: null,
    });
  });

  it('replaces reasons or clears omitted ones, and repeats without a change', async () => {
    const surveys = [
      aSurvey(
        { reasonCodes: ['slow', 'wrong'] },
        { reasons: ['slow', 'wrong'].map((code) => ({ code, label: code })) },
      ),
    ];
    const asking = {
      service,
      tenant: await service.tenant({ rates: { publishable: 0, secret: 0 } }, surveys),
    };
    const { showToken, respondentId } = await aLinkedAnswer(asking, { rating: 1, reasons: ['slow'] });
    const told = async () => [
      (await exportedOf(asking, respondentId)).reasons,
      (await waiting(asking)).map(({ reasons }: { reasons: unknown }) => reasons),
    ];
    expect(await told()).toEqual([['slow'], [['slow']]]);
    const change = { revision: 1, rating: 2, reasons: ['wrong', 'new', 'slow'], ...SESSION };
    const first = await revise(asking, showToken, change);
    expect(first.body.dropped).toEqual(['reasons.1']);
    expect((await revise(asking, showToken, change)).body).toEqual(first.body);
    expect((await revise(asking, showToken, { ...change, reasons: ['slow'] })).status).toBe(409);
    expect(await told()).toEqual([['slow', 'wrong'], [['slow', 'wrong']]]);
    await revise(asking, showToken, { revision: 2, rating: 2, ...SESSION });
    expect(await told()).toEqual([null, [null]]);
    await revise(asking, showToken, { ...change, revision: 3 });
    await revise(asking, showToken, { revision: 4, withdraw: true, ...SESSION });
    expect((await exportedOf(asking, respondentId)).reasons).toBeNull();
    await revise(asking, showToken, { revision: 5, rating: 9, reasons: ['slow'], ...SESSION });
    expect(await told()).toEqual([null, [null]]);
  });

  it('ignores reasons left in the row by an older release that revised it without them', async () => {
    const reasonCodes = ['slow'];
    const asking = { service, tenant: await service.tenant({}, [aSurvey({ reasonCodes })]) };
    const { respondentId } = await anAnswer(asking, { rating: 1, reasons: ['slow'] });
    expect((await exportedOf(asking, respondentId)).reasons).toEqual(['slow']);
    const [row] = await scanAll(service.table, asking.tenant.project.id).then((rows) =>
      rows.filter(({ type }) => type === 'response'),
    );
    const set = { rating: 2, revision: 1, revisedAt: new Date(service.clock.now()).toISOString() };
    await service.table.table.update({ pk: row?.pk, sk: row?.sk }, { set });
    expect(await exportedOf(asking, respondentId)).toMatchObject({ rating: 2, reasons: null });
  });

  it('returns the stored answer for the same number and content, even later, and changes nothing', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    const revision = { revision: 1, rating: 3, ...WORDS };
    const first = await revise(caller, showToken, revision);
    service.clock.advance(5_000);
    const again = await revise(caller, showToken, revision);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await exportedOf(caller, respondentId)).toMatchObject({ revision: 1, revisedAt: first.body.at });
  });

  it('removes text, rating and traits on withdrawal; the token stays used and the survey suppressed', async () => {
    const { showToken, respondentId, id, at } = await anAnswer(caller, { ...WORDS, traits: { plan: 'pro' } });
    const reply = await revise(caller, showToken, { revision: 1, withdraw: true });
    expect(reply.body).toMatchObject({ ok: true, id, revision: 1 });
    expect(await exportedOf(caller, respondentId)).toMatchObject({
      id,
      at,
      rating: null,
      text: null,
      followUpRequested: null,
      contact: null,
      traits: null,
      revision: 1,
      withdrawn: true,
    });
    expect((await revise(caller, showToken, { revision: 1, withdraw: true })).body).toEqual(reply.body);
    expect((await submit(caller, showToken)).body.error.details).toEqual({ id, at, kind: 'response' });
    const { publishableKey: key } = tenant;
    const { body } = await service.call(bootstrap, { body: { key, userId: respondentId } });
    expect(body).toMatchObject({ suppression: [surveyOf(tenant)], showTokens: {} });
  });

  it('revises a linked answer with the session values that its token attests', async () => {
    const { showToken, respondentId } = await aLinkedAnswer(caller);
    expect((await revise(caller, showToken, { revision: 1, rating: 1, ...SESSION })).status).toBe(200);
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: 1, linked: true, ...SESSION });
  });

  it('drops and names invalid optional values', async () => {
    const { showToken, respondentId } = await anAnswer(caller, WORDS);
    const reply = await revise(caller, showToken, {
      revision: 1,
      rating: 4,
      text: 'x'.repeat(5_001),
      followUpRequested: 'yes',
      contact: 7,
      userId: '',
      traceId: 'x'.repeat(300),
      traits: { plan: 'none of its fields' },
    });
    expect([reply.status, reply.body.dropped.sort()]).toEqual([
      200,
      ['contact', 'followUpRequested', 'text', 'traceId', 'userId'],
    ]);
    expect(await exportedOf(caller, respondentId)).toMatchObject({
      rating: 4,
      text: 'x'.repeat(5_000),
      followUpRequested: null,
      contact: null,
    });
  });
});

describe('400', () => {
  it.each([
    ['neither a rating nor a withdrawal', {}],
    ['both', { rating: 3, withdraw: true }],
    ['an invalid withdrawal', { withdraw: false }],
    ['a withdrawal that is not true or false', { withdraw: 'yes' }],
    ['no revision', { rating: 3, revision: null }],
    ['revision 0', { rating: 3, revision: 0 }],
    ['half a revision', { rating: 3, revision: 1.5 }],
    ['an invalid rating', { rating: 'nine' }],
  ])('for %s', async (_, fields) => {
    const { showToken, respondentId } = await anAnswer(caller);
    expect(codeOf(await revise(caller, showToken, { revision: 1, ...fields }))).toBe('400 invalid_request');
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: 8, revision: 0 });
  });

  it('for the 101st change of a rating; repetition, gap and withdrawal are answered as before', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    const codeAt = async (revision: number, fields: object = { rating: 3 }) =>
      codeOf(await revise(caller, showToken, { revision, ...fields }));
    for (let revision = 1; revision < 100; revision += 1)
      await revise(caller, showToken, { revision, rating: 4 });
    expect(await codeAt(100)).toBe('200 recorded');
    const refused = await revise(caller, showToken, { revision: 101, rating: 5 });
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'revision' }] });
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: 3, revision: 100 });
    expect(await codeAt(100)).toBe('200 recorded');
    expect(await codeAt(102)).toBe('409 revision_conflict');
    expect(await codeAt(101, { withdraw: true })).toBe('200 recorded');
    expect(await codeAt(101, { withdraw: true })).toBe('200 recorded');
    expect(await codeAt(102)).toBe('400 invalid_request');
    expect(await codeAt(102, { withdraw: true })).toBe('400 invalid_request');
  });
});

describe('404', () => {
  it('when nothing was stored with the token, which stays valid', async () => {
    const showToken = await showTokenOf(service, tenant);
    const reply = await revise(caller, showToken, { revision: 1, rating: 1 });
    expect(codeOf(reply)).toBe('404 response_not_found');
    expect((await submit(caller, showToken)).status).toBe(201);
  });

  it('when the answer was erased, which stays erased', async () => {
    const { showToken, respondentId } = await anAnswer(caller, WORDS);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId } });
    for (const fields of [
      { revision: 1, rating: 1 },
      { revision: 1, withdraw: true },
    ])
      expect(codeOf(await revise(caller, showToken, fields))).toBe('404 response_not_found');
    expect(await exportedOf(caller, respondentId)).toBeUndefined();
  });
});

describe('409', () => {
  it.each([
    ['another rating', { revision: 1, rating: 4 }],
    ['another text', { revision: 1, rating: 3, text: 'other' }],
    ['a missing text', { revision: 1, rating: 3 }],
    ['a withdrawal', { revision: 1, withdraw: true }],
    ['a gap', { revision: 3, rating: 3 }],
  ])('for %s with a number that is taken or too high', async (_, fields) => {
    const { showToken, respondentId } = await anAnswer(caller);
    await revise(caller, showToken, { revision: 1, rating: 3, text: 'first' });
    const reply = await revise(caller, showToken, fields);
    expect(codeOf(reply)).toBe('409 revision_conflict');
    expect(reply.body.error.details).toEqual({ revision: 1 });
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: 3, text: 'first', revision: 1 });
  });

  it('when the token stored a dismissal', async () => {
    const userId = someone();
    const showToken = await showTokenOf(service, tenant, { userId });
    const dismissal = await service.call(submitDismissal, {
      body: aSubmission(tenant, showToken, { userId }),
    });
    const reply = await revise(caller, showToken, { revision: 1, rating: 1 });
    expect(codeOf(reply)).toBe('409 token_used');
    const { id, at } = dismissal.body;
    expect(reply.body.error.details).toEqual({ id, at, kind: 'dismissal' });
  });
});

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
    for (const [index, reply] of replies.entries())
      expect(reply.status).toBe(ratings[index] === rating ? 200 : 409);
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

it('results follow: a changed answer moves, a withdrawn one leaves and one rated again returns, while accepted counts stay', async () => {
  const tenant = await service.tenant();
  const of = { projectId: tenant.project.id, surveyId: surveyOf(tenant) };
  const rated = (rating: number, more = {}) => ({
    ...aResponseRow({ ...of, rating, ...more }),
    sk: 'A',
    pk: 'P',
  });
  const withdrawn = { ...rated(0), rating: undefined, withdrawn: true, revision: 2 };
  const steps = [rated(2, { text: 'bad' }), rated(9, { revision: 1 }), withdrawn, rated(7, { revision: 3 })];
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

const step = fc.oneof(
  aStep(4, 'revise', { number: fc.integer({ min: 1, max: 5 }) }),
  aStep(3, 'ack', {
    state: fc.constantFrom('trying', 'delivered', 'failed'),
    revision: fc.integer({ min: 0, max: 5 }),
  }),
  aStep(1, 'erase', {}),
);

/** `undefined` withdraws the answer. */
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
