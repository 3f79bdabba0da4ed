import { beforeEach, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { aResponseRow, deliver, type Image } from '../support/fixtures/a-stream.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { seedResults } from '../support/fixtures/seed-results.ts';
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

beforeEach(() => newTenant({ segments: [{ name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] }] }));

const ask = (query: Record<string, string> | string) =>
  service.call(getResults, { secretKey: tenant.secretKey, query });
const answered = (...rows: Image[]) =>
  deliver(
    service,
    rows.map((row) => aResponseRow({ projectId: tenant.project.id, surveyId, ...row })),
  );

describe('to a key without comments, in a project with a smallest cell', () => {
  const PLAN = {
    segments: [{ name: 'plan', values: [{ text: 'free' }, { text: 'pro' }, { text: 'few' }] }],
  };
  let reader: string;
  beforeEach(async () => {
    await newTenant(PLAN);
    const projects = createProjectStore(service.table.table, service.table.readIndex);
    await projects.updateProject(tenant.project.id, { smallestCell: 3 });
    const key = aKey('reader', tenant.project.id, { scopes: ['results'] });
    await projects.addKey(tenant.project.id, key.stored);
    reader = key.text;
    const of = (day: string, plan: string, ...ratings: number[]) =>
      answered(
        ...ratings.map((rating) => ({
          rating,
          traits: JSON.stringify({ plan }),
          at: `2026-11-${day}T12:00:00.000Z`,
        })),
      );
    await of('09', 'pro', 10, 9, 8, 7);
    await of('10', 'free', 0);
    await of('11', 'pro', 6, 6, 6);
    // Today, a Friday.
    await of('20', 'pro', 1, 1, 1, 1);
  });
  const read = (query: Record<string, string>, secretKey = reader) =>
    service.call(getResults, {
      secretKey,
      query: { surveyId, from: '2026-11-09', to: '2026-11-20', ...query },
    });

  it('200 with complete weeks, and small days and values merged into the next smallest', async () => {
    const { body } = await read({ by: 'day', segment: 'plan' });
    expect(body).toMatchObject({ responses: 8, smallestCell: 3, shownTo: '2026-11-15' });
    expect(body.series.slice(0, 4)).toMatchObject([
      { responses: 4, score: { value: 50 } },
      { responses: 0, score: null, withheld: true },
      { responses: 0, score: null, withheld: true },
      { responses: 0, score: null },
    ]);
    expect(body.series[3]).not.toHaveProperty('withheld');
    expect(body.series.at(-1)).toMatchObject({ from: '2026-11-20', responses: 0, withheld: true });
    // `free` has one answer, so `pro` is merged with it.
    expect(body.segments).toMatchObject([
      { value: 'free', responses: 0 },
      { value: 'pro', responses: 0 },
      { value: 'few', responses: 8 },
    ]);
  });

  it('200 with one value by week, compared as shown', async () => {
    await answered(
      ...[1, 2, 3].map((rating) => ({
        rating,
        traits: JSON.stringify({ plan: 'free' }),
        at: '2026-11-02T12:00:00.000Z',
      })),
    );
    const { body } = await read({
      segment: 'plan',
      value: 'free',
      compare: 'previous',
      from: '2026-11-09',
      to: '2026-11-15',
    });
    expect(body).toMatchObject({ responses: 0, score: null });
    expect(body.series).toMatchObject([{ from: '2026-11-09', to: '2026-11-15', responses: 0 }]);
    expect(body.previous).toMatchObject({
      from: '2026-11-02',
      to: '2026-11-08',
      responses: 3,
      difference: null,
    });
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
      from: '2026-08-23',
      to: '2026-11-20',
      responses: 0,
      imported: 0,
      modelRequested: 0,
      dismissals: 0,
      shows: null,
      responseRate: null,
      comments: 0,
      followUpsRequested: 0,
      reasons: [],
      score: null,
    });
    expect(body.distribution).toEqual(Array.from({ length: 11 }, (_, rating) => ({ rating, count: 0 })));
    expect(body.series[0]).toMatchObject({
      from: '2026-08-23',
      to: '2026-08-23',
      responses: 0,
      score: null,
    });
    expect(body.series[1]).toMatchObject({ from: '2026-08-24', to: '2026-08-30' });
    expect(body).not.toHaveProperty('segments');
  });

  it('returns listed reasons, unused ones too, then older ones that were given; null for a value', async () => {
    const reasons = [
      { code: 'wrong', label: 'It was wrong' },
      { code: 'slow', label: 'Too slow' },
    ];
    const segments = [{ name: 'plan', values: [{ text: 'pro' }] }];
    await newTenant({ segments, reasonCodes: ['slow', 'rude', 'wrong', 'odd'] }, { reasons });
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
    expect(body.score).toMatchObject({
      metric: 'nps',
      value: 25,
      confidence: 0.95,
      promoters: 2,
      passives: 1,
      detractors: 1,
    });
    // 2.75 and 1.75 of 7: a difference of 1/7, a variance of 4.5/7 − 1/49.
    const margin = 1.959964 * Math.sqrt((4.5 / 7 - 1 / 49) / 7);
    expect(body.score.low).toBeCloseTo(100 * (1 / 7 - margin), 6);
    expect(body.score.high).toBeCloseTo(100 * (1 / 7 + margin), 6);
    expect(body.series).toEqual([
      {
        from: '2026-11-02',
        to: '2026-11-20',
        responses: 4,
        dismissals: 1,
        shows: null,
        distribution: body.distribution,
        score: body.score,
      },
    ]);
  });

  it('CSAT: returns the percentage of 4 and 5, and the mean', async () => {
    await newTenant({}, { type: 'csat' });
    await answered(...[1, 3, 3, 4, 4, 4, 4, 5, 5, 5].map((rating) => ({ rating })));
    const { score } = (await ask({ surveyId })).body;
    expect(score).toMatchObject({ metric: 'csat', value: 70, mean: 3.8 });
    expect(score.low).toBeCloseTo(39.23, 2);
    expect(score.high).toBeCloseTo(89.67, 2);
  });

  it('CES: returns the mean with its interval, and the percentage of 5 to 7', async () => {
    await newTenant({}, { type: 'ces' });
    await answered(...[2, 4, 5, 6, 7].map((rating) => ({ rating })));
    const { score } = (await ask({ surveyId })).body;
    expect(score).toMatchObject({ metric: 'ces', value: 4.8, agree: 60 });
    // s = 1.923538, t of 4 degrees of freedom = 2.776445
    expect(score.low).toBeCloseTo(4.8 - (2.776445 * 1.923538) / Math.sqrt(5), 4);
    expect(score.high).toBe(7);
  });

  it('PMF: returns the percentage of 2', async () => {
    await newTenant({}, { type: 'pmf' });
    await answered(...[0, 1, 2, 2].map((rating) => ({ rating })));
    const { body } = await ask({ surveyId });
    expect(body.score).toMatchObject({ metric: 'pmf', value: 50 });
    expect(body.distribution).toEqual([
      { rating: 0, count: 1 },
      { rating: 1, count: 1 },
      { rating: 2, count: 2 },
    ]);
  });

  it('thumbs: returns the percentage of 1', async () => {
    await newTenant({}, { type: 'thumbs' });
    await answered(...[0, 1, 1, 1].map((rating) => ({ rating })));
    const { body } = await ask({ surveyId });
    expect(body.score).toMatchObject({ metric: 'thumbs', value: 75 });
    // n + z² = 7.841459, centered on (3 + z²/2) / (n + z²) = 0.627528
    expect(body.score.low).toBeCloseTo(28.91, 1);
    expect(body.score.high).toBeCloseTo(96.6, 1);
    expect(body.distribution).toEqual([
      { rating: 0, count: 1 },
      { rating: 1, count: 3 },
    ]);
  });

  it('lists declared values of a segment, then others and none if present, largest first', async () => {
    const traits = (plan: string) => JSON.stringify({ plan });
    await answered(
      { traits: traits('pro') },
      { traits: traits('pro'), rating: 0 },
      { traits: traits('team') },
      {},
      {},
      {},
    );
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
    const of = (plan: string | undefined, more: Image) => ({
      ...(plan !== undefined && { traits: JSON.stringify({ plan }) }),
      ...more,
    });
    await answered(
      of('pro', { rating: 10, text: 'yes', followUpRequested: true }),
      of('pro', { rating: 3, followUpRequested: true, at: '2026-11-02T10:00:00.000Z' }),
      of('pro', { rating: 1, identityKind: 'model-requested' }),
      of('free', { rating: 9, text: 'fine', source: 'import' }),
      of('team', { rating: 0, text: 'no' }),
      of(undefined, { rating: 8, text: 'so so' }),
      { type: 'dismissal', traits: JSON.stringify({ plan: 'pro' }) },
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
    expect(pro.series).toEqual([
      {
        ...{ from: '2026-11-01', to: '2026-11-30', responses: 2, dismissals: null, shows: null },
        ...{ distribution: pro.distribution, score: pro.score },
      },
    ]);
    expect(await value('free')).toMatchObject({ responses: 1, imported: null, comments: 1 });
    expect(await value('other')).toMatchObject({ responses: 1, comments: 1, score: { detractors: 1 } });
    expect(await value('null')).toMatchObject({ responses: 1, comments: 1, score: { passives: 1 } });
    const kind = await ask({ surveyId, segment: 'identityKind', value: 'anon-device' });
    expect(kind.body).toMatchObject({ responses: 0, comments: 0, score: null });
  });

  it('counts a value that is no longer declared among others, and returns `null` as a value if declared', async () => {
    const values = [{ text: 'pro', retired: true as const }, { text: 'null' }];
    await newTenant({ segments: [{ name: 'plan', values }] });
    await answered(
      { traits: JSON.stringify({ plan: 'pro' }), text: 'old' },
      { traits: JSON.stringify({ plan: 'null' }) },
      { traits: JSON.stringify({ plan: 'null' }) },
      {},
    );
    const value = async (named: string) => (await ask({ surveyId, segment: 'plan', value: named })).body;
    expect(await value('other')).toMatchObject({ responses: 1, comments: 1 });
    expect(await value('null')).toMatchObject({ responses: 2, comments: 0 });
    expect((await ask({ surveyId, segment: 'plan', value: 'pro' })).status).toBe(400);
  });

  it('counts answers by value in a survey that has had 40 values', async () => {
    const values = Array.from({ length: 40 }, (_, index) => ({ text: `v${index}` }));
    await newTenant({ segments: [{ name: 'plan', values }] });
    await answered(
      ...values.map(({ text }, index) => ({
        traits: JSON.stringify({ plan: text }),
        text: index % 2 === 0 ? 'words' : undefined,
        followUpRequested: index % 3 === 0,
      })),
    );
    for (const [index, { text }] of values.entries()) {
      const { body } = await ask({ surveyId, segment: 'plan', value: text });
      const expected = { comments: index % 2 === 0 ? 1 : 0, followUpsRequested: index % 3 === 0 ? 1 : 0 };
      expect([text, body]).toEqual([text, expect.objectContaining({ responses: 1, ...expected })]);
    }
  });

  it('compares with the same number of preceding days, for the same value', async () => {
    const pro = JSON.stringify({ plan: 'pro' });
    await answered(
      { rating: 10, traits: pro },
      { rating: 10 },
      { rating: 0, at: '2026-11-18T00:00:00.000Z' },
      { rating: 0, at: '2026-11-17T23:59:59.999Z', traits: pro },
      { rating: 9, at: '2026-11-15T00:00:00.000Z' },
      { rating: 9, at: '2026-11-14T23:59:59.999Z' },
    );
    const span = { surveyId, from: '2026-11-18', to: '2026-11-20', compare: 'previous' };
    const { body } = await ask(span);
    expect(body.previous).toMatchObject({ from: '2026-11-15', to: '2026-11-17', responses: 2 });
    expect(body.previous.score).toMatchObject({ metric: 'nps', value: 0, promoters: 1, detractors: 1 });
    expect(body.previous.difference.value).toBeCloseTo(100 / 3);
    // 2.75 − 1.75 of 6, and 0 of 5; variances 0.722222 and 0.7.
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
    const of = (plan: string, rating: number) => ({ rating, traits: JSON.stringify({ plan }) });
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
    // The next day would have a fifth digit, the previous a sign; neither sorts by time.
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
  const { status, body } = await ask(query);
  expect([status, body.error.code]).toEqual([404, 'survey_not_found']);
});

describe('cost', () => {
  const year = { from: '2025-11-21', to: '2026-11-20' };

  beforeEach(async () => {
    await newTenant({ segments: [{ name: 'plan', values: VALUES.map((text) => ({ text })) }] });
    await seedResults(service.table, {
      projectId: tenant.project.id,
      surveyId,
      ...year,
      values: VALUES.length,
    });
    await ask({ surveyId, ...year });
    recording.take();
  });

  it('is one query of at most 50 read units for a year of a survey with four-digit counters', async () => {
    const { body } = await ask({ surveyId, ...year });
    expect(body.responses).toBe(365 * 11 * 1_234);
    const [query, ...more] = recording.take();
    expect([query?.operation, more]).toEqual(['Query', []]);
    expect(query?.units.table).toBeLessThanOrEqual(50);
  });

  it('is one query of at most 150 read units for one value', async () => {
    const { body } = await ask({ surveyId, ...year, segment: 'plan', value: 'value number 7' });
    expect(body.responses).toBe(365 * 11 * 1_234);
    const [query, ...more] = recording.take();
    expect([query?.operation, more]).toEqual(['Query', []]);
    expect(query?.units.table).toBeLessThanOrEqual(150);
  });

  it('is two queries of at most 300 read units for one value compared with the year before', async () => {
    const before = { from: '2024-11-21', to: '2025-11-20' };
    const values = VALUES.length;
    await seedResults(service.table, { projectId: tenant.project.id, surveyId, ...before, values });
    const query = { surveyId, ...year, segment: 'plan', value: 'value number 7' };
    const { body } = await ask({ ...query, compare: 'previous' });
    expect(body.previous).toMatchObject({ ...before, responses: 365 * 11 * 1_234 });
    const calls = recording.take();
    expect(calls.map(({ operation }) => operation)).toEqual(['Query', 'Query']);
    const units = calls.reduce((sum, call) => sum + (call.units.table ?? 0), 0);
    expect(units).toBeLessThanOrEqual(300);
    await ask({ ...query, against: 'other' });
    expect(recording.take().map(({ operation }) => operation)).toEqual(['Query']);
  });

  it('is one more query, 165 read units together, for a segment of 20 values', async () => {
    const { body } = await ask({ surveyId, ...year, segment: 'plan' });
    expect(body.segments).toHaveLength(22);
    const calls = recording.take();
    expect(calls.map(({ operation }) => operation)).toEqual(['Query', 'Query']);
    const units = calls.reduce((sum, call) => sum + (call.units.table ?? 0), 0);
    expect(units).toBeLessThanOrEqual(165);
  });
});
