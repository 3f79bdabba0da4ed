import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { surveys } from '../../functions/runtime/parts/projects.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import type { SurveyQuestion } from '../../shared/domain/surveys/survey.ts';
import { applyUpdate } from '../../shared/domain/surveys/survey-plan.ts';
import { aLink, open, post, said } from '../support/fixtures/a-link.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { someone } from '../support/fixtures/tokens.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
const { service, recording } = await createRecordedService();
beforeEach(async () => {
  tenant = await service.tenant({ allowedOrigins: ['https://app.example.com'] }, [
    aSurvey(
      {},
      { thanks: { text: 'That helps <us>', link: { label: 'Back', url: 'https://example.com/a' } } },
    ),
  ]);
});

const storedOf = async (respondentId: string, of = tenant) =>
  (await exportOf(service, of, { respondentId })).body.responses;

describe('200', () => {
  it('thanks for the rating that was given', async () => {
    const thanks = [
      { ratings: [9, 10], text: 'Review us?', link: { label: 'Review', url: 'https://example.com/review' } },
      { text: 'Thanks.' },
    ];
    const locales = { de: { thanks: { text: 'Danke.' } } };
    const asking = await service.tenant({}, [aSurvey({}, { thanks, locales })]);
    for (const [rating, lang, text] of [
      ['9', 'en', 'Review us?'],
      ['8', 'en', 'Thanks.'],
      ['8', 'de', 'Danke.'],
      ['9', 'de', 'Review us?'],
    ] as const) {
      const reply = await post(service, await aLink(service, asking), { rating }, { query: `lang=${lang}` });
      expect(said(reply)).toBe(`200 ${text}`);
      expect(reply.text.includes('https://example.com/review')).toBe(rating === '9');
    }
  });

  it("stores the answer and shows the thank-you page in the survey's language, from any origin", async () => {
    const respondentId = someone();
    const path = await aLink(service, tenant, { respondentId, sessionId: 's-1', traceId: 't-1' });
    const reply = await post(service, path, { rating: '7', text: 'a b+c&d', contact: '' });
    expect(said(reply)).toBe('200 That helps &lt;us&gt;');
    expect(reply.text).toContain('href="https://example.com/a"');
    expect(await storedOf(respondentId)).toMatchObject([
      {
        rating: 7,
        text: 'a b+c&d',
        contact: null,
        followUpRequested: null,
        sessionId: 's-1',
        traceId: 't-1',
      },
    ]);
  });

  it('stores every checked reason when the rating is low', async () => {
    const reasons = ['slow', 'wrong'].map((code) => ({ code, label: code }));
    const asking = await service.tenant({}, [aSurvey({ reasonCodes: ['slow', 'wrong'] }, { reasons })]);
    const storedWith = async (form: string) => {
      const respondentId = someone();
      await post(service, await aLink(service, asking, { respondentId }), form);
      return (await storedOf(respondentId, asking))[0].reasons;
    };
    const ticked = 'reasons=wrong&reasons=other&reasons=slow';
    expect(await storedWith(`rating=6&${ticked}`)).toEqual(['slow', 'wrong']);
    expect(await storedWith(`rating=7&${ticked}`)).toBeNull();
    expect(await storedWith('rating=0&reasons=')).toBeNull();
  });

  it('stores answers to the questions that the rating asks; those without a value are skipped', async () => {
    const codes = ['reports', 'alerts'].map((code) => ({ code, label: code }));
    const questions: SurveyQuestion[] = [
      { id: 'use', kind: 'many', text: 'What for?', choices: codes },
      { id: 'effort', kind: 'scale', text: 'How easy?', min: 0, max: 7 },
      { id: 'more', kind: 'text', text: 'Anything else?', ratings: [9, 10] },
    ];
    const asking = await service.tenant({ redact: true }, [aSurvey({}, { questions })]);
    const storedWith = async (form: string) => {
      const respondentId = someone();
      await post(service, await aLink(service, asking, { respondentId }), form);
      return (await storedOf(respondentId, asking))[0].answers;
    };
    const page = 'answers.use=&answers.effort=&answers.more=';
    const filled =
      'answers.use=alerts&answers.use=x&answers.use=reports&answers.effort=0&answers.more=a%40b.co';
    const coded = { use: ['reports', 'alerts'], effort: 0 };
    expect(await storedWith(`rating=9&${page}&${filled}`)).toEqual({
      ...coded,
      more: expect.not.stringContaining('@'),
    });
    expect(await storedWith(`rating=8&${page}&${filled}`)).toEqual(coded);
    expect(await storedWith(`rating=9&${page}`)).toEqual({ use: null, effort: null, more: null });
    expect(await storedWith('rating=9')).toBeNull();
    expect(await storedWith('rating=9&answers.effort=high&answers.nope=1&answers.more=5')).toEqual({
      more: '5',
    });

    // The page is newer than the settings of the instance that stores the answer.
    const [before = aSurvey()] = asking.surveys;
    const { id, limits, status, content } = before;
    const next: SurveyQuestion = { id: 'next', kind: 'many', text: 'What next?', choices: codes };
    const after = { id, limits, status, content: { ...content, questions: [next] } };
    const updated = [applyUpdate({ before, after }, service.clock.now())];
    await surveys(service.service).write(asking.project.id, { created: [], updated }, undefined);
    service.clock.advance(3 * SECOND);
    expect(await storedWith('rating=9&answers.next=&answers.next=alerts')).toEqual({ next: ['alerts'] });
  });

  it.each([
    ['only a rating', 'rating=0', { rating: 0, text: null, contact: null, followUpRequested: null }],
    ['a contact request', 'rating=3&followUpRequested=true', { contact: null, followUpRequested: true }],
    [
      'a contact checkbox that a higher rating hid',
      'rating=7&followUpRequested=true',
      { rating: 7, contact: null, followUpRequested: null },
    ],
    ['another value of the checkbox', 'rating=3&followUpRequested=yes', { followUpRequested: null }],
    [
      'an address of an older form',
      'rating=3&contact=ann%40example.com',
      { contact: 'ann@example.com', followUpRequested: true },
    ],
    [
      'an address with any rating, for which older forms asked everyone',
      'rating=9&contact=ann%40example.com',
      { contact: 'ann@example.com', followUpRequested: true },
    ],
    ['text that was not escaped', 'rating=3&text=größe', { text: 'größe' }],
    ['a field twice: the first counts', 'rating=3&rating=4', { rating: 3 }],
    ['unknown fields', 'rating=3&sessionId=forged&respondentId=x', { rating: 3, sessionId: null }],
    ['text that is too long', `rating=3&text=${'x'.repeat(6_000)}`, { text: 'x'.repeat(5_000) }],
    ['a contact that is too long', `rating=3&contact=${'x'.repeat(257)}`, { contact: null }],
    ['bytes that are not text', 'rating=3&text=a%ffb', { text: expect.stringMatching(/^a.+b$/) }],
  ])('accepts %s', async (_, form, stored) => {
    const respondentId = someone();
    const reply = await post(service, await aLink(service, tenant, { respondentId }), form);
    expect(reply.status).toBe(200);
    expect(await storedOf(respondentId)).toMatchObject([{ ...stored, linked: false }]);
  });

  it('makes one put of one write unit in the table and in each index', async () => {
    const path = await aLink(service, tenant, { sessionId: 's-1' });
    await open(service, path);
    recording.take();
    await post(service, path, { rating: '1' });
    const calls = recording.take().map(({ operation, units }) => ({ operation, units }));
    expect(calls).toEqual([{ operation: 'PutItem', units: { table: 1, by_project: 1, by_score_state: 1 } }]);
  });
});

it.each([
  ['nothing', ''],
  ['no rating', 'text=good'],
  ['an empty rating', 'rating='],
  ['a rating beyond the scale', 'rating=11'],
  ['a rating that is not a number', 'rating=ten'],
  ['JSON', '{"rating":3}'],
  ['a form of more than 64 KiB', `rating=3&text=${'x'.repeat(66_000)}`],
])('400 explains what is missing, links back and keeps the token: %s', async (_, form) => {
  const path = await aLink(service, tenant);
  const reply = await post(service, path, form);
  expect(said(reply)).toBe('400 Please choose a rating.');
  expect(reply.text).toContain('href="">Try again</a>');
  expect((await post(service, path, { rating: '3' })).status).toBe(200);
});

describe('409', () => {
  it('for a used token, even with the same answer or after the person was erased', async () => {
    const respondentId = someone();
    const path = await aLink(service, tenant, { respondentId });
    await post(service, path, { rating: '3' });
    const again = await post(service, path, { rating: '3' });
    expect(said(again)).toBe('409 This link has already been used.');
    expect(again.text).not.toContain(respondentId);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId } });
    expect((await post(service, path, { rating: '3' })).status).toBe(409);
    expect((await open(service, path)).status).toBe(409);
  });

  it('for the second of two concurrent answers', async () => {
    const path = await aLink(service, tenant);
    const replies = await Promise.all(['1', '2', '3'].map((rating) => post(service, path, { rating })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

it('410 for an expired token', async () => {
  const path = await aLink(service, tenant, { expiresIn: '1d' });
  service.clock.advance(DAY);
  expect(said(await post(service, path, { rating: '3' }))).toBe('410 This link has expired.');
});

it('404 for an unknown survey', async () => {
  expect(said(await post(service, '/l/none', { rating: '3' }))).toBe('404 This link is not valid.');
});

it('403 for a suspended project, and keeps the token', async () => {
  const path = await aLink(service, tenant);
  await service.projects.updateProject(tenant.project.id, { status: 'suspended' });
  service.clock.advance(31_000);
  expect((await post(service, path, { rating: '3' })).status).toBe(403);
  await service.projects.updateProject(tenant.project.id, { status: 'active' });
  service.clock.advance(31_000);
  expect((await post(service, path, { rating: '3' })).status).toBe(200);
});

it('429 with a page that names when to try again', async () => {
  const slow = await service.tenant({ rates: { publishable: 1, secret: 0, genuine: 1 } });
  const path = await aLink(service, slow);
  const replies = [0, 1, 2, 3, 4].map(() => post(service, path, { rating: 'none' }));
  const limited = (await Promise.all(replies)).at(-1);
  expect([limited?.status, limited?.headers['retry-after']]).toEqual([429, '1']);
});
