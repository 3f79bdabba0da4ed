import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { getResults } from '../../functions/get-results.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { onChange } from '../../functions/on-change.ts';
import { secrets } from '../../functions/runtime/compose.ts';
import { imports } from '../../functions/runtime/parts/answers.ts';
import { projects, surveys } from '../../functions/runtime/parts/projects.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { respondentPartition } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { insertsOf } from '../support/fixtures/a-stream.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { keptFor, sweepExpired } from '../support/fixtures/expiring.ts';
import { exportedOf, revise } from '../support/fixtures/revising.ts';
import { show } from '../support/fixtures/shown.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { someone, surveyOf } from '../support/fixtures/tokens.ts';
import { hs256, identitySecretOf, SOON } from '../support/fixtures/user-tokens.ts';
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
const post = async (endpoint: typeof mintTokens, body: object) =>
  (await service.call(endpoint, { secretKey: tenant.secretKey, body })).body;
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

const rowsOf = async (respondentId: string) =>
  (await service.call(exportResponses, { secretKey: tenant.secretKey, query: { respondentId } })).body
    .responses;

async function setTrigger(trigger: SurveyContent['trigger']): Promise<void> {
  const record = await projects(service.service).read(tenant.project.id);
  const updated = (record?.surveys ?? [])
    .filter(({ id }) => id === surveyOf(tenant))
    .map((survey) => ({ ...survey, content: { ...survey.content, trigger } }));
  const changes = { created: [], updated };
  expect(await surveys(service.service).write(tenant.project.id, changes, record?.surveysVersion)).toBe(true);
  service.clock.advance(31 * SECOND);
}

describe('tokens with one number', () => {
  it('store one answer at a time and ten a day, however many are sent at once', async () => {
    const person = '__proto__';
    const stale: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const held = await Promise.all([1, 2, 3].map(() => open(person)));
      const outcomes = await Promise.all([...held, ...stale].map((token) => answer(person, token)));
      expect(outcomes.filter((outcome) => outcome === '201 recorded')).toHaveLength(1);
      stale.push(...held);
    }
    expect(await open(person)).toBeUndefined();
    expect(new Set((await rowsOf(person)).map(({ id }: { id: string }) => id)).size).toBe(10);
  });

  it('count on the day of their issue, also if they are answered after midnight', async () => {
    const person = someone();
    service.clock.advance(DAY - (service.clock.now() % DAY) - 1);
    for (let count = 0; count < 9; count += 1) expect(await answer(person)).toBe('201 recorded');
    const late = [await open(person), await open(person)];
    service.clock.advance(1);
    expect(await answer(person, late[0])).toBe('201 recorded');
    expect(await answer(person, late[1])).toBe('409 token_used');
    for (let count = 0; count < 10; count += 1) expect(await answer(person)).toBe('201 recorded');
    expect(await open(person)).toBeUndefined();
  });

  it('neither revise nor withdraw the answer of another', async () => {
    const person = someone();
    const other = await open(person);
    service.clock.advance(1);
    const mine = await open(person);
    expect(await answer(person, mine)).toBe('201 recorded');
    const caller = { service, tenant };
    for (const change of [{ rating: 1, followUpRequested: true }, { rating: 1 }, { withdraw: true }])
      expect(codeOf(await revise(caller, other, { revision: 1, ...change }))).toBe('404 response_not_found');
    expect(codeOf(await revise(caller, mine, { revision: 1, rating: 3 }))).toBe('200 recorded');
    expect(await exportedOf(caller, person)).toMatchObject({ rating: 3, revision: 1 });
  });

  it('stay used after an erasure or a sweep, also those of a link for 30 days', async () => {
    tenant = await service.tenant({ retention: keptFor('35d'), tokenLifetimeMs: DAY }, [feedback]);
    const [erased, swept] = [someone(), someone()];
    const linkTo = async (respondentId: string): Promise<string> =>
      (await post(deferredAskLink, { respondentId, surveyId: surveyOf(tenant), expiresIn: '30d' })).showToken;
    const links = [await linkTo(erased), await linkTo(swept)] as const;
    for (const person of [erased, swept]) expect(await answer(person)).toBe('201 recorded');
    service.clock.advance(2 * DAY);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: erased } });
    service.clock.advance(27 * DAY);
    expect(await answer(erased, links[0])).toBe('409 token_used');
    expect(await answer(swept)).toBe('201 recorded');
    service.clock.advance(9 * DAY);
    expect(await sweepExpired(service, tenant.project.id)).toMatchObject({ expired: 1 });
    expect(await rowsOf(swept)).toHaveLength(1);
    expect(await answer(swept, links[1])).toBe('401 token_expired');
  });
});

describe('a change of the trigger', () => {
  it('leaves earlier answers where they count, in both directions', async () => {
    await setTrigger('auto');
    const [before, after] = [someone(), someone()];
    const ofAuto = (await boot(before)).showTokens[surveyOf(tenant)];
    await show(service, tenant, before);
    await setTrigger('person');
    expect(await answer(before, ofAuto)).toBe('201 recorded');
    expect(await boot(before)).toMatchObject({ showTokens: {}, suppression: [] });
    const opened = await open(before);
    expect(await answer(before, opened)).toBe('201 recorded');
    expect(await answer(after)).toBe('201 recorded');
    const late = await open(after);
    await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
    const query = { surveyId: surveyOf(tenant) };
    const results = async () => (await service.call(getResults, { secretKey: tenant.secretKey, query })).body;
    const survey = { trigger: 'person' };
    expect(await results()).toMatchObject({ survey, responses: 3, shows: 1, responseRate: null });
    await setTrigger('auto');
    expect((await boot(before)).suppression).toEqual([surveyOf(tenant)]);
    expect((await boot(after)).showTokens).toHaveProperty(surveyOf(tenant));
    expect(await answer(after, late)).toBe('201 recorded');
    expect((await boot(after)).showTokens).toHaveProperty(surveyOf(tenant));
    expect(await results()).toMatchObject({ responseRate: 1 });
    expect((await results()).survey).not.toHaveProperty('trigger');
  });
});

describe('its answers', () => {
  it('are redacted, listed as contacts and exported like others', async () => {
    tenant = await service.tenant({ redact: true }, [feedback]);
    const [person, said] = [someone(), { text: 'Mail ann@example.com', followUpRequested: true }];
    await submit({ service, tenant }, await open(person), said);
    expect(await rowsOf(person)).toMatchObject([{ text: expect.not.stringContaining('ann@') }]);
    const { contacts } = (await service.call(listContacts, { secretKey: tenant.secretKey })).body;
    expect(contacts).toMatchObject([{ respondentId: person, survey: { slug: 'feedback' } }]);
  });

  it('do not count toward any rule after an import, and their export can be imported again', async () => {
    const person = someone();
    const target = { projectId: tenant.project.id, surveyId: surveyOf(tenant), isBeside: true };
    const row = { respondentId: person, rating: 1, at: service.clock.now() };
    expect(await imports(service.service).store(target, row, service.clock.now())).toBe('imported');
    expect(await isNpsAsked(person)).toBe(true);
    expect(await answer(person)).toBe('201 recorded');
    for (const { id, rating, at } of await rowsOf(person)) {
      const exported = { ...row, id, rating, at: Date.parse(at) };
      expect(await imports(service.service).store(target, exported, service.clock.now())).toBe('known');
    }
    expect(await rowsOf(person)).toHaveLength(2);
  });

  it('have scores if a server minted their tokens, for each observation', async () => {
    const person = someone();
    const tokenOf = async (observationId: string) => {
      const session = { sessionId: 's', traceId: 't', observationId };
      const { tokens } = await post(mintTokens, { respondentId: person, ...session });
      return codeOf(await submit({ service, tenant }, tokens[surveyOf(tenant)], session));
    };
    expect([await tokenOf('o1'), await tokenOf('o2')]).toEqual(['201 recorded', '201 recorded']);
    const rows = (await rowsOf(person)).map((row: Record<string, unknown>) => [
      row.observationId,
      row.scoreState,
    ]);
    expect(rows.sort()).toEqual([
      ['o1', 'pending'],
      ['o2', 'pending'],
    ]);
  });
});

it('mints tokens of very many such surveys at once, each with a number of its own', async () => {
  const many = Array.from({ length: 120 }, () => aSurvey({}, { trigger: 'person' }));
  tenant = await service.tenant({}, many);
  const { tokens, none } = await post(mintTokens, { respondentId: someone(), sessionId: 's' });
  expect([new Set(Object.values(tokens)).size, none]).toEqual([120, undefined]);
});

it('is opened only by a verified person if the project requires identity', async () => {
  tenant = await service.tenant({ identity: 'required' }, [feedback]);
  const secret = await identitySecretOf(service, tenant);
  const body = { key: tenant.publishableKey, types: TYPES, open: 'feedback' };
  const claimed = await service.call(bootstrap, { body: { ...body, userId: 'ann' } });
  expect(claimed.body).not.toHaveProperty('showTokens');
  const userToken = await hs256(secret, { sub: 'ann', exp: SOON + 365 * 24 * 3_600 });
  const { showTokens } = (await service.call(bootstrap, { body: { ...body, userToken } })).body;
  expect(await answer('ann', showTokens[surveyOf(tenant)])).toBe('201 recorded');
  expect(await rowsOf('ann')).toMatchObject([{ verified: true }]);
});
