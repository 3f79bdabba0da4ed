import { beforeEach, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import type { DaySpan } from '../../shared/domain/days.ts';
import { TYPES } from '../../shared/domain/surveys/survey.ts';
import { aResponseRow, deliver, type Image } from '../support/fixtures/a-stream.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { seedResults } from '../support/fixtures/seed-results.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

const VALUES = Array.from({ length: 20 }, (_, index) => `value number ${index}`);

const { service, recording } = await createRecordedService();

let tenant: Tenant;
let surveyId: string;
let slug: string;

const newTenant = async (...surveys: Parameters<typeof aSurvey>) => {
  tenant = await service.tenant({}, [aSurvey(...surveys)]);
  const [survey] = tenant.surveys;
  surveyId = survey?.id ?? '';
  slug = survey?.content.slug ?? '';
};

const plans = (...values: string[]) => [{ name: 'plan', values: values.map((text) => ({ text })) }];

beforeEach(() => newTenant({ segments: plans('free', 'pro') }));

const ask = (query: Record<string, string> | string) =>
  service.call(getResults, { secretKey: tenant.secretKey, query });
const answered = (...rows: Image[]) =>
  deliver(
    service,
    rows.map((row) => aResponseRow({ projectId: tenant.project.id, surveyId, ...row })),
  );

const inPlan = (plan: string, more: Image = {}) => ({ traits: JSON.stringify({ plan }), ...more });

describe('for a key without comments, in a project with a smallest cell', () => {
  let reader: string;
  const of = (day: string, plan: string, ...ratings: number[]) =>
    answered(...ratings.map((rating) => inPlan(plan, { rating, at: `2026-11-${day}T12:00:00.000Z` })));
  beforeEach(async () => {
    await newTenant({ segments: plans('free', 'pro', 'few') });
    const projects = createProjectStore(service.table.table, service.table.readIndex);
    await projects.updateProject(tenant.project.id, { smallestCell: 3 });
    const key = aKey('reader', tenant.project.id, { scopes: ['results'] });
    await projects.addKey(tenant.project.id, key.stored);
    reader = key.text;
    await of('09', 'pro', 10, 9, 8, 7);
    await of('10', 'free', 0);
    await of('11', 'pro', 6, 6, 6);
    // Today is a Friday.
    await of('20', 'pro', 1, 1, 1, 1);
  });
  const read = (query: Record<string, string>, secretKey = reader) =>
    service.call(getResults, {
      secretKey,
      query: { surveyId, from: '2026-11-09', to: '2026-11-20', ...query },
    });

  it('200 with undivided weeks, and small values merged into the next smallest', async () => {
    const { body } = await read({ by: 'day', segment: 'plan' });
    expect(body).toMatchObject({ responses: 8, smallestCell: 3, shownTo: '2026-11-15' });
    expect(body.series).toMatchObject([
      { from: '2026-11-09', to: '2026-11-15', responses: 8, score: { value: -25 } },
      { from: '2026-11-16', to: '2026-11-20', responses: 0, score: null, withheld: true },
    ]);
    expect(body.series[0]).not.toHaveProperty('withheld');
    const cut = await read({ by: 'day', from: '2026-11-10', to: '2026-11-15' });
    expect(cut.body).toMatchObject({ responses: 0, series: [{ responses: 0, withheld: true }] });
    // `free` has only one answer, so `pro` is merged with it.
    expect(body.segments).toMatchObject([
      { value: 'free', responses: 0 },
      { value: 'pro', responses: 0 },
      { value: 'few', responses: 8 },
    ]);
  });

  it('200 without values of other segments, and without identity kinds', async () => {
    const query = { segment: 'identityKind', value: 'identified' };
    expect((await read({ segment: query.segment })).body).toMatchObject({
      responses: 8,
      segments: [],
    });
    const { series } = (await read(query)).body;
    expect(series.every(({ withheld }: { withheld?: true }) => withheld === true)).toBe(true);
  });

  it('200 with days of a survey without segments, small ones merged into the next smallest', async () => {
    const projectId = tenant.project.id;
    const plain = aSurvey({}, { slug: 'plain' });
    await createProjectStore(service.table.table, service.table.readIndex).createSurvey(projectId, plain);
    surveyId = plain.id;
    await of('09', 'pro', 10, 9, 8, 7);
    await of('10', 'free', 0);
    await of('11', 'pro', 6, 6, 6);
    service.clock.advance(31_000);
    const { body } = await read({ by: 'day' });
    expect(body.series.slice(0, 4)).toMatchObject([
      { responses: 4, score: { value: 50 } },
      { responses: 0, score: null, withheld: true },
      { responses: 0, score: null, withheld: true },
      { responses: 0, score: null },
    ]);
    expect(body.series[3]).not.toHaveProperty('withheld');
    expect(body.series.at(-1)).toMatchObject({ from: '2026-11-20', responses: 0, withheld: true });
  });

  it('200 with one value by week, compared as shown', async () => {
    await of('02', 'free', 1, 2, 3);
    const week = { from: '2026-11-09', to: '2026-11-15' };
    const { body } = await read({ segment: 'plan', value: 'free', compare: 'previous', ...week });
    expect(body).toMatchObject({ responses: 0, score: null });
    expect(body.series).toMatchObject([{ ...week, responses: 0 }]);
    const previous = { from: '2026-11-02', to: '2026-11-08', responses: 3, difference: null };
    expect(body.previous).toMatchObject(previous);
  });

  it.each(['value', 'against'])('400 for %s=few, which stands for several values', async (field) => {
    const asked = field === 'value' ? { value: 'few' } : { value: 'pro', against: 'few' };
    const { status, body } = await read({ segment: 'plan', ...asked });
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: field, message: 'combines values that have too few answers to be shown one by one' }],
    ]);
  });

  it('200 with every number to callers who may read comments', async () => {
    const { body } = await read({ by: 'day', segment: 'plan' }, tenant.secretKey);
    expect(body.responses).toBe(12);
    expect(body).not.toHaveProperty('smallestCell');
    expect(body.segments[0]).toMatchObject({ value: 'pro', responses: 11 });
    expect((await read({ segment: 'plan', value: 'few' }, tenant.secretKey)).status).toBe(200);
  });
});

describe('200', () => {
  it('returns zeros, no score and no rate for a survey without answers, and the last 90 days by week', async () => {
    const { status, body } = await ask({ surveySlug: slug });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      survey: { id: surveyId, slug, type: 'nps', scale: { min: 0, max: 10 } },
      ...{ from: '2026-08-23', to: '2026-11-20' },
      ...{ responses: 0, imported: 0, modelRequested: 0, dismissals: 0, comments: 0, followUpsRequested: 0 },
      ...{ reasons: [], shows: null, responseRate: null, score: null },
    });
    expect(body.distribution).toEqual(Array.from({ length: 11 }, (_, rating) => ({ rating, count: 0 })));
    const [first, second] = body.series;
    expect(first).toMatchObject({ from: '2026-08-23', to: '2026-08-23', responses: 0, score: null });
    expect(second).toMatchObject({ from: '2026-08-24', to: '2026-08-30' });
    expect(body).not.toHaveProperty('segments');
  });

  it('returns listed reasons, unused ones too, then older ones that were given; null for a value', async () => {
    const reasons = [
      { code: 'wrong', label: 'It was wrong' },
      { code: 'slow', label: 'Too slow' },
    ];
    await newTenant({ segments: plans('pro'), reasonCodes: ['slow', 'rude', 'wrong', 'odd'] }, { reasons });
    const given = (...places: number[]) => ({ given: places.map((place) => ({ code: '', place })) });
    await answered(
      { rating: 1, reasons: given(0, 1) },
      { rating: 2, reasons: given(0) },
      { rating: 3, reasons: given(0), revision: 1 },
      { rating: 4, reasons: given(0), identityKind: 'model-requested' },
      { rating: 5, reasons: given(0), at: '2026-01-01T00:00:00.000Z' },
    );
    const { body } = await ask({ surveyId });
    expect(body.reasons).toEqual([
      { code: 'wrong', label: 'It was wrong', count: 0 },
      { code: 'slow', label: 'Too slow', count: 2 },
      { code: 'rude', label: 'rude', count: 1 },
    ]);
    expect((await ask({ surveyId, segment: 'plan' })).body.reasons).toEqual(body.reasons);
    expect((await ask({ surveyId, segment: 'plan', value: 'pro' })).body.reasons).toBeNull();
  });

  it('returns questions with their answers, unless the survey never had any or a value is requested', async () => {
    expect((await ask({ surveyId })).body).not.toHaveProperty('questions');
    const choices = ['a', 'b'].map((code) => ({ code, label: code }));
    const use = { id: 'use', kind: 'many' as const, text: 'What for?', choices };
    await newTenant({ segments: plans('pro') }, { questions: [use] });
    const used = (value?: string[] | null, codes?: number[]) => ({
      given: [{ id: 'use', place: 0, kind: 'many', value, codes }],
    });
    await answered(
      { rating: 1, answers: used(['a', 'b'], [0, 1]) },
      { rating: 1, answers: used(['b'], [1]) },
      { rating: 1, answers: used(null) },
      { rating: 1, answers: used() },
      { rating: 1 },
    );
    const { body } = await ask({ surveyId, segment: 'plan' });
    expect(body.questions).toMatchObject([
      {
        ...{ id: 'use', text: 'What for?', asked: 4, answered: 2, skipped: 1, notReached: 1 },
        choices: [
          { code: 'a', count: 1, share: { value: 50 } },
          { code: 'b', count: 2, share: { value: 100 } },
        ],
      },
    ]);
    expect((await ask({ surveyId, segment: 'plan', value: 'pro' })).body).not.toHaveProperty('questions');
  });

  it('NPS: counts answers in the period, with model-requested and imported ones separate', async () => {
    await answered(
      { rating: 10, text: 'yes', followUpRequested: true },
      { rating: 9, source: 'import' },
      { rating: 7 },
      { rating: 0, at: '2026-11-02T00:00:00.000Z' },
      { rating: 0, at: '2026-11-01T23:59:59.999Z' },
      { rating: 1, identityKind: 'model-requested' },
      { type: 'dismissal' },
    );
    const { body } = await ask({ surveyId, from: '2026-11-02', to: '2026-11-20', by: 'month' });
    expect(body).toMatchObject({ responses: 4, imported: 1, modelRequested: 1, dismissals: 1 });
    expect(body).toMatchObject({ comments: 1, followUpsRequested: 1 });
    const groups = { promoters: 2, passives: 1, detractors: 1 };
    expect(body.score).toMatchObject({ metric: 'nps', value: 25, confidence: 0.95, ...groups });
    // Smoothed counts of 2.75 and 1.75 of 7: the difference is 1/7, and the variance is 4.5/7 − 1/49.
    const margin = 1.959964 * Math.sqrt((4.5 / 7 - 1 / 49) / 7);
    expect(body.score.low).toBeCloseTo(100 * (1 / 7 - margin), 6);
    expect(body.score.high).toBeCloseTo(100 * (1 / 7 + margin), 6);
    const { distribution, score } = body;
    const period = { from: '2026-11-02', to: '2026-11-20', responses: 4, dismissals: 1, shows: null };
    expect(body.series).toEqual([{ ...period, distribution, score }]);
  });

  const [agreed, helped] = [
    // s = 1.923538; t with 4 degrees of freedom = 2.776445.
    { value: 4.8, agree: 60, low: expect.closeTo(4.8 - (2.776445 * 1.923538) / Math.sqrt(5), 4), high: 7 },
    // n + z² = 7.841459, centered on (3 + z²/2) / (n + z²) = 0.627528
    { value: 75, low: expect.closeTo(28.91, 1), high: expect.closeTo(96.6, 1) },
  ];
  const satisfied = { value: 70, mean: 3.8, low: expect.closeTo(39.23, 2), high: expect.closeTo(89.67, 2) };

  it.each([
    ['csat', 'the percentage of 4 and 5, and the mean', [0, 1, 0, 2, 4, 3], satisfied],
    ['ces', 'the mean with its interval, and the percentage of 5 to 7', [0, 0, 1, 0, 1, 1, 1, 1], agreed],
    ['pmf', 'the percentage of 2', [1, 1, 2], { value: 50 }],
    ['thumbs', 'the percentage of 1', [1, 3], helped],
  ] as const)('%s: returns %s', async (type, _, counts, score) => {
    await newTenant({}, { type });
    const each = counts.map((count, rating) => ({ rating, count }));
    await answered(...each.flatMap(({ rating, count }) => Array.from({ length: count }, () => ({ rating }))));
    const { body } = await ask({ surveyId });
    expect(body.score).toMatchObject({ metric: type, ...score });
    expect(body.distribution).toEqual(each.filter(({ rating }) => rating >= TYPES[type].scale.min));
  });

  it('lists declared values of a segment, then others and none if present, largest first', async () => {
    await answered(inPlan('pro'), inPlan('pro', { rating: 0 }), inPlan('team'), {}, {}, {});
    const { segments } = (await ask({ surveyId, segment: 'plan' })).body;
    expect(segments.map(({ value, responses }: Image) => [value, responses])).toEqual([
      [null, 3],
      ['pro', 2],
      ['other', 1],
      ['free', 0],
    ]);
    expect(segments[1].score).toMatchObject({ value: 0, promoters: 1, detractors: 1 });
    expect(segments[3].score).toBeNull();
  });

  it('offers the kind of identity as a segment of every survey', async () => {
    await answered({ identityKind: 'identified' }, { identityKind: 'anon-device' }, {});
    const { segments } = (await ask({ surveyId, segment: 'identityKind' })).body;
    expect(segments.map(({ value, responses }: Image) => [value, responses])).toEqual([
      ['identified', 1],
      ['anon-device', 1],
      [null, 1],
      ['anon-conversation', 0],
    ]);
  });

  it('returns numbers for one value, and null for what is not counted by value', async () => {
    await answered(
      inPlan('pro', { rating: 10, text: 'yes', followUpRequested: true }),
      inPlan('pro', { rating: 3, followUpRequested: true, at: '2026-11-02T10:00:00.000Z' }),
      inPlan('pro', { rating: 1, identityKind: 'model-requested' }),
      inPlan('free', { rating: 9, text: 'fine', source: 'import' }),
      inPlan('team', { rating: 0, text: 'no' }),
      { rating: 8, text: 'so so' },
      inPlan('pro', { type: 'dismissal' }),
    );
    const value = async (named: string, more = {}) =>
      (await ask({ surveyId, segment: 'plan', value: named, ...more })).body;
    const pro = await value('pro', { from: '2026-11-01', to: '2026-11-30', by: 'month' });
    const uncounted = { imported: null, modelRequested: null, dismissals: null, shows: null };
    expect(pro).toMatchObject({ ...uncounted, responseRate: null, responses: 2 });
    expect(pro).toMatchObject({ comments: 1, followUpsRequested: 2 });
    expect(pro.score).toMatchObject({ value: 0, promoters: 1, detractors: 1 });
    expect(pro.distribution.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { rating: 3, count: 1 },
      { rating: 10, count: 1 },
    ]);
    expect(pro).not.toHaveProperty('segments');
    const { distribution, score } = pro;
    const period = { from: '2026-11-01', to: '2026-11-30', responses: 2, dismissals: null, shows: null };
    expect(pro.series).toEqual([{ ...period, distribution, score }]);
    expect(await value('free')).toMatchObject({ responses: 1, imported: null, comments: 1 });
    expect(await value('other')).toMatchObject({ responses: 1, comments: 1, score: { detractors: 1 } });
    expect(await value('null')).toMatchObject({ responses: 1, comments: 1, score: { passives: 1 } });
    const kind = await ask({ surveyId, segment: 'identityKind', value: 'anon-device' });
    expect(kind.body).toMatchObject({ responses: 0, comments: 0, score: null });
  });

  it('counts a value that is no longer declared among others, and returns `null` as a value if declared', async () => {
    const values = [{ text: 'pro', retired: true as const }, { text: 'null' }];
    await newTenant({ segments: [{ name: 'plan', values }] });
    await answered(inPlan('pro', { text: 'old' }), inPlan('null'), inPlan('null'), {});
    const value = async (named: string) => (await ask({ surveyId, segment: 'plan', value: named })).body;
    expect(await value('other')).toMatchObject({ responses: 1, comments: 1 });
    expect(await value('null')).toMatchObject({ responses: 2, comments: 0 });
    expect((await ask({ surveyId, segment: 'plan', value: 'pro' })).status).toBe(400);
  });

  it('counts answers by value in a survey that has had 40 values', async () => {
    const values = Array.from({ length: 40 }, (_, index) => `v${index}`);
    await newTenant({ segments: plans(...values) });
    const wordsOf = (index: number) => (index % 2 === 0 ? 'words' : undefined);
    await answered(
      ...values.map((plan, index) =>
        inPlan(plan, { text: wordsOf(index), followUpRequested: index % 3 === 0 }),
      ),
    );
    for (const [index, value] of values.entries()) {
      const { body } = await ask({ surveyId, segment: 'plan', value });
      const expected = { comments: index % 2 === 0 ? 1 : 0, followUpsRequested: index % 3 === 0 ? 1 : 0 };
      expect([value, body]).toEqual([value, expect.objectContaining({ responses: 1, ...expected })]);
    }
  });

  it('compares with the same number of preceding days, for the same value', async () => {
    await answered(
      inPlan('pro', { rating: 10 }),
      { rating: 10 },
      { rating: 0, at: '2026-11-18T00:00:00.000Z' },
      inPlan('pro', { rating: 0, at: '2026-11-17T23:59:59.999Z' }),
      { rating: 9, at: '2026-11-15T00:00:00.000Z' },
      { rating: 9, at: '2026-11-14T23:59:59.999Z' },
    );
    const span = { surveyId, from: '2026-11-18', to: '2026-11-20', compare: 'previous' };
    const { body } = await ask(span);
    expect(body.previous).toMatchObject({ from: '2026-11-15', to: '2026-11-17', responses: 2 });
    expect(body.previous.score).toMatchObject({ metric: 'nps', value: 0, promoters: 1, detractors: 1 });
    expect(body.previous.difference.value).toBeCloseTo(100 / 3);
    // Smoothed differences of 2.75 − 1.75 of 6 and 0 of 5; the variances are 0.722222 and 0.7.
    const margin = 196 * Math.sqrt(0.7222222 / 6 + 0.7 / 5);
    expect(body.previous.difference.low).toBeCloseTo(100 / 6 - margin, 1);
    expect(body.previous.difference.high).toBeCloseTo(100 / 6 + margin, 1);
    const { previous, ...numbers } = body;
    const { compare, ...plain } = span;
    expect(numbers).toEqual((await ask(plain)).body);

    const ofPro = (await ask({ ...span, segment: 'plan', value: 'pro' })).body;
    expect(ofPro).toMatchObject({ responses: 1, previous: { responses: 1, score: { value: -100 } } });
    expect(ofPro.previous.difference.value).toBe(200);
    const broken = (await ask({ ...span, segment: 'plan' })).body;
    expect(broken.previous).toEqual(previous);
    expect(broken.segments).toHaveLength(3);
  });

  it('compares with preceding days without answers', async () => {
    await answered({ rating: 10 });
    const query = { surveyId, from: '1970-01-01', to: '1970-01-03', compare: 'previous' };
    const nobody = { responses: 0, score: null, difference: null };
    expect((await ask(query)).body.previous).toEqual({ from: '1969-12-29', to: '1969-12-31', ...nobody });
    const recent = { surveyId, from: '2026-11-18', to: '2026-11-20', compare: 'previous' };
    expect((await ask(recent)).body.previous).toMatchObject(nobody);
    const later = { surveyId, from: '2026-11-21', to: '2026-11-22', compare: 'previous' };
    expect((await ask(later)).body.previous).toMatchObject({ responses: 1, difference: null });
  });

  it('compares one value with another, including others and none', async () => {
    const of = (plan: string, rating: number) => inPlan(plan, { rating });
    await answered(of('pro', 10), of('pro', 0), of('free', 9), of('team', 0), { rating: 7 });
    const against = async (other: string) =>
      (await ask({ surveyId, segment: 'plan', value: 'pro', against: other })).body.against;
    expect(await against('free')).toMatchObject({ value: 'free', responses: 1, score: { value: 100 } });
    expect((await against('free')).difference.value).toBe(-100);
    expect(await against('other')).toMatchObject({ value: 'other', responses: 1, score: { value: -100 } });
    expect(await against('null')).toMatchObject({ value: null, responses: 1, score: { value: 0 } });
    const query = { surveyId, segment: 'plan', value: 'other', against: 'pro' };
    expect((await ask(query)).body).toMatchObject({ responses: 1, against: { responses: 2 } });
  });

  it('includes suspended projects', async () => {
    tenant = await service.tenant({ status: 'suspended' });
    expect((await ask({ surveyId: tenant.surveys[0]?.id ?? '' })).status).toBe(200);
  });

  it.each([
    ['day', ['2026-11-18', '2026-11-19', '2026-11-20']],
    ['week', ['2026-11-18']],
    ['month', ['2026-11-18']],
  ])('returns contiguous buckets by %s without gaps', async (by, starts) => {
    const { body } = await ask({ surveyId, from: '2026-11-18', to: '2026-11-20', by });
    expect(body.series.map(({ from }: { from: string }) => from)).toEqual(starts);
  });

  it('accepts 400 days, with months that are cut at both ends', async () => {
    const { body } = await ask({ surveyId, from: '2025-10-17', to: '2026-11-20' });
    expect(body.series).toHaveLength(14);
    expect(body.series[0]).toMatchObject({ from: '2025-10-17', to: '2025-10-31' });
    expect(body.series[13]).toMatchObject({ from: '2026-11-01', to: '2026-11-20' });
  });
});

describe('400', () => {
  it.each([
    ['surveySlug', ''],
    ['surveySlug', 'surveyId=a&surveySlug=b'],
    ['from', 'surveyId=a&from=2026-02-30'],
    ['to', 'surveyId=a&to=yesterday'],
    // The next day would have a five-digit year and the previous day a negative one. Neither sorts by time.
    ['to', 'surveyId=a&from=9999-12-31&to=9999-12-31'],
    ['to', 'surveyId=a&to=0000-01-05'],
    ['from', 'surveyId=a&from=2026-11-03&to=2026-11-02'],
    ['from', 'surveyId=a&from=2025-10-16&to=2026-11-20'],
    ['by', 'surveyId=a&by=year'],
    ['value', 'surveyId=a&value=pro'],
    ['value', 'surveyId=a&segment=plan&value='],
    ['value', `surveyId=a&segment=plan&value=${'v'.repeat(65)}`],
    ['value', 'surveyId=a&segment=plan&value=a&value=b'],
    ['compare', 'surveyId=a&compare=next'],
    ['against', 'surveyId=a&segment=plan&against=pro'],
    ['against', 'surveyId=a&segment=plan&value=pro&against='],
    ['against', 'surveyId=a&segment=plan&value=pro&against=free&compare=previous'],
    ['surveySlug', 'surveySlug=&surveyId='],
    ['ratingmin', 'surveyId=a&ratingmin=3'],
    ['survey_slug', 'survey_slug=a'],
  ])('names %s: %s', async (path, query) => {
    const { status, body } = await ask(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it("lists the survey's segments when the segment is unknown", async () => {
    const { status, body } = await ask({ surveyId, segment: 'country' });
    expect(status).toBe(400);
    expect(body.error.issues).toEqual([
      { path: 'segment', message: "the survey's segments are identityKind, plan" },
    ]);
  });
});

it.each(['team', '__proto__', 'Pro', '%00'])(
  '400 naming a value that the survey does not have: %s',
  async (value) => {
    const { status, body } = await ask(`surveyId=${surveyId}&segment=plan&value=${value}`);
    expect([status, body.error.issues?.[0].path]).toEqual([400, 'value']);
  },
);

it.each(['team', 'pro', '__proto__'])('400 naming a value that cannot be compared: %s', async (against) => {
  const { status, body } = await ask({ surveyId, segment: 'plan', value: 'pro', against });
  expect([status, body.error.issues?.[0].path]).toEqual([400, 'against']);
});

it('404 with another project’s key', async () => {
  const other = await service.tenant();
  const query = { surveyId };
  expect((await service.call(getResults, { secretKey: other.secretKey, query })).status).toBe(404);
});

it.each([{ surveySlug: 'none' }, { surveyId: 'sv_none' }])('404 for %o', async (query) => {
  expect(codeOf(await ask(query))).toBe('404 survey_not_found');
});

describe('cost', () => {
  const year = { from: '2025-11-21', to: '2026-11-20' };
  const seed = (span: DaySpan) =>
    seedResults(service.table, { projectId: tenant.project.id, surveyId, values: VALUES.length, ...span });
  function expectQueries(queries: number, most: number): void {
    const calls = recording.take();
    expect(calls.map(({ operation }) => operation)).toEqual(Array(queries).fill('Query'));
    expect(calls.reduce((sum, { units }) => sum + (units.table ?? 0), 0)).toBeLessThanOrEqual(most);
  }

  beforeEach(async () => {
    await newTenant({ segments: plans(...VALUES) });
    await seed(year);
    await ask({ surveyId, ...year });
    recording.take();
  });

  const value = { segment: 'plan', value: 'value number 7' };
  it.each([
    ['one query of at most 50 read units for a survey with four-digit counters', {}, 1, 50, undefined],
    ['one query of at most 150 read units for one value', value, 1, 150, undefined],
    ['one more query, 165 read units together, for a segment of 20 values', { segment: 'plan' }, 2, 165, 22],
  ] as const)('of a year is %s', async (_, query, queries, most, segments) => {
    const { body } = await ask({ surveyId, ...year, ...query });
    expect([body.responses, body.segments?.length]).toEqual([365 * 11 * 1_234, segments]);
    expectQueries(queries, most);
  });

  it('of a year is one more query of at most 60 read units for six questions of 16 choices', async () => {
    const choices = Array.from({ length: 16 }, (_, code) => ({ code: `c${code}`, label: 'Choice' }));
    const questionsEver = Array.from({ length: 6 }, (_, nth) => ({
      ...{ id: `q${nth}`, kind: 'many' as const, text: 'What for?', choices },
    }));
    await newTenant({ questionsEver });
    await seed(year);
    await ask({ surveyId, ...year });
    recording.take();
    const { body } = await ask({ surveyId, ...year });
    expect(body.questions.at(-1).choices.at(-1).count).toBe(365 * 1_234);
    expectQueries(2, 110);
  });

  it('is two queries of at most 300 read units for one value compared with the year before', async () => {
    const before = { from: '2024-11-21', to: '2025-11-20' };
    await seed(before);
    const query = { surveyId, ...year, ...value };
    const { body } = await ask({ ...query, compare: 'previous' });
    expect(body.previous).toMatchObject({ ...before, responses: 365 * 11 * 1_234 });
    expectQueries(2, 300);
    await ask({ ...query, against: 'other' });
    expect(recording.take().map(({ operation }) => operation)).toEqual(['Query']);
  });
});

describe('a survey of type choice', () => {
  const choices = [
    { code: 'late', label: 'Late' },
    { code: 'price', label: 'Price', low: true },
  ];
  const choicesEver = [
    { code: 'price', label: 'Expensive', low: true },
    { code: 'gone', label: 'Gone' },
    { code: 'late', label: 'Late' },
  ];
  const on = (day: string, ...ratings: number[]) =>
    answered(
      ...ratings.map((rating, n) =>
        inPlan(n % 2 === 0 ? 'free' : 'pro', { rating, at: `2026-11-${day}T12:00:00Z` }),
      ),
    );

  it('200 with labels, shares and differences by code in place of a score', async () => {
    await newTenant({ segments: plans('free', 'pro'), choicesEver }, { type: 'choice', choices });
    await on('10', 1, 1, 0, 0);
    await on('17', 0, 0, 0, 2);
    const week = { surveyId, from: '2026-11-16', to: '2026-11-22', by: 'week' };
    const { body } = await ask({ ...week, segment: 'plan', compare: 'previous' });
    expect(body.survey).toMatchObject({
      scale: { min: 0, max: 2 },
      choices: [
        { code: 'late', label: 'Late', rating: 2 },
        { code: 'price', label: 'Price', low: true, rating: 0 },
        { code: 'gone', label: 'Gone', rating: 1 },
      ],
    });
    const late = { code: 'late', label: 'Late', rating: 2, count: 1, share: { value: 25 } };
    const price = { code: 'price', label: 'Price', rating: 0, count: 3, share: { value: 75 } };
    expect(body).toMatchObject({ responses: 4, score: null, distribution: [late, price] });
    expect(body.series).toMatchObject([{ score: null, distribution: [late, price] }]);
    expect(body.segments).toMatchObject([
      { value: 'free', distribution: [{ code: 'late', count: 0 }, { share: { value: 100 } }] },
      { value: 'pro', distribution: [{ code: 'late', count: 1 }, { share: { value: 50 } }] },
    ]);
    expect(body.previous).toMatchObject({
      responses: 4,
      score: null,
      difference: null,
      distribution: [{ count: 0 }, { count: 2 }, { code: 'gone', count: 2, share: { value: 50 } }],
      differences: [
        { code: 'late', value: 25 },
        { code: 'price', value: 25 },
        { code: 'gone', value: -50 },
      ],
    });
    const { body: pro } = await ask({ ...week, segment: 'plan', value: 'pro', against: 'free' });
    expect(pro).toMatchObject({
      distribution: [{ count: 1 }, { count: 1 }],
      against: { value: 'free', difference: null, differences: [{ value: 50 }, { value: -50 }] },
    });
  });

  it('200 with the counts of an open question, and no score', async () => {
    await newTenant({}, { type: 'open' });
    await on('17', 0, 0);
    const { body } = await ask({ surveyId, from: '2026-11-17', to: '2026-11-17', compare: 'previous' });
    expect(body).toMatchObject({ score: null, distribution: [{ rating: 0, count: 2 }] });
    expect(body.previous).toEqual(expect.not.objectContaining({ differences: expect.anything() }));
  });
});
