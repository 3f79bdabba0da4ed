import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { listComments } from '../../functions/list-comments.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { eachPage } from '../support/collect.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
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

const OF_NOBODY = { segment: 'identityKind', value: 'null' };
const { service, recording } = await createRecordedService();

let tenant: Tenant;
let surveyId: string;

const open = async (survey = aSurvey()) => {
  tenant = await service.tenant({ limits: NO_LIMITS }, [survey]);
  surveyId = survey.id;
};
beforeEach(() => open());

const ask = (query: Record<string, string> | string = {}, at: TestService = service) =>
  at.call(listComments, {
    secretKey: tenant.secretKey,
    query: typeof query === 'string' ? query : { surveyId, ...query },
  });

const seed = (
  count: number,
  responseOf: (index: number) => Partial<Response> | undefined,
  dayOf = (_: number) => 0,
) =>
  seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds: [surveyId],
    count,
    responseOf,
    momentOf: (index) => START - dayOf(index) * DAY + index,
  });

const unitsOf = (calls: ReturnType<typeof recording.take>): number =>
  calls.flatMap(({ units }) => Object.values(units)).reduce((sum, units) => sum + units, 0);

const textsOf = ({ body }: Reply): string[] => body.comments.map(({ text }: { text: string }) => text);

it('200 with the comments that have an answer, and with texts in answers; 400 for an unknown answer', async () => {
  const use = { id: 'use', kind: 'many' as const, text: 'What for?' };
  const choices = ['a', 'b'].map((code) => ({ code, label: code }));
  const effort = { id: 'effort', kind: 'scale' as const, text: 'How easy?', min: 1, max: 3 };
  const more = { id: 'more', kind: 'text' as const, text: 'More?' };
  await open(aSurvey({}, { questions: [{ ...use, choices }, effort, more] }));
  await seed(4, (index) => ({
    text: index === 3 ? undefined : `${index}`,
    answers: [
      { ...use, place: 0, value: index === 0 ? null : ['a', 'b'].slice(0, index), codes: [0] },
      { ...effort, place: 1, value: index === 2 ? 2 : 1 },
      { ...more, place: 2, value: index === 3 ? 'Words' : null },
    ],
  }));
  const found = async (query: string) => textsOf(await ask(`surveyId=${surveyId}&${query}`)).sort();
  expect(await found('answers.use=b')).toEqual(['2', null]);
  expect(await found('answers=use%3Da')).toEqual(['1', '2', null]);
  expect(await found('answers.effort=2')).toEqual(['2']);
  for (const unknown of ['use=c', 'effort=4', 'more=words', 'none=a', 'use=a&answers.use=b']) {
    const { status, body } = await ask(`surveyId=${surveyId}&answers.${unknown}`);
    expect([status, body.error?.issues?.[0]?.path ?? body.issues?.[0]?.path]).toEqual([400, 'answers']);
  }
});

it('200 with the comments that have a reason; 400 when the survey never had it', async () => {
  const reasonOf = (place: number) => ({ code: ['slow', 'wrong'][place] ?? '', place });
  await open(aSurvey({ reasonCodes: ['slow', 'wrong'] }));
  await seed(30, (index) => ({
    text: `${index}`,
    reasons: index % 3 === 2 ? undefined : [reasonOf(index % 3)],
  }));
  const pages = await eachPage(ask, { reason: 'slow', limit: '7' });
  const comments = pages.flatMap(({ body }) => body.comments);
  expect(comments.map(({ text, reasons }) => [Number(text) % 3, reasons])).toEqual(
    Array(10).fill([0, ['slow']]),
  );
  const cursor = pages[0]?.body.nextCursor;
  expect((await ask({ reason: 'wrong', cursor })).status).toBe(400);
  const { status, body } = await ask({ reason: 'rude' });
  expect([status, body.error.issues]).toMatchObject([400, [{ path: 'reason' }]]);
});

it("200 with a response's text and person", async () => {
  const { reply } = await respond(service, tenant, 'ann', {
    body: {
      rating: 3,
      text: 'too slow',
      followUpRequested: true,
      contact: 'ann@example.com',
      traits: { plan: 'pro' },
      identityKind: 'identified',
      traceId: 'trace',
    },
  });
  expect((await ask()).body).toEqual({
    comments: [
      {
        id: reply.body.id,
        rating: 3,
        text: 'too slow',
        followUpRequested: true,
        contact: 'ann@example.com',
        reasons: null,
        answers: null,
        respondentId: 'ann',
        verified: false,
        identityKind: 'identified',
        traits: { plan: 'pro' },
        taskType: null,
        labels: null,
        channel: null,
        choice: null,
        sessionId: null,
        traceId: 'trace',
        source: 'sdk',
        at: reply.body.at,
      },
    ],
  });
});

it('200 in reverse order over all shards, each once, whatever the page size', async () => {
  await seed(120, (index) => ({ text: `comment ${index}` }));
  const expected = Array.from({ length: 120 }, (_, index) => `comment ${119 - index}`);
  const byDefault = await eachPage(ask);
  expect(byDefault.map((page) => page.body.comments.length)).toEqual([50, 50, 20]);
  expect(byDefault.flatMap(textsOf)).toEqual(expected);
  expect((await eachPage(ask, { limit: '7' })).flatMap(textsOf)).toEqual(expected);
  expect((await eachPage(ask, { limit: '1000' })).map((page) => page.body.comments.length)).toEqual([60, 60]);
});

it('200 with text only by default, filtered by ratings and days', async () => {
  await seed(
    8,
    (index) => (index === 7 ? undefined : { text: index % 2 === 0 ? `t${index}` : undefined, rating: index }),
    (index) => index,
  );
  const texts = async (query: Record<string, string>) => textsOf(await ask(query));
  expect(await texts({})).toEqual(['t0', 't2', 't4', 't6']);
  expect(await texts({ withText: 'false' })).toHaveLength(7);
  expect(await texts({ ratingMin: '2', ratingMax: '4' })).toEqual(['t2', 't4']);
  expect(await texts({ from: '2026-11-16', to: '2026-11-18' })).toEqual(['t2', 't4']);
});

it('200 for one value of a segment, as its answers are counted', async () => {
  const values = [{ text: 'pro' }, { text: 'late', since: '2026-11-20T00:00:00.000Z' }];
  await open(aSurvey({ segments: [{ name: 'plan', values }] }));
  const plans = ['pro', 'late', 'team', undefined];
  await seed(
    8,
    (index) => {
      const plan = plans[index % 4];
      return { text: `t${index}`, ...(plan !== undefined && { traits: { plan } }) };
    },
    (index) => (index < 4 ? 0 : 9),
  );
  const of = async (value: string, more = {}) =>
    (await eachPage(ask, { segment: 'plan', value, ...more })).flatMap(textsOf);
  expect(await of('pro')).toEqual(['t0', 't4']);
  expect(await of('pro', { limit: '1', withText: 'false' })).toEqual(['t0', 't4']);
  expect(await of('late')).toEqual(['t1']);
  expect(await of('other')).toEqual(['t2', 't6', 't5']);
  expect(await of('null')).toEqual(['t3', 't7']);
});

it('200 after at most 60 read units of rows per filtered page, which may be empty and continues', async () => {
  await seed(150, (index) => ({ text: index === 0 ? 'the first of all' : '' }));
  expect((await eachPage(ask)).map(textsOf)).toEqual([[], [], ['the first of all']]);
  expect(
    (await eachPage(ask, { withText: 'false', limit: '100' })).map((page) => page.body.comments.length),
  ).toEqual([100, 50]);
});

it('200 with at most 140 read units per page with a filter and 210 without, however large the rows', async () => {
  await seed(60, () => ({ text: '\u20ac'.repeat(5_000), traits: { notes: '\u20ac'.repeat(1_300) } }));
  await ask();
  recording.take();
  const { body } = await ask({ ratingMin: '0' });
  expect(body.nextCursor).toBeDefined();
  expect(unitsOf(recording.take())).toBeLessThanOrEqual(140);
  expect((await ask({ withText: 'false', limit: '100' })).body.comments.length).toBeLessThan(60);
  expect(unitsOf(recording.take())).toBeLessThanOrEqual(210);
  expect((await eachPage(ask, { withText: 'false', limit: '100' })).flatMap(textsOf)).toHaveLength(60);
});

it('200 without anything of erased people, with an index that lags and repeats', async () => {
  const lag = createLaggingIndex(service.table.readIndex, { random: createRandom(7), lag: 0.2 });
  const lagging = await createTestService({ table: service.table, aroundIndex: () => lag.read });
  for (const person of ['ann', 'bob', 'cy'])
    await respond(service, tenant, person, { body: { text: `of ${person}` } });
  lag.settle();
  expect(textsOf(await ask({}, lagging)).sort()).toEqual(['of ann', 'of bob', 'of cy']);
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'bob' } });
  for (let read = 0; read < 5; read += 1)
    expect(textsOf(await ask({}, lagging)).sort()).toEqual(['of ann', 'of cy']);
});

it('200 with a page of 50 for one read of each shard and rows in batches of ten', async () => {
  await seed(120, (index) => ({ text: `comment ${index}` }));
  await ask();
  recording.take();
  await ask();
  const calls = recording.take();
  const count = (name: string) => calls.filter(({ operation }) => operation === name).length;
  expect([calls.length, count('Query'), count('BatchGetItem')]).toEqual([10, 4, 6]);
  expect(unitsOf(calls)).toBeLessThanOrEqual(70);
});

describe('400', () => {
  it.each([
    ['surveySlug', ''],
    ['ratingMin', 'surveyId=a&ratingMin=11'],
    ['ratingMin', 'surveyId=a&ratingMin=5&ratingMax=4'],
    ['withText', 'surveyId=a&withText=yes'],
    ['limit', 'surveyId=a&limit=0'],
    ['from', 'surveyId=a&from=2026-13-01'],
    ['by', 'surveyId=a&by=day'],
    ['value', 'surveyId=a&value=pro'],
    ['value', 'surveyId=a&segment=plan'],
  ])('names %s: %s', async (path, query) => {
    const { status, body } = await ask(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('for an unknown segment or value', async () => {
    const issues = async (query: Record<string, string>) => (await ask(query)).body.error.issues[0].path;
    expect(await issues({ segment: 'country', value: 'a' })).toBe('segment');
    expect(await issues({ segment: 'identityKind', value: 'a' })).toBe('value');
  });

  it('for a made-up cursor, or one for another query or project', async () => {
    await seed(3, () => ({ text: 'a' }));
    const { nextCursor: cursor } = (await ask({ limit: '1' })).body;
    expect((await ask({ limit: '2', cursor })).status).toBe(200);
    for (const query of [{ ratingMin: '1' }, { withText: 'false' }, { from: '2026-11-01' }, OF_NOBODY])
      expect((await ask({ ...query, cursor })).body.error.issues[0].path).toBe('cursor');
    expect((await ask({ cursor: 'none' })).status).toBe(400);
    tenant = await service.tenant({}, [...tenant.surveys]);
    expect((await ask({ cursor })).status).toBe(400);
  });
});

it('404 for a survey of another project', async () => {
  const other = await service.tenant();
  expect((await ask({ surveyId: other.surveys[0]?.id ?? '' })).status).toBe(404);
});

it('200 with the comments of a choice; 400 for other codes, and for bounds of ratings', async () => {
  const choicesEver = [
    { code: 'slow', label: 'Slow' },
    { code: 'old', label: 'Old' },
  ];
  await open(aSurvey({ choicesEver }, { type: 'choice' }));
  await seed(4, (index) => ({ rating: index % 2, text: `text ${index}` }));
  const { body } = await ask({ choice: 'old' });
  expect(body.comments).toMatchObject([3, 1].map((nth) => ({ choice: 'old', text: `text ${nth}` })));
  const issueOf = async (query: Record<string, string>) => (await ask(query)).body.error?.issues?.[0];
  expect(await issueOf({ choice: 'new' })).toEqual({
    path: 'choice',
    message: 'the survey has no such choice',
  });
  const message = expect.stringContaining('Use `choice`');
  for (const path of ['ratingMin', 'ratingMax'])
    expect(await issueOf({ [path]: '0' })).toEqual({ path, message });
  await open(aSurvey({}, { type: 'open' }));
  expect(await issueOf({ ratingMax: '0' })).toEqual({ path: 'ratingMax', message });
  await open();
  expect(await issueOf({ choice: 'slow' })).toMatchObject({ path: 'choice' });
});
