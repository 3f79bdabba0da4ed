import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { secrets } from '../../functions/runtime/compose.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { respondentPartition } from '../../shared/data/table/schema.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const service = await createTestService();
const TYPES = 'thumbs,person';
const feedback = aSurvey({}, { slug: 'feedback', trigger: 'person' });
const nps = aSurvey({}, { slug: 'recommend' });

let tenant: Tenant;
beforeEach(async () => {
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [feedback, nps]);
});

const boot = async (userId: string | undefined, fields: object = {}, over = service) => {
  const body = { key: tenant.publishableKey, userId, types: TYPES, ...fields };
  return (await over.call(bootstrap, { body })).body;
};
const open = async (userId: string) =>
  (await boot(userId, { open: 'feedback' })).showTokens[surveyOf(tenant)];
const answer = async (userId: string, showToken?: string) =>
  codeOf(await submit({ service, tenant }, showToken ?? (await open(userId))));
const isNpsAsked = async (userId: string) => Object.keys((await boot(userId)).showTokens).length === 1;

describe('a survey that the person opens', () => {
  it('is listed without a token, for clients that name `person`', async () => {
    const { surveys, showTokens } = await boot('ann');
    expect(surveys).toContainEqual(expect.objectContaining({ slug: 'feedback', trigger: 'person' }));
    expect(Object.keys(showTokens)).toEqual([tenant.surveys[1]?.id]);
    for (const fields of [{}, { open: 'feedback' }]) {
      const slugs = (await boot('ann', { ...fields, types: 'thumbs' })).surveys.map(
        ({ slug }: { slug: string }) => slug,
      );
      expect(slugs).not.toContain('feedback');
    }
  });

  it('gets a token when it is opened, and its reply has no other survey', async () => {
    const reply = await boot('ann', { open: 'feedback' });
    expect(Object.keys(reply.showTokens)).toEqual([surveyOf(tenant)]);
    expect(reply).toMatchObject({ surveys: [{ slug: 'feedback' }], suppression: [], impressions: false });
    for (const slug of ['recommend', 'nope', '__proto__', ''])
      expect(await boot('ann', { open: slug })).toMatchObject({ surveys: [], showTokens: {} });
    expect(await boot(undefined, { open: 'feedback' })).not.toHaveProperty('showTokens');
  });

  it('is opened with one read of at most ten keys', async () => {
    const { client, take } = createRecordingClient(service.table.endpoint);
    const warm = await createTestService({ table: service.table, clock: service.clock, client });
    await boot('ann', { open: 'feedback' }, warm);
    take();
    await boot('ann', { open: 'feedback' }, warm);
    expect(take()).toHaveLength(1);
  });

  it('ignores every other answer and dismissal, and counts for none of the rules', async () => {
    const person = someone();
    expect(await answer(person)).toBe('201 recorded');
    expect(await isNpsAsked(person)).toBe(true);
    expect((await boot(person)).suppression).toEqual([]);
    await dismiss(service, { ...tenant, surveys: tenant.surveys.slice(1) }, person);
    expect(await isNpsAsked(person)).toBe(false);
    expect(await answer(person)).toBe('201 recorded');
    expect((await boot(person)).suppression).toEqual([tenant.surveys[1]?.id]);
  });

  it('records no impression', async () => {
    const body = { surveyId: surveyOf(tenant), showToken: await open('ann'), key: tenant.publishableKey };
    for (let shown = 0; shown < 9; shown += 1)
      expect((await service.call(submitImpression, { body })).status).toBe(201);
    expect(await answer('ann')).toBe('201 recorded');
  });

  it('leaves nothing after an erasure except the used tokens', async () => {
    const person = someone();
    const showToken = await open(person);
    expect(await answer(person, showToken)).toBe('201 recorded');
    const query = { respondentId: person };
    expect((await service.call(erase, { secretKey: tenant.secretKey, query })).status).toBe(200);
    expect(await answer(person, showToken)).toBe('409 token_used');
    expect(await isNpsAsked(person)).toBe(true);
    const hash = respondentHash(await secrets(service.service).hashSecret(), tenant.project.id, person);
    const { rows } = await service.table.table.page({
      partition: respondentPartition(tenant.project.id, hash),
    });
    const suppression = rows.find(({ type }) => type === 'suppression');
    expect(JSON.stringify(suppression)).not.toContain(surveyOf(tenant));
  });
});

describe('one person and day', () => {
  it('has at most ten answers, from tokens of the page, of servers and of links together', async () => {
    const person = someone();
    const [first, second] = [await open(person), await open(person)];
    expect(await answer(person, first)).toBe('201 recorded');
    for (let count = 1; count < 10; count += 1) expect(await answer(person)).toBe('201 recorded');
    expect(await boot(person, { open: 'feedback' })).toMatchObject({ surveys: [{}], showTokens: {} });
    expect(await answer(person, second)).toBe('409 token_used');
    const asking = { respondentId: person, surveyId: surveyOf(tenant) };
    const post = async (endpoint: typeof mintTokens, body: object) =>
      (await service.call(endpoint, { secretKey: tenant.secretKey, body })).body;
    const none = { feedback: 'answered_often' };
    expect(await post(mintTokens, { ...asking, sessionId: 's' })).toMatchObject({ tokens: {}, none });
    expect(await post(deferredAskLink, asking)).toMatchObject({ ok: false, reason: 'answered_often' });
    service.clock.advance(DAY);
    expect(await answer(person)).toBe('201 recorded');
    const minted = await post(mintTokens, { ...asking, sessionId: 's' });
    expect(
      codeOf(await submit({ service, tenant }, minted.tokens[surveyOf(tenant)], { sessionId: 's' })),
    ).toBe('201 recorded');
    expect(await post(deferredAskLink, asking)).toMatchObject({ ok: true });
  });

  it('tells a client whether its own token or another one stored the answer', async () => {
    const person = someone();
    const mine = await open(person);
    service.clock.advance(1);
    const other = await open(person);
    expect(await answer(person, mine)).toBe('201 recorded');
    const detailsOf = async (showToken: string) =>
      (await submit({ service, tenant }, showToken)).body.error.details;
    expect(await detailsOf(mine)).not.toHaveProperty('by');
    expect(await detailsOf(other)).toMatchObject({ kind: 'response', by: 'other-token' });
  });
});
