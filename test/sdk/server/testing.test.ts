import { describe, expect, it } from 'vitest';
import type { SurveyQuestion } from '../../../sdk/browser/client/survey.ts';
import type { AnswerableBinding, Rating } from '../../../sdk/server/answers.ts';
import { type CanvassClient, createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { CanvassError } from '../../../sdk/server/canvass-error.ts';
import { createFakeCanvassClient, createFakeService } from '../../../sdk/server/testing.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { useServedService } from '../../support/service/served-service.ts';

const { service, gateway } = await useServedService();

const CODES = ['reports', 'alerts'].map((code) => ({ code, label: code }));
const QUESTIONS: SurveyQuestion[] = [
  { id: 'use', kind: 'many', text: 'What for?', choices: CODES, ratings: [1] },
  { id: 'effort', kind: 'scale', text: 'How easy?', min: 0, max: 7 },
  { id: 'more', kind: 'text', text: 'Anything else?' },
];
const HELPFUL = { slug: 'helpful', type: 'thumbs', questions: QUESTIONS } as const;

async function realClient(): Promise<CanvassClient> {
  const { secretKey } = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, [
    aSurvey({}, HELPFUL),
  ]);
  return createCanvassClient({ baseUrl: gateway.url, secretKey });
}

const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof CanvassError)) throw new Error('it was not refused');
  const { code, status, details, issues } = error;
  return [code, status, details.kind ?? details.revision ?? issues.map(({ path }) => path).join()];
};

/** Both clients must pass, so that the fake cannot differ from the service. */
describe.each([
  ['the fake', async () => createFakeCanvassClient({ surveys: [HELPFUL] })],
  ['the service', realClient],
])('%s', (_, create) => {
  let people = 0;
  const bound = async (client: CanvassClient): Promise<AnswerableBinding> => {
    people += 1;
    const person = { respondentId: `person-${people}`, sessionId: 's', traceId: 't' };
    const { bindings } = await client.mintTokens(person);
    return bindings.helpful ?? expect.fail('nothing was minted');
  };

  it('mints bindings by slug, and the reason for an unknown survey', async () => {
    const client = await create();
    const asked = { respondentId: 'ann', sessionId: 's', taskType: 'refund', surveySlug: 'helpful' };
    const { bindings, tokens, none } = await client.mintTokens(asked);
    expect(bindings.helpful).toMatchObject({ slug: 'helpful', sessionId: 's', taskType: 'refund' });
    expect(tokens).toEqual({ [bindings.helpful?.surveyId ?? '']: bindings.helpful?.showToken });
    expect(none).toBeUndefined();
    const other = await client.mintTokens({ respondentId: 'ann', sessionId: 's', surveySlug: 'other' });
    expect(other).toMatchObject({ tokens: {}, bindings: {}, none: { other: 'unknown_survey' } });
  });

  it('uses a token once, and the refusal names how', async () => {
    const client = await create();
    const rated = await bound(client);
    await client.rate(rated, { rating: 0 });
    const dismissed = await bound(client);
    await client.dismiss(dismissed);
    for (const [binding, kind] of [
      [rated, 'response'],
      [dismissed, 'dismissal'],
    ] as const) {
      expect(await refusalOf(client.rate(binding, { rating: 1 }))).toEqual(['token_used', 409, kind]);
      expect(await refusalOf(client.dismiss(binding))).toEqual(['token_used', 401, kind]);
    }
    expect(await refusalOf(client.revise(dismissed, { revision: 1, rating: 1 }))).toEqual([
      'token_used',
      409,
      'dismissal',
    ]);
  });

  it('accepts the next revision or a repeat of the last, and then a withdrawal', async () => {
    const client = await create();
    const binding = await bound(client);
    const revise = (revision: number) => client.revise(binding, { revision, rating: 1 });
    expect(await refusalOf(revise(1))).toEqual(['response_not_found', 404, '']);
    const { id } = await client.rate(binding, { rating: 0, text: 'Wrong invoice' });
    for (let times = 0; times < 2; times++) expect(await revise(1)).toMatchObject({ id, revision: 1 });
    expect(await refusalOf(revise(3))).toEqual(['revision_conflict', 409, 1]);
    expect(await refusalOf(client.withdraw(binding, { revision: 1 }))).toEqual(['revision_conflict', 409, 1]);
    expect(await client.withdraw(binding, { revision: 2 })).toMatchObject({ id, revision: 2 });
  });

  it.each<[object, string[]]>([
    [{ use: ['alerts', 'reports'], effort: 0, more: null }, []],
    [{ use: ['x', 'alerts', 'y'], effort: 8, more: 'x'.repeat(1_001) }, ['use.0', 'use.2', 'effort', 'more']],
    [{ use: 'alerts', effort: '3', more: 3, role: 'dev' }, ['use', 'effort', 'more', 'role']],
    [{ use: ['x'] }, ['use.0']],
    [['alerts'], ['']],
  ])('drops and names the answers that do not fit a question: %j', async (sent, paths) => {
    const client = await create();
    const binding = await bound(client);
    const answers: Rating['answers'] = Object(sent);
    const named = paths.map((path) => (path === '' ? 'answers' : `answers.${path}`));
    const { dropped = [] } = await client.rate(binding, { rating: 1, answers });
    expect(dropped.toSorted()).toEqual(named.toSorted());
    const revised = await client.revise(binding, { revision: 1, rating: 0, answers: { use: ['alerts'] } });
    expect(revised).toMatchObject({ revision: 1, dropped: ['answers.use'] });
  });

  it('refuses invalid fields and unknown surveys, and takes the token of a link', async () => {
    const client = await create();
    const binding = await bound(client);
    expect(await refusalOf(client.rate(binding, { rating: 11 }))).toEqual(['invalid_request', 400, 'rating']);
    await expect(client.mintTokens({ respondentId: ' ', sessionId: 's' })).rejects.toThrow(TypeError);
    const link = { respondentId: 'ann', surveySlug: 'none' };
    expect(await refusalOf(client.deferredAskLink(link))).toEqual(['survey_not_found', 404, '']);
    const found = await client.deferredAskLink({ ...link, surveySlug: 'helpful' });
    if (!found.ok) throw new Error(found.reason);
    expect(await client.rate(found, { rating: 1 })).toMatchObject({ ok: true });
  });
});

it('records what was done, without tokens and sessions', async () => {
  const fake = createFakeCanvassClient<{ helpful: { type: 'thumbs'; reasons: never } }>();
  const { bindings } = await fake.mintTokens({ respondentId: 'ann', sessionId: 's' });
  const binding = bindings.helpful ?? expect.fail('nothing was minted');
  await fake.rate(binding, { rating: 0, text: 'Wrong invoice' });
  await fake.revise(binding, { revision: 1, rating: 1 });
  await fake.withdraw(binding, { revision: 2 });
  const surveyId = 'sv_helpful';
  expect(fake.answers).toEqual([
    { surveyId, rating: 0, text: 'Wrong invoice' },
    { surveyId, rating: 1, revision: 1 },
  ]);
  expect(fake.withdrawals).toEqual([{ surveyId, revision: 2 }]);
  expect(fake.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/sdk/tokens',
    'POST /v1/sdk/responses',
    'POST /v1/sdk/revisions',
    'POST /v1/sdk/revisions',
  ]);
});

it('records the answers to questions that it keeps', async () => {
  const fake = createFakeCanvassClient({ surveys: [HELPFUL] });
  const { bindings } = await fake.mintTokens({ respondentId: 'ann', sessionId: 's' });
  const answers = { use: ['alerts', 'x', 'reports'], more: ' ', role: 'dev' };
  await fake.rate(bindings.helpful ?? expect.fail('nothing was minted'), { rating: 1, answers });
  const kept = { use: ['reports', 'alerts'], more: null };
  expect(fake.answers).toEqual([{ surveyId: 'sv_helpful', rating: 1, answers: kept }]);
});

it('asks no one who is suppressed', async () => {
  const fake = createFakeCanvassClient();
  fake.suppressed.push('ann');
  const { bindings, none } = await fake.mintTokens({ respondentId: 'ann', sessionId: 's' });
  expect([bindings, none]).toEqual([{}, { helpful: 'suppressed' }]);
  expect(await fake.deferredAskLink({ respondentId: 'ann', surveySlug: 'helpful' })).toMatchObject({
    ok: false,
    reason: 'suppressed',
  });
});

it("gives a test's replies and refusals once, without retries", async () => {
  const fake = createFakeCanvassClient();
  expect(await refusalOf(fake.surveys())).toEqual(['not_found', 404, '']);
  const issues = [{ path: 'from', message: 'must be a day' }];
  const refused = new CanvassError('No.', {
    status: 503,
    code: 'temporarily_unavailable',
    issues,
    retryAfter: 2,
  });
  fake.replies['/v1/results'] = refused;
  await expect(fake.results({ surveySlug: 'a' })).rejects.toMatchObject({
    message: refused.message,
    issues,
    retryAfter: 2,
  });
  fake.replies['/v1/results'] = new CanvassError('Lost.', { status: 0, code: 'network_error' });
  expect(await refusalOf(fake.results({ surveySlug: 'a' }))).toEqual(['network_error', 0, '']);
  fake.replies['/v1/results/comments'] = ({ cursor }) =>
    cursor === undefined ? { comments: [{ text: 'a' }], nextCursor: 'c' } : { comments: [{ text: 'b' }] };
  const texts: (string | null)[] = [];
  for await (const { text } of fake.eachComment({ surveySlug: 'a' })) texts.push(text);
  expect(texts).toEqual(['a', 'b']);
  const [first, ...others] = fake.calls.filter(({ path }) => path === '/v1/results');
  expect([first?.sent, others.length]).toEqual([{ surveySlug: 'a' }, 1]);
});

it('uses up the token of an answer whose reply a test set, and of no failed one', async () => {
  const fake = createFakeCanvassClient();
  const binding = { surveyId: 'sv_helpful', showToken: 't' };
  fake.replies['/v1/sdk/responses'] = new CanvassError('Busy.', { status: 429, code: 'rate_limited' });
  expect(await refusalOf(fake.rate(binding, { rating: 1 }))).toEqual(['rate_limited', 429, '']);
  expect(await refusalOf(fake.revise(binding, { revision: 1, rating: 1 }))).toContain('response_not_found');
  fake.replies['/v1/sdk/responses'] = { ok: true, id: 'mine', at: 'now', dropped: ['reasons.0'] };
  expect(await fake.rate(binding, { rating: 1 })).toMatchObject({ id: 'mine' });
  expect(await fake.revise(binding, { revision: 1, rating: 0 })).toMatchObject({ revision: 1 });
});

it('replies in the form of the contract', async () => {
  const fake = createFakeService({ surveys: [{ slug: 'nps', type: 'nps' }, 'helpful'] });
  const session = { respondentId: 'ann', sessionId: 's' };
  const use = { surveyId: 'sv_nps', showToken: 't' };
  for (const [{ path, success }, body] of [
    [routes.bootstrap, { key: 'svc_pk_1' }],
    [routes.mintTokens, session],
    [routes.mintTokens, { ...session, surveySlug: 'other' }],
    [routes.deferredAskLink, { ...session, surveySlug: 'nps' }],
    [routes.submitResponse, { ...use, rating: 1 }],
    [routes.reviseResponse, { ...use, revision: 1, rating: 2 }],
    [routes.submitDismissal, { ...use, showToken: 'other' }],
    [routes.submitImpression, use],
  ] as const) {
    const request = new Request(`https://a.test${path}`, { method: 'POST', body: JSON.stringify(body) });
    const reply = await (await fake.handle(request)).json();
    const { error } = success.schema().safeParse(reply);
    expect([path, error]).toEqual([path, undefined]);
  }
});
