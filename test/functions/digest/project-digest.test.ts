import { beforeEach, expect, it } from 'vitest';
import { digestOf } from '../../../functions/digest/project-digest.ts';
import { handleContact } from '../../../functions/handle-contact.ts';
import { listContacts } from '../../../functions/list-contacts.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import type { Project, ProjectSettings } from '../../../shared/domain/project.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { aResponseRow, deliver, type Image } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { START } from '../../support/service/test-clock.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

const WEEK = '2026-W46';
const [BEFORE, MONDAY, SUNDAY, AFTER] = ['2026-11-08', '2026-11-09', '2026-11-15', '2026-11-16'];

const test = await createTestService();
const { service } = test;

let tenant: Tenant;
let surveys: readonly Survey[];
const open = async (project: Partial<Project>, all: readonly Survey[]) => {
  tenant = await test.tenant(project, [...all]);
  surveys = all;
};
beforeEach(() =>
  open({ name: 'Corner shop' }, [
    aSurvey({}, { slug: 'nps' }),
    aSurvey({}, { slug: 'checkout', type: 'csat', question: 'Well?' }),
  ]),
);

const answered = (place: number, day: string | undefined, ...rows: Image[]) =>
  deliver(
    test,
    rows.map((row) =>
      aResponseRow({
        projectId: tenant.project.id,
        surveyId: surveys[place]?.id ?? '',
        at: `${day}T23:59:59.999Z`,
        ...row,
      }),
    ),
  );
const wish = (count: number) =>
  seedAnswers(test.table, {
    projectId: tenant.project.id,
    surveyIds: [surveys[0]?.id ?? ''],
    count,
    momentOf: (index) => START - 90 * DAY + index,
    responseOf: () => ({ followUpRequested: true }),
  });
const settingsOf = async (change: Partial<ProjectSettings> = {}) => {
  const settings = await projectSettings(service).load(tenant.project.id);
  return settings && { ...settings, ...change };
};
const ask = async (week = WEEK, change: Partial<ProjectSettings> = {}) => {
  const settings = await settingsOf(change);
  return settings && digestOf({ service, settings, week });
};

it('hides surveys with fewer answers than the project’s smallest cell, and makes no comparison with weeks that have fewer', async () => {
  await open({ smallestCell: 3 }, [aSurvey({}, { slug: 'a' }), aSurvey({}, { slug: 'b' })]);
  await answered(0, BEFORE, { rating: 9 }, { rating: 0 });
  await answered(0, MONDAY, { rating: 10 }, { rating: 6 }, { rating: 8 });
  await answered(1, MONDAY, { rating: 10 }, { rating: 6 });
  const found = await ask();
  expect(found?.surveys).toMatchObject([
    { surveySlug: 'a', responses: 3, responsesBefore: 0, fewBefore: true, difference: null },
  ]);
  expect(found).toMatchObject({ surveysWithFew: 1, smallestCell: 3 });
  await answered(0, BEFORE, { rating: 9 });
  const [shown] = (await ask())?.surveys ?? [];
  expect(shown).toMatchObject({ responsesBefore: 3, difference: { value: expect.any(Number) } });
  expect(shown).not.toHaveProperty('fewBefore');
});

it('has responses, score, difference and low ratings of every answered survey', async () => {
  await answered(0, BEFORE, { rating: 9 }, { rating: 0 });
  await answered(0, MONDAY, { rating: 10, text: 'SECRET' }, { rating: 6 }, { rating: 8 });
  await answered(0, SUNDAY, { rating: 9, contact: 'SECRET' }, { rating: 1, identityKind: 'model-requested' });
  await answered(0, AFTER, { rating: 0 });
  const found = await ask();
  expect(found).toEqual({
    projectName: 'Corner shop',
    week: WEEK,
    from: MONDAY,
    to: SUNDAY,
    surveys: [
      {
        surveyId: surveys[0]?.id,
        surveySlug: 'nps',
        surveyType: 'nps',
        question: 'How likely are you to recommend us?',
        responses: 4,
        responsesBefore: 2,
        score: expect.objectContaining({ metric: 'nps', value: 25, promoters: 2, detractors: 1 }),
        difference: { value: 25, low: expect.any(Number), high: expect.any(Number) },
        lowRatings: 1,
      },
    ],
    moreSurveys: 0,
    openContacts: 0,
    moreOpenContacts: false,
  });
  expect(JSON.stringify(found)).not.toContain('SECRET');
});

it('lists the survey with most responses first, and no difference when there were no earlier answers', async () => {
  await answered(0, MONDAY, { rating: 9 });
  await answered(1, MONDAY, { rating: 1 }, { rating: 2 }, { rating: 3 });
  const { surveys: told = [] } = (await ask()) ?? {};
  expect(told.map(({ surveySlug, lowRatings }) => [surveySlug, lowRatings])).toEqual([
    ['checkout', 2],
    ['nps', 0],
  ]);
  expect(told.map(({ difference }) => difference)).toEqual([null, null]);
});

it('counts open contacts of any day, but not handled ones', async () => {
  await wish(12);
  const { secretKey } = tenant;
  const [{ id }] = (await test.call(listContacts, { secretKey, query: {} })).body.contacts;
  await test.call(handleContact, { secretKey, body: { id, handled: true } });
  expect(await ask()).toMatchObject({ surveys: [], openContacts: 11, moreOpenContacts: false });
});

it('counts only open contacts of groups that are large enough, in the last four weeks, if small numbers are hidden', async () => {
  await open({ smallestCell: 3 }, [aSurvey({}, { slug: 'a' })]);
  const ofWeek = async (at: string, count: number) => {
    await answered(0, at, ...Array.from({ length: count }, () => ({ rating: 9, followUpRequested: true })));
    const ids = { projectId: tenant.project.id, surveyIds: [surveys[0]?.id ?? ''] };
    const asking = { momentOf: () => Date.parse(at), responseOf: () => ({ followUpRequested: true }) };
    await seedAnswers(test.table, { ...ids, ...asking, count, respondentOf: (n) => `${at}-${n}` });
  };
  for (const [at, count] of [
    ['2026-10-18', 4],
    ['2026-10-19', 3],
    [BEFORE, 2],
    [MONDAY, 4],
    [AFTER, 6],
  ] as const)
    await ofWeek(at, count);
  expect(await ask()).toMatchObject({ openContacts: 7, moreOpenContacts: false, smallestCell: 3 });
});

it('contains nothing from other projects', async () => {
  await answered(0, MONDAY, { rating: 9 });
  await wish(3);
  await open({}, [aSurvey()]);
  expect(await ask()).toMatchObject({ surveys: [], openContacts: 0 });
});

it('is created for a project without active surveys that had answers a week before', async () => {
  await open({ status: 'suspended' }, [aSurvey()]);
  expect(await ask()).toBeUndefined();
  await answered(0, BEFORE, { rating: 9 });
  expect(await ask()).toMatchObject({ surveys: [] });
});

it.each([
  ['without a survey', {}, []],
  ['whose surveys are archived', {}, [aSurvey({ status: 'archived' })]],
  ['that was never asked in', { status: 'suspended' }, [aSurvey()]],
] as const)('is not created for a project %s', async (_what, project, all) => {
  await open(project, all);
  expect(await ask()).toBeUndefined();
});

it('is never created for the project of the synthetic monitor, although it gets answers', async () => {
  await open({ probe: true }, [aSurvey()]);
  await answered(0, MONDAY, { rating: 9 });
  expect(await ask()).toBeUndefined();
  const { project } = (await settingsOf()) ?? {};
  const own = project && { project: { ...project, probe: undefined } };
  expect(await ask(WEEK, own)).toMatchObject({ surveys: [{ responses: 1 }] });
});

it('is not created for a project that is being purged', async () => {
  const { project } = (await settingsOf()) ?? {};
  const purged = project && { project: { ...project, purgedAt: '2026-11-20T09:30:00.000Z' } };
  expect(await ask(WEEK, purged)).toBeUndefined();
});

it('leaves out a survey that was purged in the meantime', async () => {
  await answered(0, MONDAY, { rating: 9 });
  await answered(1, MONDAY, { rating: 5 });
  await wish(2);
  const all = [...((await settingsOf())?.surveys ?? [])];
  const left = new Map(all.filter(([id]) => id !== surveys[0]?.id));
  expect(await ask(WEEK, { surveys: left })).toMatchObject({
    surveys: [{ surveySlug: 'checkout' }],
    openContacts: 0,
  });
});

it('has the largest surveys when not all fit into an event, and the number of the others', async () => {
  const many = Array.from({ length: 110 }, (_, place) =>
    aSurvey({}, { slug: `s-${place}`, question: `${place} ${'ü'.repeat(1_000)}` }),
  );
  await open({}, many);
  for (const place of many.keys())
    await answered(place, MONDAY, ...(place === 109 ? [{ rating: 9 }, { rating: 3 }] : [{ rating: 9 }]));
  const found = await ask();
  expect(found?.surveys[0]).toMatchObject({ surveySlug: 's-109', responses: 2 });
  expect((found?.surveys.length ?? 0) + (found?.moreSurveys ?? 0)).toBe(110);
  expect(found?.moreSurveys).toBeGreaterThan(5);
  const bytes = Buffer.byteLength(JSON.stringify(found));
  expect(bytes).toBeLessThanOrEqual(200_100);
  expect(bytes).toBeGreaterThan(195_000);
});
