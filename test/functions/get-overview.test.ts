import { expect, it } from 'vitest';
import { getOverview } from '../../functions/get-overview.ts';
import { onChange } from '../../functions/on-change.ts';
import { addDays, dayAt } from '../../shared/domain/days.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { seedResults } from '../support/fixtures/seed-results.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { START } from '../support/service/test-clock.ts';

const { service, recording } = await createRecordedService();

async function aTenant(count: number) {
  const surveys = Array.from({ length: count }, (_, n) =>
    aSurvey({ status: n === 0 ? 'active' : 'paused' }, { slug: `s${String(n).padStart(3, '0')}` }),
  );
  const tenant = await service.tenant({ limits: NO_LIMITS }, []);
  for (const survey of surveys) await service.projects.createSurvey(tenant.project.id, survey);
  const { text: viewer } = await service.addKey('reader', tenant.project.id, { scopes: ['results'] });
  const read = (query: Record<string, string> = {}, secretKey = viewer) =>
    service.call(getOverview, { secretKey, query });
  return { tenant, surveys, read };
}

it('200 with status, score, weeks, responses and open contacts of each survey', async () => {
  const stream = openTestStream(service.table);
  const { tenant, surveys, read } = await aTenant(2);
  await stream.read();
  for (const [person, rating] of [
    ['ann', 10],
    ['bob', 2],
  ] as const)
    await respond(service, { ...tenant, surveys }, person, {
      body: { rating, followUpRequested: rating < 7 },
    });
  await onChange(service.service)({ Records: await stream.read() });
  stream.close();
  service.clock.advance(31_000);
  const { status, body } = await read();
  const to = dayAt(service.clock.now());
  expect([status, body.from, body.to]).toEqual([200, addDays(to, -27), to]);
  const [asked, paused] = body.surveys;
  expect(asked).toMatchObject({
    slug: 's000',
    status: 'active',
    responses: 2,
    allResponses: 2,
    score: { metric: 'nps', value: 0 },
    openContacts: 1,
  });
  expect(asked.trend.map(({ responses }: { responses: number }) => responses)).toEqual([0, 0, 0, 2]);
  expect([asked.trend[0].from, asked.trend[3].to]).toEqual([body.from, body.to]);
  expect(paused).toMatchObject({
    slug: 's001',
    status: 'paused',
    responses: 0,
    score: null,
    openContacts: 0,
  });
  expect(body.openContactsCapped).toBe(false);
});

it('200 with four complete weeks in cells of the project’s smallest size, to callers without comments', async () => {
  const { tenant, surveys, read } = await aTenant(1);
  const [survey] = surveys;
  await service.projects.updateProject(tenant.project.id, { smallestCell: 5 });
  const today = dayAt(service.clock.now());
  const ids = { projectId: tenant.project.id, surveyId: survey?.id ?? '', values: 0, segments: [] };
  await seedResults(service.table, { ...ids, from: addDays(today, -40), to: today });
  service.clock.advance(31_000);
  const { body } = await read();
  // The test clock starts on a Friday.
  const sunday = addDays(today, -5);
  expect([body.from, body.to, body.smallestCell]).toEqual([addDays(sunday, -27), sunday, 5]);
  expect(body.surveys[0].trend.map(({ to }: { to: string }) => to).at(-1)).toBe(sunday);
  const all = (await read({}, tenant.secretKey)).body;
  expect([all.to, all.smallestCell]).toEqual([today, undefined]);
});

it('200 without contacts and totals that results hide from callers without comments', async () => {
  const { tenant, surveys, read } = await aTenant(1);
  const ids = { projectId: tenant.project.id, surveyIds: surveys.map(({ id }) => id) };
  await service.projects.updateProject(tenant.project.id, { smallestCell: 5 });
  const asking = { rating: 1, followUpRequested: true };
  const answered = async (at: string, count: number) => {
    const row = { projectId: ids.projectId, surveyId: ids.surveyIds[0], at, ...asking };
    await deliver(
      service,
      Array.from({ length: count }, () => aResponseRow(row)),
    );
    const people = { count, respondentOf: (n: number) => `${at}-${n}`, momentOf: () => Date.parse(at) };
    await seedAnswers(service.table, { ...ids, ...people, responseOf: () => asking });
    service.clock.advance(31_000);
    return (await read()).body.surveys[0];
  };
  const now = new Date(service.clock.now()).toISOString();
  const nothing = { responses: 0, allResponses: 0, openContacts: 0 };
  expect(await answered(now, 1)).toMatchObject(nothing);
  expect(await answered('2026-11-10T12:00:00.000Z', 3)).toMatchObject(nothing);
  const shown = { responses: 6, allResponses: 10, openContacts: 6 };
  expect(await answered('2026-11-03T12:00:00.000Z', 6)).toMatchObject(shown);
  const all = (await read({}, tenant.secretKey)).body.surveys[0];
  expect(all).toMatchObject({ responses: 10, allResponses: 10, openContacts: 10 });
});

it('200 with every survey once over all pages, whatever is created in the meantime', async () => {
  const { tenant, read } = await aTenant(5);
  const first = (await read({ limit: '2' })).body;
  await service.projects.createSurvey(tenant.project.id, aSurvey({}, { slug: 'a-new-one' }));
  service.clock.advance(31_000);
  const second = (await read({ limit: '2', cursor: first.nextCursor })).body;
  const third = (await read({ limit: '2', cursor: second.nextCursor })).body;
  const slugs = [first, second, third].flatMap(({ surveys }) =>
    surveys.map(({ slug }: { slug: string }) => slug),
  );
  expect(slugs).toEqual(['s000', 's001', 's002', 's003', 's004']);
  expect(third.nextCursor).toBeUndefined();
});

it('400 for a cursor of another project', async () => {
  const [mine, theirs] = [await aTenant(3), await aTenant(3)];
  const { nextCursor: cursor } = (await mine.read({ limit: '1' })).body;
  expect((await theirs.read({ cursor })).status).toBe(400);
});

it('reads at most 150 units per page, with 100 surveys that are answered daily and thousands of contacts', async () => {
  const { tenant, surveys, read } = await aTenant(100);
  const projectId = tenant.project.id;
  const to = dayAt(service.clock.now());
  for (const { id: surveyId } of surveys.slice(0, 40))
    await seedResults(service.table, { projectId, surveyId, from: addDays(to, -27), to, values: 0 });
  const surveyIds = surveys.slice(0, 3).map(({ id }) => id);
  const asking = () => ({ followUpRequested: true });
  const people = { count: 1_500, momentOf: () => START, responseOf: asking };
  await seedAnswers(service.table, { projectId, surveyIds, ...people });
  await read();
  const slugs: string[] = [];
  for (let cursor: string | undefined; ; ) {
    recording.take();
    const { body } = await read({ limit: '100', ...(cursor !== undefined && { cursor }) });
    const calls = recording.take();
    const units = calls.flatMap((call) => Object.values(call.units)).reduce((sum, spent) => sum + spent, 0);
    expect(units).toBeLessThanOrEqual(150);
    expect(body.openContactsCapped).toBe(true);
    slugs.push(...body.surveys.map(({ slug }: { slug: string }) => slug));
    cursor = body.nextCursor;
    if (cursor === undefined) break;
  }
  expect(new Set(slugs).size).toBe(100);
});

it('200 with the responses of each choice in place of a score', async () => {
  const survey = aSurvey({}, { type: 'choice' });
  const tenant = await service.tenant({ limits: NO_LIMITS }, [survey]);
  const row = { projectId: tenant.project.id, surveyId: survey.id };
  await deliver(
    service,
    [0, 2, 2].map((rating) => aResponseRow({ ...row, rating, at: new Date(START).toISOString() })),
  );
  const { body } = await service.call(getOverview, { secretKey: tenant.secretKey });
  expect(body.surveys).toMatchObject([
    {
      scale: { min: 0, max: 2 },
      choices: [{ code: 'price' }, { code: 'missing' }, { code: 'other' }],
      responses: 3,
      score: null,
      distribution: [{ code: 'price', count: 1 }, { count: 0 }, { label: 'Something else', count: 2 }],
    },
  ]);
});
