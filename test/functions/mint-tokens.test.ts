import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answerLink } from '../../functions/answer-link.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { getResults } from '../../functions/get-results.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { onChange } from '../../functions/on-change.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { projectTotalKey, surveyTotalKey } from '../../shared/data/table/schema.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { DEFAULT_LIMITS, type ProjectLimits } from '../../shared/domain/project.ts';
import type { NONE_REASONS } from '../../shared/domain/surveys/eligibility.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { insertsOf } from '../support/fixtures/a-stream.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { revise } from '../support/fixtures/revising.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { seedShows } from '../support/fixtures/shown.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Reply, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
  aSurvey(),
  aSurvey(),
  aSurvey({ status: 'paused' }),
]);

function mint(fields: Record<string, unknown> = {}, { secretKey } = tenant): Promise<Reply> {
  const body = { respondentId: someone(), sessionId: 'session-1', ...fields };
  return service.call(mintTokens, { body, secretKey });
}

const active = () => tenant.surveys.slice(0, 2).map(({ id }) => id);

describe('200', () => {
  it('mints a token for every active survey', async () => {
    const { body } = await mint();
    expect(Object.keys(body.tokens).sort()).toEqual(active().sort());
    expect(body).toMatchObject({ suppression: [], issuedAt: '2026-11-20T09:30:00.000Z' });
    expect(body).not.toHaveProperty('none');
  });

  it('mints for one survey, and none for a survey that is unknown, inactive or of another project', async () => {
    const [first = '', , paused] = tenant.surveys.map(({ id }) => id);
    expect(Object.keys((await mint({ surveyId: first })).body.tokens)).toEqual([first]);
    for (const surveyId of [paused, 'sv_unknown', surveyOf(await service.tenant())]) {
      const reply = await mint({ surveyId });
      expect([reply.status, reply.body.tokens]).toEqual([200, {}]);
    }
  });

  it('mints for a survey by slug, and none, without an error, for an unknown slug', async () => {
    const [first] = tenant.surveys;
    const slug = first?.content.slug ?? '';
    expect(Object.keys((await mint({ surveySlug: slug })).body.tokens)).toEqual([first?.id]);
    const paused = tenant.surveys[2]?.content.slug;
    for (const surveySlug of [paused, 'unknown', 'No Slug Looks So']) {
      const { status, body } = await mint({ surveySlug });
      expect([status, body.tokens, body.bindings]).toEqual([200, {}, {}]);
    }
  });

  it('returns a binding that is all the browser has to send, and makes a linked answer', async () => {
    const bound = { sessionId: 's-1', traceId: 't-1', observationId: 'o-1', taskType: 'refund' };
    const { id: surveyId, content } = tenant.surveys[0] ?? aSurvey();
    const { slug } = content;
    const { body } = await mint({ surveySlug: slug, ...bound });
    const binding = body.bindings[slug];
    expect(body.bindings).toEqual({ [slug]: { surveyId, slug, showToken: body.tokens[surveyId], ...bound } });
    const { slug: _, showToken, ...session } = binding;
    expect((await submit({ service, tenant }, showToken, session)).status).toBe(201);
  });

  it('puts exactly the given values into a binding', async () => {
    const { body } = await mint();
    const slugs = tenant.surveys.slice(0, 2).map(({ content }) => content.slug);
    expect(Object.keys(body.bindings).sort()).toEqual(slugs.sort());
    for (const [slug, binding] of Object.entries<Record<string, string>>(body.bindings)) {
      const { surveyId = '', showToken } = binding;
      expect(binding).toEqual({ surveyId, slug, showToken, sessionId: 'session-1' });
      expect(body.tokens[surveyId]).toBe(showToken);
    }
  });

  it.each([
    ['is too long', 'x'.repeat(65)],
    ['has a lone surrogate', '\ud83d'],
    ['is empty', ''],
    ['is not a text', { kind: 'refund' }],
  ])('drops and names a taskType that %s, and mints everything else', async (_, taskType) => {
    const { status, body } = await mint({ taskType, traceId: 't-1' });
    expect([status, body.dropped]).toEqual([200, ['taskType']]);
    expect(Object.keys(body.tokens).sort()).toEqual(active().sort());
    for (const binding of Object.values(body.bindings)) {
      expect(binding).toMatchObject({ traceId: 't-1' });
      expect(binding).not.toHaveProperty('taskType');
    }
  });

  it('issues tokens that are used up separately: two for one person and survey give two answers', async () => {
    const respondentId = someone();
    const tokens = [
      await boundTokenOf(service, tenant, { respondentId }),
      await showTokenOf(service, tenant, { userId: respondentId }),
    ];
    for (const token of tokens) {
      const body = aSubmission(tenant, token, { sessionId: 'session-1' });
      expect((await service.call(submitResponse, { body })).status).toBe(201);
    }
    expect((await mint({ respondentId })).body.suppression).toEqual([surveyOf(tenant)]);
  });
});

interface Asked {
  readonly status?: 'paused';
  readonly repeat?: 'observation';
  readonly limits?: Partial<ProjectLimits>;
  readonly maxResponses?: number;
  /** Days since the answers to another survey. */
  readonly answered?: readonly number[];
  /** Other answers, which are not folded. */
  readonly unfolded?: number;
  readonly isDismissed?: boolean;
  readonly shows?: number;
}

/** The tests of surveys that people open have `answered_often`. */
const REASONS: Record<Exclude<(typeof NONE_REASONS)[number], 'unknown_survey' | 'answered_often'>, Asked> = {
  inactive: { status: 'paused' },
  unbound: { repeat: 'observation' },
  suppressed: { isDismissed: true },
  history_too_long: { unfolded: 400 },
  quiet_period: { answered: [1] },
  monthly_cap: { answered: [9, 10, 11] },
  shown_often: { shows: 3 },
  survey_maximum: { maxResponses: 1 },
  project_quota: { limits: { monthlyQuota: 1 } },
};

describe('the reason why there is no token', () => {
  it.each(Object.entries(REASONS))(
    'is %s, by mint and by link, and not in bootstrap',
    async (rule, asked) => {
      const { status = 'active', repeat, limits, maxResponses, answered = [], unfolded = 0 } = asked;
      const asking = aSurvey({ status, repeat, limits: { maxResponses } });
      const own = await service.tenant({ limits: { ...DEFAULT_LIMITS, ...limits } }, [asking]);
      const { secretKey, publishableKey, project } = own;
      const [{ id: surveyId, content } = asking] = own.surveys;
      const { slug } = content;
      const now = service.clock.now();
      const respondentId = someone();
      const past = { projectId: project.id, surveyIds: ['sv_gone'], respondentOf: () => respondentId };
      const momentOf = (index: number) => now - (answered[index] ?? 40) * DAY;
      await seedAnswers(service.table, { ...past, momentOf, count: answered.length + unfolded });
      const shown = Array.from({ length: asked.shows ?? 0 }, (_, index) => now - index);
      await seedShows(service, { projectId: project.id, surveyId, respondentId }, shown);
      if (asked.isDismissed) await dismiss(service, own, respondentId);
      const { table } = service.table;
      await table.update(surveyTotalKey(project.id, surveyId), { add: { responses: 1 } });
      await table.update(projectTotalKey(project.id), { add: { 'month:2026-11': 1 } });
      const fresh = await createTestService({ table: service.table });
      const post = (endpoint: Parameters<typeof service.call>[0], fields: object) =>
        fresh.call(endpoint, { secretKey, body: { respondentId, ...fields } });

      const none = { [slug]: rule };
      for (const named of [{ surveySlug: slug }, { surveyId }, {}]) {
        const { status: code, body } = await post(mintTokens, { sessionId: 's', ...named });
        expect([code, body.tokens, body.bindings]).toEqual([200, {}, {}]);
        const isListed = rule !== 'inactive' || Object.keys(named).length > 0;
        expect(body.none).toEqual(isListed ? none : undefined);
      }
      const reason = rule === 'inactive' ? 'not_active' : rule;
      expect((await post(deferredAskLink, { surveyId })).body).toEqual({ ok: false, reason, none });
      const shownTo = await fresh.call(bootstrap, { body: { key: publishableKey, userId: respondentId } });
      expect(Object.keys(shownTo.body).sort()).toEqual(['showTokens', 'suppression', 'surveys']);
    },
  );

  it('is unknown_survey for an id or slug that the project does not have', async () => {
    const other = surveyOf(await service.tenant());
    for (const named of [{ surveySlug: 'nope' }, { surveySlug: '__proto__' }, { surveyId: other }]) {
      const { body } = await mint(named);
      expect(Object.entries(body.none)).toEqual([[Object.values(named)[0], 'unknown_survey']]);
    }
  });
});

it.each([
  ['no respondentId', { respondentId: null }, 'respondentId'],
  ['no sessionId', { sessionId: undefined }, 'sessionId'],
  ['a sessionId of 257 bytes', { sessionId: `${'ü'.repeat(128)}x` }, 'sessionId'],
  ['a respondentId with a lone surrogate', { respondentId: '\ud83d' }, 'respondentId'],
  ['a numeric observationId', { observationId: 1 }, 'observationId'],
  ['an empty traceId', { traceId: '' }, 'traceId'],
  ['an empty surveyId', { surveyId: '' }, 'surveyId'],
  ['an empty surveySlug', { surveySlug: '' }, 'surveySlug'],
  ['a permission that is a text', { allowModelRequested: 'yes' }, 'allowModelRequested'],
  ['a survey by id and by slug', { surveyId: 'sv_1', surveySlug: 'one' }, 'surveySlug'],
])('400 for %s', async (_, fields, path) => {
  const reply = await mint(fields);
  expect(codeOf(reply)).toBe('400 invalid_request');
  expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
});

const LABELS = { model: 'large-2', arm: 'b' };

const NONE = { labels: null, channel: null };

const labeled = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, [
  aSurvey({ repeat: 'session' }),
]);
const stream = openTestStream(service.table);
afterAll(() => stream.close());
const mintLabeled = (fields: object = {}) => mint({ ...fields }, labeled);

function answer(showToken: string, fields: object = {}, secretKey?: string): Promise<Reply> {
  const sent = { sessionId: 'session-1', rating: 2, ...fields };
  if (secretKey === undefined) return submit({ service, tenant: labeled }, showToken, sent);
  const body = { surveyId: surveyOf(labeled), showToken, ...sent };
  return service.call(submitResponse, { body, secretKey });
}

async function readEverywhere(id: string) {
  const { secretKey } = labeled;
  const [surveyId, limit] = [surveyOf(labeled), '100'];
  const [{ body: exported }, { body: said }, { body: pending }] = await Promise.all([
    exportOf(service, labeled),
    service.call(listComments, { secretKey, query: { surveyId, withText: 'false', limit } }),
    service.call(listPendingScores, { secretKey, query: { limit } }),
  ]);
  await onChange(service.service)({ Records: await stream.read() });
  const lists = [exported.responses, said.comments, pending.scores];
  const of = ({ labels, channel }: { labels: unknown; channel: unknown }) => ({ labels, channel });
  const rows = lists.map((rows) => of(rows.find((row: { id: string }) => row.id === id)));
  const told = service.events.filter(({ detail }) => detail.answerId === id).at(-1)?.detail;
  return [...rows, { labels: told?.labels, channel: told?.channel }];
}

/** See docs/contract.md §9.7. */
describe('200 with labels in a token', () => {
  it('stores, exports, lists, sends and pushes them, and ignores those of a page', async () => {
    const { body: minted } = await mintLabeled({ labels: LABELS });
    expect(minted.dropped).toBeUndefined();
    expect(JSON.stringify(minted.bindings)).not.toContain('large-2');
    const claimed = { labels: { model: 'small', extra: 'x' }, channel: 'slack', traits: { model: 'small' } };
    const { body: stored } = await answer(minted.tokens[surveyOf(labeled)], claimed);
    expect(stored.dropped).toEqual(['channel']);
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: null }));

    const { body: plain } = await answer((await mintLabeled()).body.tokens[surveyOf(labeled)], claimed);
    expect(await readEverywhere(plain.id)).toEqual(Array(4).fill(NONE));
    const revision = { revision: 1, rating: 4, sessionId: 'session-1', ...claimed };
    await revise({ service, tenant: labeled }, minted.tokens[surveyOf(labeled)], revision);
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: null }));
  });

  it('lets a server name its channel, and drops and names an invalid one', async () => {
    const { secretKey } = labeled;
    const tokenOf = async () => (await mintLabeled({ labels: LABELS })).body.tokens[surveyOf(labeled)];
    const { body: stored } = await answer(await tokenOf(), { channel: 'slack' }, secretKey);
    expect(stored.dropped).toBeUndefined();
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: 'slack' }));
    for (const channel of ['Slack', '', 7, `s${'l'.repeat(32)}`]) {
      const { status, body } = await answer(await tokenOf(), { channel }, secretKey);
      expect([status, body.dropped]).toEqual([201, ['channel']]);
    }
  });

  it('never fails because of a label: invalid ones and those without room are dropped and named', async () => {
    const { body } = await mintLabeled({
      labels: { ...LABELS, Bad: 'x', empty: '', nested: {}, c: '1', d: '2', e: '3' },
    });
    expect(body.dropped.sort()).toEqual(['labels.Bad', 'labels.e', 'labels.empty', 'labels.nested']);
    expect((await mintLabeled({ labels: ['x'] })).body.dropped).toEqual(['labels']);

    const long = (letter: string) => letter.repeat(64);
    const many = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((each) => [`${each}${'-'.repeat(31)}`, long(each)]),
    );
    const { body: full } = await mintLabeled({
      respondentId: `${someone()}-${'r'.repeat(240)}`,
      taskType: long('t'),
      traceId: 't-1',
      labels: { ...many },
      allowModelRequested: true,
    });
    const [token] = Object.values<string>(full.tokens);
    expect(token?.length).toBeLessThanOrEqual(1_024);
    expect(full.dropped).toEqual([`labels.d${'-'.repeat(31)}`]);
    expect(full.bindings[labeled.surveys[0]?.content.slug ?? ''].taskType).toBe(long('t'));
  });

  it('erases them with the answer', async () => {
    const respondentId = someone();
    const { body } = await mintLabeled({ respondentId, labels: { secret: 'ERASED-LABEL' } });
    await answer(body.tokens[surveyOf(labeled)], { channel: 'erased-channel' }, labeled.secretKey);
    await service.call(erase, { secretKey: labeled.secretKey, query: { respondentId } });
    expect(JSON.stringify(await scanAll(service.table, labeled.project.id))).not.toMatch(
      /ERASED-LABEL|erased-channel/,
    );
  });
});

describe('200 with labels in a link', () => {
  const askFor = (fields: object) => {
    const body = { respondentId: someone(), surveyId: surveyOf(labeled), sessionId: 'session-1', ...fields };
    return service.call(deferredAskLink, { body, secretKey: labeled.secretKey });
  };

  it('adds them to the answer, whether from the form or a server', async () => {
    const { body: link } = await askFor({ labels: LABELS });
    expect(link.dropped).toBeUndefined();
    const { status } = await service.call(answerLink, {
      path: `/l/${link.showToken}`,
      rawBody: 'rating=3&labels=x&channel=slack',
    });
    expect(status).toBe(200);
    const { body } = await exportOf(service, labeled, { respondentId: link.respondentId });
    expect(body.responses).toMatchObject([{ rating: 3, labels: LABELS, channel: null, linked: true }]);

    const { body: other } = await askFor({ labels: LABELS });
    const { body: stored } = await answer(other.showToken, { channel: 'mail' }, labeled.secretKey);
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: 'mail' }));
  });

  it('fits ids first, then the task type, then labels in their order', async () => {
    const ids = { respondentId: `${someone()}-${'r'.repeat(200)}`, sessionId: 's'.repeat(220) };
    const { body } = await askFor({
      ...ids,
      traceId: 't'.repeat(120),
      taskType: 't'.repeat(50),
      labels: { long: 'x'.repeat(64), a: '1', b: '2' },
    });
    expect([body.ok, body.dropped]).toEqual([true, ['labels.long']]);
  });
});

const ASKED = { sessionId: 'session-1', identityKind: 'model-requested' };

let asked: Tenant;
beforeEach(async () => {
  asked = await service.tenant({ limits: NO_LIMITS }, [aSurvey()]);
});

const tokenFor = async (fields: Record<string, unknown>): Promise<string> =>
  (await mint(fields, asked)).body.tokens[surveyOf(asked)];

const modelToken = () => tokenFor({ allowModelRequested: true });

const said = (token: string, fields: Record<string, unknown> = {}) =>
  submit({ service, tenant: asked }, token, { ...ASKED, rating: 3, text: 'a model asked', ...fields });

describe('minting', () => {
  it('with permission, gives the token a head that any base64 decoder reads, and bindings carry it', async () => {
    const body = { respondentId: someone(), sessionId: 's', allowModelRequested: true };
    const { body: minted } = await service.call(mintTokens, { secretKey: asked.secretKey, body });
    const token: string = minted.tokens[surveyOf(asked)];
    const [head, sealed, ...rest] = token.split('.');
    expect(atob(head ?? '')).toBe('{"amr":true}');
    expect([sealed, rest]).toEqual([expect.stringMatching(/^[\w-]{50,}$/), []]);
    const [binding] = Object.values<Record<string, string>>(minted.bindings);
    expect(binding?.showToken).toBe(token);
  });

  it('without permission, or with false, adds no head', async () => {
    for (const fields of [{}, { allowModelRequested: false }, { allowModelRequested: null }])
      expect(await tokenFor(fields)).not.toContain('.');
  });
});

describe('submitting', () => {
  it('needs a token with permission: others are a mismatch and stay valid', async () => {
    for (const token of [await showTokenOf(service, asked), await tokenFor({})]) {
      expect(codeOf(await said(token))).toBe('401 token_mismatch');
      expect((await said(token, { identityKind: 'identified' })).status).toBe(201);
    }
  });

  it('rejects a token whose head was added or removed, and uses nothing up', async () => {
    const token = await modelToken();
    const [head = '', sealed = ''] = token.split('.');
    expect(codeOf(await said(sealed))).toBe('401 invalid_token');
    expect(codeOf(await said(sealed, { identityKind: 'identified' }))).toBe('401 invalid_token');
    expect(codeOf(await said(`${head}.${await tokenFor({})}`))).toBe('401 invalid_token');
    expect((await said(token)).status).toBe(201);
    expect(codeOf(await said(token))).toBe('409 token_used');
  });
});

it('keeps them apart: export and scores name the kind, and results count them separately', async () => {
  const respondentId = someone();
  const id = (await said(await tokenFor({ respondentId, allowModelRequested: true }))).body.id;
  service.clock.advance(1);
  await said(await tokenFor({}), { identityKind: 'identified', rating: 9, text: 'unasked' });
  const { secretKey } = asked;

  const exported = await exportOf(service, asked, { respondentId });
  expect(exported.body.responses).toMatchObject([{ id, identityKind: 'model-requested', linked: true }]);
  const { body: pending } = await service.call(listPendingScores, { secretKey });
  expect(pending.scores).toMatchObject([
    { id, identityKind: 'model-requested' },
    { identityKind: 'identified' },
  ]);

  await onChange(service.service)(await insertsOf(service.table, asked.project.id));
  const query = { surveyId: surveyOf(asked), segment: 'identityKind' };
  const { body: results } = await service.call(getResults, { secretKey, query });
  expect(results).toMatchObject({ responses: 1, modelRequested: 1, comments: 1, score: { value: 100 } });
  expect(results.segments).toMatchObject([
    { value: 'identified', responses: 1 },
    { value: 'anon-device', responses: 0 },
    { value: 'anon-conversation', responses: 0 },
  ]);
  const comments = await service.call(listComments, { secretKey, query: { surveyId: surveyOf(asked) } });
  expect(comments.body.comments.map((each: Record<string, string>) => each.identityKind).sort()).toEqual([
    'identified',
    'model-requested',
  ]);

  // Model-requested answers also suppress the survey.
  const body = { key: asked.publishableKey, userId: respondentId };
  const { body: shown } = await service.call(bootstrap, { body });
  expect(shown.suppression).toEqual([surveyOf(asked)]);
});
