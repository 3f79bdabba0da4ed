import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { DAY } from '../../shared/domain/duration.ts';
import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { aSubmission, codeOf } from '../support/fixtures/submission.ts';
import { showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { type CallOptions, createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant();

describe('200', () => {
  it('describes active surveys as clients need them', async () => {
    const content = {
      slug: 'checkout',
      type: 'ces',
      question: 'How easy was it?',
      followUpQuestion: 'Why?',
      presentation: 'banner',
      corner: 'top-left',
      trigger: 'manual',
      delayMs: 500,
      samplePercent: 12.5,
      targeting: [
        { trait: 'plan', op: 'in', value: ['team', null] },
        { trait: 'beta', op: 'exists' },
      ],
      endLabels: { low: 'Hard', high: 'Easy' },
      showBadge: false,
      locales: {
        de: { question: 'Wie leicht war es?', endLabels: { low: 'Schwer', high: 'Leicht' } },
        fr: {},
      },
    } as const;
    const limits = { maxResponses: 10, quietPeriodMs: DAY };
    const survey = aSurvey(
      { limits, startsAt: '2026-11-20T09:30:00.000Z' },
      structuredClone(content) as object,
    );
    const past = '2026-11-20T09:30:00.000Z';
    const others = [
      aSurvey({ status: 'draft' }),
      aSurvey({ status: 'paused' }),
      aSurvey({ status: 'archived' }),
      aSurvey({ endsAt: past }),
      aSurvey({ startsAt: '2026-11-20T09:30:00.001Z' }),
      aSurvey({ purgedAt: past }),
    ];
    const many = await service.tenant({}, [...others, survey]);
    const { body } = await service.call(bootstrap, { body: { key: many.publishableKey, userId: someone() } });
    expect(body.surveys).toEqual([{ id: survey.id, ...content, scale: { min: 1, max: 7 } }]);
    expect(Object.keys(body.showTokens)).toEqual([survey.id]);
  });

  describe('types that a client supports', () => {
    const types = ['nps', 'csat', 'ces', 'pmf', 'thumbs'] as const;
    const surveys = types.map((type) => aSurvey({}, { type, slug: type }));
    const first = types.slice(0, 4);

    async function served(owner: Tenant, event: CallOptions): Promise<string[]> {
      const { status, body } = await service.call(bootstrap, event);
      expect(status).toBe(200);
      const slugs = body.surveys.map(({ slug }: { slug: string }) => slug);
      const tokens = owner.surveys.filter(({ id }) => body.showTokens[id] !== undefined);
      expect(tokens.map(({ content }) => content.slug).sort()).toEqual(slugs.sort());
      return slugs;
    }

    it.each([
      ['all', undefined, types],
      ['all', 'all', types],
      ['the first four', 'first-four', first],
    ] as const)(
      'returns %s when the client names none and the project says %s',
      async (_, typesUnlessSaid, due) => {
        const owner = await service.tenant({ typesUnlessSaid, limits: NO_LIMITS }, structuredClone(surveys));
        const key = owner.publishableKey;
        const malformed = [undefined, null, 7, ['thumbs'], { thumbs: true }];
        for (const said of malformed) {
          const body = { key, userId: someone(), types: said };
          expect(await served(owner, { body })).toEqual([...due].sort());
        }
        for (const method of ['GET', 'POST']) {
          const path = method === 'GET' ? '/v1/definitions' : '/v1/sdk/bootstrap';
          const plain = `key=${key}&userId=ann`;
          for (const query of [plain, `${plain}&types=thumbs&types=pages`])
            expect(await served(owner, { method, path, query })).toEqual([...due].sort());
        }
      },
    );

    it.each(['all', 'first-four'] as const)(
      'returns the types the client names, whatever the project says (%s)',
      async (typesUnlessSaid) => {
        const owner = await service.tenant({ typesUnlessSaid, limits: NO_LIMITS }, structuredClone(surveys));
        const key = owner.publishableKey;
        const asks = (said: string) => served(owner, { body: { key, userId: someone(), types: said } });
        expect(await asks('thumbs')).toEqual([...types].sort());
        expect(await asks('pages, thumbs,,of-a-later-release')).toEqual([...types].sort());
        expect(await asks('pages')).toEqual([...first].sort());
        expect(await asks('')).toEqual([...first].sort());
        const query = `key=${key}&userId=ann&types=pages%2Cthumbs`;
        expect(await served(owner, { method: 'GET', path: '/v1/definitions', query })).toEqual(
          [...types].sort(),
        );
      },
    );

    it('returns surveys with pages or an event only if the client names these features', async () => {
      const on = { event: 'order-paid', after: '2s', times: 3 };
      const conditional = [
        aSurvey({}, { slug: 'anywhere' }),
        aSurvey({}, { slug: 'paged', pages: ['/orders/**'] }),
        aSurvey({}, { slug: 'awaited', on }),
        aSurvey({}, { slug: 'both', pages: ['/'], on }),
      ];
      const owner = await service.tenant({ typesUnlessSaid: 'all', limits: NO_LIMITS }, conditional);
      const key = owner.publishableKey;
      const asks = (said?: string) => served(owner, { body: { key, userId: someone(), types: said } });
      expect(await asks()).toEqual(['anywhere']);
      expect(await asks('thumbs')).toEqual(['anywhere']);
      expect(await asks('pages')).toEqual(['anywhere', 'paged']);
      expect(await asks('thumbs,events')).toEqual(['anywhere', 'awaited']);
      expect(await asks('thumbs,pages,events')).toEqual(['anywhere', 'awaited', 'both', 'paged']);
      const { body } = await service.call(bootstrap, { body: { key, types: 'pages,events' } });
      const both = body.surveys.find(({ slug }: { slug: string }) => slug === 'both');
      expect(both).toMatchObject({ pages: ['/'], on });
      const minted = await service.call(mintTokens, {
        secretKey: owner.secretKey,
        body: { respondentId: 'ann', sessionId: 's' },
      });
      expect(Object.keys(minted.body.tokens)).toHaveLength(4);
    });

    it('returns texts by rating only to clients that name them, and one text for all ratings to others', async () => {
      const followUps = [{ ratings: [0, 1], question: 'What went wrong?' }];
      const rated = { ratings: [9, 10], text: 'Review us?' };
      const own = { text: 'Thanks.' };
      const german = { followUps: followUps.map((each) => ({ ...each, question: 'Was lief schief?' })) };
      const owner = await service.tenant({ limits: NO_LIMITS }, [
        aSurvey({}, { slug: 'a', followUps, thanks: [rated, own], locales: { de: german } }),
        aSurvey({}, { slug: 'b', thanks: [rated] }),
        aSurvey({}, { slug: 'c', thanks: own }),
      ]);
      const textsOf = async (types?: string) => {
        const { body } = await service.call(bootstrap, { body: { key: owner.publishableKey, types } });
        const named = body.surveys.toSorted((a: SurveyContent, b: SurveyContent) =>
          a.slug < b.slug ? -1 : 1,
        );
        return named.map(({ followUps, thanks, locales }: SurveyContent) => ({
          ...{ followUps, thanks, locales },
        }));
      };
      const plain = [{ thanks: own, locales: { de: {} } }, {}, { thanks: own }];
      for (const types of [undefined, 'thumbs,pages,events']) expect(await textsOf(types)).toEqual(plain);
      expect(await textsOf('by-rating')).toEqual([
        { followUps, thanks: [rated, own], locales: { de: german } },
        { thanks: [rated], locales: {} },
        { thanks: own },
      ]);
    });

    it('still suppresses and mints surveys that were left out', async () => {
      const owner = await service.tenant(
        { typesUnlessSaid: 'first-four', limits: NO_LIMITS },
        structuredClone(surveys),
      );
      const { publishableKey: key } = owner;
      const place = surveys.findIndex(({ content }) => content.type === 'thumbs');
      const thumbs = owner.surveys[place]?.id;
      const answered = { mint: { respondentId: 'ann' }, surveyIndex: place, submission: { rating: 1 } };
      await linkedAnswer(service, owner, answered);
      const reply = await service.call(bootstrap, { body: { key, userId: 'ann' } });
      expect(reply.body.suppression).toEqual([thumbs]);
    });
  });

  it('issues a token for an eligible survey; once answered, it is suppressed and gets none', async () => {
    const userId = someone();
    const body = { key: tenant.publishableKey, userId };
    const first = await service.call(bootstrap, { body });
    expect(first.body.suppression).toEqual([]);
    const showToken = first.body.showTokens[surveyOf(tenant)];
    await service.call(submitResponse, { body: aSubmission(tenant, showToken) });
    const second = await service.call(bootstrap, { body });
    expect(second.body).toMatchObject({ suppression: [surveyOf(tenant)], showTokens: {} });
    const other = await service.call(bootstrap, { body: { ...body, userId: someone() } });
    expect(other.body.suppression).toEqual([]);
  });

  it('suppresses after a dismissal too, and starts the quiet period of every survey', async () => {
    const clock = createTestClock();
    const timed = await createTestService({ table: service.table, clock });
    const both = await timed.tenant({}, [aSurvey(), aSurvey()]);
    const body = { key: both.publishableKey, userId: someone() };
    const { showTokens } = (await timed.call(bootstrap, { body })).body;
    expect(Object.keys(showTokens).sort()).toEqual(both.surveys.map(({ id }) => id).sort());
    expect((await dismiss(timed, both, body.userId)).reply.status).toBe(201);

    clock.advance(7 * DAY - 1);
    const quiet = (await timed.call(bootstrap, { body })).body;
    expect(quiet).toMatchObject({ suppression: [surveyOf(both)], showTokens: {} });
    expect(quiet.surveys).toHaveLength(2);
    clock.advance(1);
    const after = (await timed.call(bootstrap, { body })).body;
    expect(Object.keys(after.showTokens)).toEqual([both.surveys[1]?.id]);
  });

  it('accepts a token that was issued before the quiet period began', async () => {
    const both = await service.tenant({ limits: { quietPeriodMs: 7 * DAY, monthlyCap: 1 } }, [
      aSurvey(),
      aSurvey(),
    ]);
    const body = { key: both.publishableKey, userId: someone() };
    const { showTokens } = (await service.call(bootstrap, { body })).body;
    for (const { id } of both.surveys) {
      const answer = aSubmission(both, showTokens[id], { surveyId: id });
      expect((await service.call(submitResponse, { body: answer })).status).toBe(201);
    }
  });

  it('lists surveys by priority, highest first, and mint uses the same order', async () => {
    const surveys = [-1, undefined, 7, 0].map((priority) =>
      aSurvey({}, priority === undefined ? {} : { priority }),
    );
    const [last, middle, first, equal] = surveys.map(({ id }) => id);
    const four = await service.tenant({}, surveys);
    const order = [first, ...[middle, equal].sort(), last];
    const { body } = await service.call(bootstrap, { body: { key: four.publishableKey, userId: 'ann' } });
    expect(body.surveys.map(({ id }: { id: string }) => id)).toEqual(order);
    expect(body.surveys.map(({ priority = 0 }: { priority?: number }) => priority)).toEqual([7, 0, 0, -1]);
    expect(Object.keys(body.showTokens)).toEqual(order);
    const mint = { respondentId: 'ann', sessionId: 's' };
    const minted = await service.call(mintTokens, { body: mint, secretKey: four.secretKey });
    expect(Object.keys(minted.body.tokens)).toEqual(order);
  });

  it('returns surveys without suppression or tokens when there is no userId', async () => {
    const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey } });
    expect(body).toEqual({ surveys: [expect.objectContaining({ id: surveyOf(tenant) })], suppression: [] });
  });

  it('returns the same from the alias GET /v1/definitions with query parameters', async () => {
    const userId = someone();
    await service.call(submitResponse, {
      body: aSubmission(tenant, await showTokenOf(service, tenant, { userId })),
    });
    const query = { key: tenant.publishableKey, userId };
    const alias = await service.call(bootstrap, { method: 'GET', path: '/v1/definitions', query });
    const posted = await service.call(bootstrap, { query });
    expect(alias.body).toEqual(posted.body);
    expect(alias.body.suppression).toEqual([surveyOf(tenant)]);
  });

  it('ignores traits, whatever they contain', async () => {
    const body = { key: tenant.publishableKey, userId: someone() };
    const plain = await service.call(bootstrap, { body });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (traits) => {
        const reply = await service.call(bootstrap, { body: { ...body, traits } });
        expect(reply.status).toBe(200);
        expect(Object.keys(reply.body)).toEqual(Object.keys(plain.body));
      }),
      { numRuns: 50 },
    );
  });
});

describe('400', () => {
  it.each([
    ['an empty userId', { userId: '' }, 'userId'],
    ['a userId of 257 bytes', { userId: 'a'.repeat(257) }, 'userId'],
    ['a userId of 129 characters and 258 bytes', { userId: 'ü'.repeat(129) }, 'userId'],
    ['a userId with a lone surrogate', { userId: 'ann\udc00' }, 'userId'],
    ['a numeric userId', { userId: 42 }, 'userId'],
  ])('for %s', async (_, fields, path) => {
    const reply = await service.call(bootstrap, { body: { key: tenant.publishableKey, ...fields } });
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
  });

  it.each(['a'.repeat(256), 'ü'.repeat(128), '😀'.repeat(64), '\0', '../../etc', 'P#x#R#y'])(
    'is not returned for a userId like %j',
    async (userId) => {
      const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
      expect(Object.keys(body.showTokens)).toEqual([surveyOf(tenant)]);
    },
  );
});
