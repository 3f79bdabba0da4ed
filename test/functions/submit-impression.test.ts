import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { countShows, report, seedShows, show, shownRows } from '../support/fixtures/shown.ts';
import { aSubmission, codeOf } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

const UNLIMITED = { rates: { publishable: 0, secret: 0 } };

const isIssued = async (of: Tenant, userId: string, surveyId = surveyOf(of), over = service) => {
  const { body } = await over.call(bootstrap, { body: { key: of.publishableKey, userId } });
  expect(body.suppression).not.toContain(surveyId);
  return surveyId in body.showTokens;
};

describe('201', () => {
  it('records the impression without the person’s id, and leaves the token valid', async () => {
    const own = await service.tenant(UNLIMITED);
    const { reply, showToken } = await show(service, own, 'person-with-a-name');
    expect(reply).toMatchObject({ status: 201, body: { ok: true, at: '2026-11-20T09:30:00.000Z' } });
    expect(Object.keys(reply.body)).toEqual(['ok', 'at']);
    const rows = await shownRows(service, own);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([...rows, ...(rows[0]?.shows ?? [])])).not.toContain('person-with-a-name');
    expect(await countShows(service, own)).toBe(1);
    const answer = await service.call(submitResponse, { body: aSubmission(own, showToken) });
    expect(answer.status).toBe(201);
  });

  it('changes nothing when the impression is reported again, even an hour later', async () => {
    const own = await service.tenant(UNLIMITED);
    const { showToken } = await show(service, own, 'ann');
    for (let again = 0; again < 3; again += 1) {
      service.clock.advance(3_600_000);
      expect((await report(service, own, showToken)).status).toBe(201);
    }
    expect(await countShows(service, own)).toBe(1);
  });

  it('accepts a report after the answer, which it does not look up', async () => {
    const own = await service.tenant(UNLIMITED);
    const { showToken } = await dismiss(service, own, 'ann');
    expect((await report(service, own, showToken)).status).toBe(201);
    expect(await countShows(service, own)).toBe(1);
  });

  it('accepts a beacon: text/plain with the key in the query', async () => {
    const { publishableKey: key, ...own } = tenant;
    const showToken = await showTokenOf(service, tenant);
    const reply = await service.call(submitImpression, {
      query: { key },
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      rawBody: JSON.stringify({ showToken, surveyId: own.surveys[0]?.id }),
    });
    expect(reply.status).toBe(201);
  });

  it('drops and names invalid session ids unless the token attests them', async () => {
    const token = await showTokenOf(service, tenant);
    const reply = await report(service, tenant, token, { sessionId: 1, traceId: '' });
    expect(reply).toMatchObject({ status: 201, body: { dropped: ['sessionId', 'traceId'] } });
  });

  it('accepts a survey that is paused or has reached its maximum, and a person in a quiet period', async () => {
    const own = await service.tenant(UNLIMITED, [aSurvey(), aSurvey()]);
    const [first, second] = own.surveys.map(({ id }) => id);
    const { body } = await service.call(bootstrap, { body: { key: own.publishableKey, userId: 'ann' } });
    await service.call(submitResponse, {
      body: aSubmission(own, body.showTokens[first ?? ''], { surveyId: first }),
    });
    const late = await report(service, own, body.showTokens[second ?? ''], { surveyId: second });
    expect(late.status).toBe(201);
  });
});

it('201 when the project disabled impressions, which bootstrap announces: records nothing, and refuses a forged token', async () => {
  const off = await service.tenant({ ...UNLIMITED, impressions: false });
  const boot = await service.call(bootstrap, { body: { key: off.publishableKey, userId: 'ann' } });
  expect(boot.body.impressions).toBe(false);
  const reply = await report(service, off, boot.body.showTokens[surveyOf(off)]);
  expect(reply).toMatchObject({ status: 201, body: { ok: true, at: expect.any(String) } });
  expect(await shownRows(service, off)).toEqual([]);
  expect(codeOf(await report(service, off, 'forged'))).toBe('401 invalid_token');
  const on = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  expect(on.body).not.toHaveProperty('impressions');
});

describe('a survey that was shown three times without an answer', () => {
  it('gets no token until the window ends, to the millisecond, unlike others', async () => {
    const timed = await createTestService();
    const own = await timed.tenant({ ...UNLIMITED, limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const [first, second] = own.surveys.map(({ id }) => id);
    for (let times = 0; times < 3; times += 1) {
      expect(await isIssued(own, 'ann', first, timed)).toBe(true);
      await show(timed, own, 'ann', first);
      timed.clock.advance(DAY);
    }
    expect(await isIssued(own, 'ann', first, timed)).toBe(false);
    expect(await isIssued(own, 'ann', second, timed)).toBe(true);
    expect(await isIssued(own, 'bob', first, timed)).toBe(true);
    timed.clock.advance(27 * DAY - 1);
    expect(await isIssued(own, 'ann', first, timed)).toBe(false);
    timed.clock.advance(1);
    expect(await isIssued(own, 'ann', first, timed)).toBe(true);
  });

  it('is not minted either; ten reports of one token count once', async () => {
    const own = await service.tenant({ ...UNLIMITED, limits: NO_LIMITS });
    const { showToken } = await show(service, own, 'ann');
    for (let times = 0; times < 9; times += 1) await report(service, own, showToken);
    await show(service, own, 'ann');
    const mint = async () => {
      const body = { respondentId: 'ann', sessionId: 's' };
      return (await service.call(mintTokens, { secretKey: own.secretKey, body })).body.tokens;
    };
    expect(Object.keys(await mint())).toHaveLength(1);
    await show(service, own, 'ann');
    expect(await mint()).toEqual({});
  });
});

it('201 for a link token that counts as issued later: records nothing, because the survey cannot have been shown in the future', async () => {
  const body = { respondentId: someone(), surveyId: surveyOf(tenant), expiresIn: '30d' };
  const link = await service.call(deferredAskLink, { body, secretKey: tenant.secretKey });
  const before = await countShows(service, tenant);
  expect((await report(service, tenant, link.body.showToken)).status).toBe(201);
  expect(await countShows(service, tenant)).toBe(before);
});

it("another survey's impressions are recorded for a person who has ten of each of many surveys", async () => {
  const many = await service.tenant(
    UNLIMITED,
    Array.from({ length: 51 }, () => aSurvey()),
  );
  const [further, ...others] = many.surveys.map(({ id }) => id);
  const respondentId = someone();
  const { clock } = service;
  for (const surveyId of others) {
    const times = Array.from({ length: 10 }, (_, index) => clock.now() - index);
    const shown = { projectId: many.project.id, surveyId, respondentId, surveys: many.surveys.length };
    await seedShows(service, shown, times);
  }
  await show(service, many, respondentId, further);
  expect(await countShows(service, many)).toBe(501);
});

it('201 for a survey that repeats by observation: records nothing with the values that its token attests', async () => {
  const own = await service.tenant(UNLIMITED, [aSurvey({ repeat: 'observation' })]);
  const session = { sessionId: 's', traceId: 't', observationId: 'o' };
  const token = await boundTokenOf(service, own, session);
  expect(codeOf(await report(service, own, token))).toBe('401 token_mismatch');
  const reply = await report(service, own, token, session);
  expect(reply).toMatchObject({ status: 201, body: { ok: true, at: expect.any(String) } });
  expect(await shownRows(service, own)).toEqual([]);
});

it.each([
  ['no showToken', { showToken: undefined }, 'showToken'],
  ['no surveyId', { surveyId: null }, 'surveyId'],
])('400 for %s', async (_, fields, path) => {
  const reply = await report(service, tenant, await showTokenOf(service, tenant), fields);
  expect(codeOf(reply)).toBe('400 invalid_request');
  expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
});

describe('429', () => {
  it('beyond half the rate of its key, in a bucket separate from answers', async () => {
    const slow = await service.tenant({ rates: { publishable: 2, secret: 0 } });
    const showToken = await showTokenOf(service, slow);
    const statuses: number[] = [];
    for (let times = 0; times < 3; times += 1) statuses.push((await report(service, slow, showToken)).status);
    expect(statuses).toEqual([201, 201, 429]);
    const limited = await report(service, slow, showToken);
    expect([codeOf(limited), limited.headers['retry-after']]).toEqual(['429 rate_limited', '1']);
    const answer = await service.call(submitResponse, { body: aSubmission(slow, showToken) });
    expect(answer.status).toBe(201);
    service.clock.advance(1_000);
    expect((await report(service, slow, showToken)).status).toBe(201);
  });

  it('beyond half the rate of a source address', async () => {
    const own = await service.tenant({ rates: { publishable: 0, secret: 0, address: 2 } });
    const showToken = await showTokenOf(service, own);
    const body = { key: own.publishableKey, surveyId: surveyOf(own), showToken };
    const call = (sourceIp: string) => service.call(submitImpression, { body, sourceIp });
    const replies = [await call('192.0.2.1'), await call('192.0.2.1'), await call('192.0.2.1')];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect((await call('192.0.2.2')).status).toBe(201);
  });
});
