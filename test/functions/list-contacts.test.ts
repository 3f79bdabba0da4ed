import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { handleContact } from '../../functions/handle-contact.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { eachPage } from '../support/collect.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { anAnswer, revise } from '../support/fixtures/revising.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { createRandom } from '../support/random.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { START } from '../support/service/test-clock.ts';
import {
  createTestService,
  type Reply,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';
import { createLaggingIndex } from '../support/stand-ins/lagging-index.ts';

const { service, recording } = await createRecordedService();
const WISH = { followUpRequested: true } as const;

let tenant: Tenant;
let surveyIds: readonly [string, string];

beforeEach(async () => {
  tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({}, { slug: 'nps' }), aSurvey()]);
  surveyIds = [tenant.surveys[0]?.id ?? '', tenant.surveys[1]?.id ?? ''];
});

const ask = (query: Record<string, string> = {}, at: TestService = service) =>
  at.call(listContacts, { secretKey: tenant.secretKey, query });
const handle = (id: string, body: object = { handled: true }) =>
  service.call(handleContact, { secretKey: tenant.secretKey, body: { id, ...body } });

const seed = (
  count: number,
  responseOf: (index: number) => Partial<Response> | undefined = () => WISH,
  momentOf = (index: number) => START + index,
) =>
  seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds,
    count,
    responseOf,
    momentOf,
  });

const idsOf = ({ body }: Reply): string[] => body.contacts.map(({ id }: { id: string }) => id);

it('200 with person, text if any, rating, and whether it is handled', async () => {
  const { reply } = await respond(service, tenant, 'ann', {
    body: { rating: 3, contact: 'ann@example.com', traits: { plan: 'pro' }, ...WISH },
  });
  await respond(service, tenant, 'bob', { body: { text: 'words alone', followUpRequested: false } });
  expect((await ask()).body).toEqual({
    contacts: [
      {
        id: reply.body.id,
        survey: { id: surveyIds[0], slug: 'nps' },
        rating: 3,
        text: null,
        followUpRequested: true,
        contact: 'ann@example.com',
        respondentId: 'ann',
        verified: false,
        identityKind: null,
        traits: { plan: 'pro' },
        taskType: null,
        reasons: null,
        answers: null,
        labels: null,
        channel: null,
        choice: null,
        sessionId: null,
        traceId: null,
        source: 'sdk',
        at: reply.body.at,
        handled: null,
      },
    ],
  });
});

it('200 in reverse order over all shards and surveys, each once, whatever the page size', async () => {
  const expected = (await seed(120)).toReversed();
  const byDefault = await eachPage(ask);
  expect(byDefault.map((page) => idsOf(page).length)).toEqual([50, 50, 20]);
  expect(byDefault.flatMap(idsOf)).toEqual(expected);
  expect((await eachPage(ask, { limit: '7' })).flatMap(idsOf)).toEqual(expected);
  expect((await eachPage(ask, { limit: '1000' })).map((page) => idsOf(page).length)).toEqual([100, 20]);
});

it('200 for one survey, for some days, and for one state or all', async () => {
  const [a = '', b = '', c = '', d = ''] = await seed(
    4,
    () => WISH,
    (index) => START - index * DAY,
  );
  await handle(c);
  expect(idsOf(await ask())).toEqual([a, b, d]);
  expect(idsOf(await ask({ state: 'handled' }))).toEqual([c]);
  expect(idsOf(await ask({ state: 'all' }))).toEqual([a, b, c, d]);
  expect(idsOf(await ask({ surveySlug: 'nps', state: 'all' }))).toEqual([a, c]);
  expect(idsOf(await ask({ surveyId: surveyIds[1] }))).toEqual([b, d]);
  expect(idsOf(await ask({ from: '2026-11-18', to: '2026-11-19', state: 'all' }))).toEqual([b, c]);
  expect(idsOf(await ask({ to: '2026-11-18', state: 'all' }))).toEqual([c, d]);
});

it('200 for one survey among many, with pages that may be short and continue', async () => {
  const wanted = await seed(2_500, (index) => (index % 2 === 1 || index < 4 ? WISH : {}));
  const pages = await eachPage(ask, { surveyId: surveyIds[0] });
  expect(pages.flatMap(idsOf)).toEqual([wanted[2], wanted[0]]);
  expect(pages.length).toBeGreaterThan(1);
});

it('200 without people who were erased, withdrew or no longer ask, with an index that lags', async () => {
  const lag = createLaggingIndex(service.table.readIndex, { random: createRandom(7), lag: 0.2 });
  const lagging = await createTestService({ table: service.table, aroundIndex: () => lag.read });
  const caller = { service, tenant };
  const ids: string[] = [];
  const tokens: string[] = [];
  for (let person = 0; person < 4; person += 1) {
    const { id, showToken } = await anAnswer(caller, WISH);
    ids.push(id);
    tokens.push(showToken);
  }
  const erased = await respond(service, tenant, 'erased', { body: WISH });
  lag.settle();
  expect(idsOf(await ask({}, lagging)).sort()).toEqual([...ids, erased.reply.body.id].sort());
  await revise(caller, tokens[0] ?? '', { revision: 1, withdraw: true });
  await revise(caller, tokens[1] ?? '', { revision: 1, rating: 5 });
  await handle(ids[2] ?? '');
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'erased' } });
  for (let read = 0; read < 5; read += 1) expect(idsOf(await ask({}, lagging))).toEqual([ids[3]]);
});

it('200 without contacts of other projects', async () => {
  await seed(3);
  const theirs = await service.tenant({ limits: NO_LIMITS }, tenant.surveys.slice(0, 1));
  tenant = theirs;
  expect((await ask({ state: 'all' })).body).toEqual({ contacts: [] });
});

it('200 with a page of 50 among 2,000 others for one read of each shard and of each row', async () => {
  await seed(2_000, (index) => (index % 20 === 0 ? WISH : {}));
  await ask();
  recording.take();
  expect(idsOf(await ask())).toHaveLength(50);
  const calls = recording.take();
  const units = calls.flatMap((call) => Object.values(call.units)).reduce((sum, each) => sum + each, 0);
  const queries = calls.filter(({ operation }) => operation === 'Query').length;
  // With 16 shards instead of four, the cost would be six units higher: 64 of at most 100.
  expect(queries).toBeLessThanOrEqual(6);
  expect(units).toBeLessThanOrEqual(54);
});

describe('400', () => {
  it.each([
    ['surveySlug', { surveySlug: '' }],
    ['surveySlug', { surveySlug: 'nps', surveyId: 'a' }],
    ['state', { state: 'closed' }],
    ['limit', { limit: '0' }],
    ['from', { from: '2026-13-01' }],
    ['from', { from: '2026-11-02', to: '2026-11-01' }],
    ['ratingMin', { ratingMin: '1' }],
    ['cursor', { cursor: 'none' }],
  ])('names %s: %j', async (path, query) => {
    const { status, body } = await ask(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('for a cursor of another query or project', async () => {
    await seed(3);
    const { nextCursor: cursor } = (await ask({ limit: '1' })).body;
    expect((await ask({ limit: '2', cursor })).status).toBe(200);
    for (const query of [{ state: 'all' }, { surveyId: surveyIds[0] }, { from: '2026-11-01' }])
      expect((await ask({ ...query, cursor })).body.error.issues[0].path).toBe('cursor');
    tenant = await service.tenant({}, [...tenant.surveys]);
    expect((await ask({ cursor })).status).toBe(400);
  });
});

it('404 for a survey of another project', async () => {
  const other = await service.tenant();
  expect((await ask({ surveyId: other.surveys[0]?.id ?? '' })).status).toBe(404);
});
