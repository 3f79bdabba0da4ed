import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
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

  it('allows rating and withdrawing again after a withdrawal', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    await revise(caller, showToken, { revision: 1, withdraw: true });
    expect((await revise(caller, showToken, { revision: 2, rating: 7, text: 'After all' })).status).toBe(200);
    const again = { rating: 7, text: 'After all', revision: 2, withdrawn: false };
    expect(await exportedOf(caller, respondentId)).toMatchObject(again);
    expect((await revise(caller, showToken, { revision: 3, withdraw: true })).status).toBe(200);
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: null, revision: 3 });
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

  it('for a rating outside the scale', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    const reply = await revise(caller, showToken, { revision: 1, rating: 11 });
    expect(reply.status).toBe(400);
    expect(await exportedOf(caller, respondentId)).toMatchObject({ revision: 0 });
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
    ]) {
      expect(codeOf(await revise(caller, showToken, fields))).toBe('404 response_not_found');
    }
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

  it('for a late repetition, which never overwrites a newer choice', async () => {
    const { showToken, respondentId } = await anAnswer(caller);
    for (const rating of [1, 2]) await revise(caller, showToken, { revision: rating, rating });
    const late = await revise(caller, showToken, { revision: 1, rating: 1 });
    expect(late.body.error).toMatchObject({ code: 'revision_conflict', details: { revision: 2 } });
    expect(await exportedOf(caller, respondentId)).toMatchObject({ rating: 2 });
  });

  it('for a gap before the first revision', async () => {
    const { showToken } = await anAnswer(caller);
    const reply = await revise(caller, showToken, { revision: 2, rating: 1 });
    expect(reply.body.error).toMatchObject({ code: 'revision_conflict', details: { revision: 0 } });
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
