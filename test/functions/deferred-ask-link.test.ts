import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { folds } from '../../functions/runtime/parts/answers.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { rotateTokenRing } from '../../shared/crypto/token-ring.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { respond } from '../support/fixtures/answered.ts';
import { anId, aSurvey } from '../support/fixtures/builders.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestClock, START } from '../support/service/test-clock.ts';
import { createTestSecrets, TEST_HASH_SECRET, TEST_TOKEN_KEY } from '../support/service/test-secrets.ts';
import { createTestService, type Reply, type Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant({}, [aSurvey(), aSurvey({ status: 'paused' })]);
});

type Fields = Record<string, unknown>;

function askFor(fields: Fields = {}, from = service, owner = tenant): Promise<Reply> {
  const body = { respondentId: someone(), surveyId: surveyOf(owner), ...fields };
  const headers = { host: 'canvass.example.com' };
  return from.call(deferredAskLink, { body, headers, secretKey: owner.secretKey });
}

const slugOf = (index: number) => tenant.surveys[index]?.content.slug;

describe('200', () => {
  it('returns a link that is valid for seven days, and the respondent it is for', async () => {
    const respondentId = someone();
    const { body } = await askFor({ respondentId, sessionId: 's-1', traceId: 't-1', taskType: 'refund' });
    expect(body).toEqual({
      ok: true,
      url: `https://canvass.example.com/l/${body.showToken}`,
      showToken: expect.stringMatching(/^[\w-]{1,1024}$/),
      issuedAt: '2026-11-20T09:30:00.000Z',
      expiresAt: '2026-11-27T09:30:00.000Z',
      surveyId: surveyOf(tenant),
      respondentId,
      sessionId: 's-1',
    });
  });

  it('accepts a slug, and returns null for a missing session', async () => {
    const { body } = await askFor({ surveyId: undefined, surveySlug: slugOf(0) });
    expect(body).toMatchObject({ ok: true, surveyId: surveyOf(tenant), sessionId: null });
  });

  it.each([
    ['1s', 1_000],
    ['90m', 90 * MINUTE],
    ['30d', 30 * DAY],
  ])('is valid for %s on request', async (expiresIn, lifetime) => {
    const { body } = await askFor({ expiresIn });
    expect(Date.parse(body.expiresAt) - Date.parse(body.issuedAt)).toBe(lifetime);
  });

  it("is valid for the project's default unless the request sets a time, and never longer than requested", async () => {
    const own = await service.tenant({ linkLifetimeMs: 2 * DAY });
    const lifetimeOf = async (fields: Fields) => {
      const { body } = await askFor(fields, service, own);
      return Date.parse(body.expiresAt) - Date.parse(body.issuedAt);
    };
    expect(await lifetimeOf({})).toBe(2 * DAY);
    expect(await lifetimeOf({ expiresIn: null })).toBe(2 * DAY);
    expect(await lifetimeOf({ expiresIn: '1h' })).toBe(HOUR);
  });

  it("uses the edge's address if there is one", async () => {
    const settings = { publicUrl: 'https://ask.example.com' };
    const behind = await createTestService({ table: service.table, config: settings });
    const { body } = await askFor({}, behind);
    expect(body.url).toBe(`https://ask.example.com/l/${body.showToken}`);
  });

  it('uses the address of an open edge when the request came through it, which shows that it works', async () => {
    const edge = { originSecrets: ['one'], isOpen: true };
    const settings = { publicUrl: 'https://ask.example.com', edge };
    const behind = await createTestService({ table: service.table, config: settings });
    const hostOf = async (headers: Record<string, string>) => {
      const body = { respondentId: someone(), surveyId: surveyOf(tenant) };
      const { secretKey } = tenant;
      const reply = await behind.call(deferredAskLink, { body, secretKey, headers });
      return new URL(reply.body.url).host;
    };
    const through = { 'x-origin-secret': 'one', 'x-viewer-address': '192.0.2.1' };
    expect(await hostOf(through)).toBe('ask.example.com');
    expect(await hostOf({})).not.toBe('ask.example.com');
  });

  it('contains a token that can be submitted like any other, without session values', async () => {
    const bound = { sessionId: 's-1', traceId: 't-1', observationId: 'o-1', taskType: 'refund' };
    const respondentId = someone();
    const { body } = await askFor({ respondentId, ...bound });
    const reply = await submit({ service, tenant }, body.showToken, { taskType: 'said otherwise' });
    expect(reply.status).toBe(201);
    const scores = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    expect(scores.body.scores).toMatchObject([{ id: reply.body.id, respondentId, verified: true, ...bound }]);
    const exported = await exportOf(service, tenant, { respondentId });
    expect(exported.body.responses).toMatchObject([{ ...bound, linked: true, source: 'sdk' }]);
    expect(codeOf(await submit({ service, tenant }, body.showToken))).toBe('409 token_used');
  });

  it('must match session values that are sent; without a session the answer is unlinked', async () => {
    const { body } = await askFor({ sessionId: 's-1' });
    const answer = (fields: Fields) => submit({ service, tenant }, body.showToken, fields);
    expect(codeOf(await answer({ sessionId: 's-2' }))).toBe('401 token_mismatch');
    expect((await answer({ sessionId: 's-1', traceId: 'claimed' })).status).toBe(201);
    const respondentId = someone();
    const { body: unbound } = await askFor({ respondentId });
    await submit({ service, tenant }, unbound.showToken, { sessionId: 'claimed' });
    const exported = await exportOf(service, tenant, { respondentId });
    expect(exported.body.responses).toMatchObject([{ linked: false, sessionId: 'claimed', verified: true }]);
  });

  it('drops and names an invalid taskType, also when there is no link', async () => {
    for (const taskType of ['x'.repeat(65), '', 7]) {
      const { status, body } = await askFor({ taskType, sessionId: 's-1' });
      expect([status, body.ok, body.dropped]).toEqual([200, true, ['taskType']]);
    }
    expect((await askFor({ taskType: 'refund' })).body).not.toHaveProperty('dropped');
    expect((await askFor({ taskType: 7, surveyId: tenant.surveys[1]?.id })).body).toEqual({
      ok: false,
      reason: 'not_active',
      dropped: ['taskType'],
      none: { [slugOf(1) ?? '']: 'inactive' },
    });
  });

  it('drops a taskType that makes the token too long, but refuses ids that do', async () => {
    const respondentId = 'x'.repeat(256);
    const taskType = 't'.repeat(64);
    const linkFor = (bytes: number) =>
      askFor({ respondentId, sessionId: 'y'.repeat(256), traceId: 'z'.repeat(bytes), taskType });
    expect(codeOf(await linkFor(256))).toBe('400 invalid_request');
    let bytes = 1;
    while ((await linkFor(bytes)).body.dropped === undefined) bytes += 32;
    const { status, body } = await linkFor(bytes);
    expect([status, body.ok, body.dropped]).toEqual([200, true, ['taskType']]);
    expect(body.showToken.length).toBeLessThanOrEqual(1_024);
    expect((await submit({ service, tenant }, body.showToken)).status).toBe(201);
    const exported = await exportOf(service, tenant, { respondentId });
    expect(exported.body.responses).toMatchObject([{ taskType: null, linked: true }]);
  });

  it("stays valid for its whole life, whatever the project's token lifetime and key rotations", async () => {
    const clock = createTestClock();
    const ring = { keys: [TEST_TOKEN_KEY] };
    const secrets = { ...createTestSecrets(), readTokenRing: async () => ring.keys };
    const rotating = await createTestService({ table: service.table, clock, secrets });
    const own = await rotating.tenant({ tokenLifetimeMs: HOUR, limits: NO_LIMITS });
    const links = [0, 1].map(() => askFor({ expiresIn: '30d' }, rotating, own));
    const [first, second] = (await Promise.all(links)).map(({ body }) => body.showToken);
    for (let day = 0; day < 30; day += 5) {
      const key = { id: anId().slice(0, 8), secret: new Uint8Array(32).fill(day) };
      ring.keys = [...rotateTokenRing(ring.keys, key, clock.now())];
      clock.advance(5 * DAY - (day === 25 ? 1 : 0));
    }
    expect((await submit({ service: rotating, tenant: own }, first)).status).toBe(201);
    clock.advance(1);
    expect(codeOf(await submit({ service: rotating, tenant: own }, second))).toBe('401 token_expired');
  });

  it('keeps an answer from its last day, even if others were folded in the meantime', async () => {
    const clock = createTestClock();
    const timed = await createTestService({ table: service.table, clock });
    const surveys = Array.from({ length: 9 }, () => aSurvey());
    const own = await timed.tenant({ limits: NO_LIMITS }, surveys);
    const [asked, ...others] = surveys;
    const { body } = await askFor({ respondentId: 'ann', expiresIn: '30d' }, timed, own);
    for (const { id } of others) {
      clock.advance(3 * DAY);
      await respond(timed, own, 'ann', { surveyId: id });
    }
    clock.advance(5 * DAY);
    const hash = respondentHash(TEST_HASH_SECRET, own.project.id, 'ann');
    await folds(timed.service).fold({ projectId: own.project.id, respondentHash: hash }, clock.now());
    expect(clock.now() - START).toBe(29 * DAY);
    expect((await submit({ service: timed, tenant: own }, body.showToken)).status).toBe(201);
    const boot = { key: own.publishableKey, userId: 'ann' };
    const { suppression } = (await timed.call(bootstrap, { body: boot })).body;
    expect(suppression.sort()).toEqual(surveys.map(({ id }) => id).sort());
    expect(suppression).toContain(asked?.id);
  });
});

it.each([
  ['no respondentId', { respondentId: undefined }, 'respondentId'],
  ['no survey', { surveyId: undefined }, 'surveySlug'],
  ['a survey by id and by slug', { surveySlug: 'one' }, 'surveySlug'],
  ['an empty sessionId', { sessionId: '' }, 'sessionId'],
  ['a lifetime in words', { expiresIn: 'a week' }, 'expiresIn'],
  ['a lifetime as a number', { expiresIn: 7 }, 'expiresIn'],
  ['no lifetime at all', { expiresIn: '0' }, 'expiresIn'],
  ['a lifetime beyond 30 days', { expiresIn: '31d' }, 'expiresIn'],
  ['one second beyond 30 days', { expiresIn: '2592001s' }, 'expiresIn'],
  [
    'ids that do not fit together',
    { respondentId: 'x'.repeat(256), sessionId: 'y'.repeat(256), traceId: 'z'.repeat(256) },
    '',
  ],
])('400 for %s', async (_, fields, path) => {
  const reply = await askFor(fields);
  expect(codeOf(reply)).toBe('400 invalid_request');
  expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
});

it('404 for an unknown survey, by id or slug, and for one of another project', async () => {
  const other = await service.tenant();
  for (const fields of [
    { surveyId: 'sv_unknown' },
    { surveyId: surveyOf(other) },
    { surveyId: undefined, surveySlug: 'unknown' },
  ])
    expect(codeOf(await askFor(fields))).toBe('404 survey_not_found');
});
