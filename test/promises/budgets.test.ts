import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { onChange } from '../../functions/on-change.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { folds } from '../../functions/runtime/parts/answers.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import { MOST_REASONS } from '../../shared/domain/surveys/reasons.ts';
import { MOST_SEGMENTS } from '../../shared/domain/surveys/segments.ts';
import { aRecord, aResponseRow, type Image } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { seedShows } from '../support/fixtures/shown.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { START } from '../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import type { Tenant } from '../support/service/test-service.ts';

const { service, recording } = await createRecordedService();

const ONE_PUT = { table: 1, by_project: 1 };
const WISH = { rating: 2, followUpRequested: true };
const LONGEST = { rating: 9, text: 'x'.repeat(5_000) };

describe('DynamoDB calls and units of a request', () => {
  let tenant: Tenant;
  let surveyId: string;

  beforeEach(async () => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    surveyId = tenant.surveys[0]?.id ?? '';
    await service.call(bootstrap, { body: { key: tenant.publishableKey } });
    // The first use of a secret key on a day is stored once.
    await mint('warm-up');
    recording.take();
  });

  const boot = (userId: string) => service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
  const mint = (respondentId: string) =>
    service.call(mintTokens, { secretKey: tenant.secretKey, body: { respondentId, sessionId: 'session' } });
  const link = (respondentId: string) =>
    service.call(deferredAskLink, { secretKey: tenant.secretKey, body: { respondentId, surveyId } });
  const operations = () => recording.take().map(({ operation, units }) => ({ operation, units }));
  const QUERY = { operation: 'Query', units: { table: 1 } };
  const put = (more: object = {}) => [{ operation: 'PutItem', units: { ...ONE_PUT, ...more } }];
  const update = (more: object = {}) => ({ operation: 'UpdateItem', units: { table: 1, ...more } });

  /** Uses a warm token, and returns what it costs. */
  async function used(endpoint: Endpoint, fields: object = {}, issue = boot) {
    const { body } = await issue('ann');
    recording.take();
    const showToken = (body.tokens ?? body.showTokens)[surveyId];
    await service.call(endpoint, { body: { key: tenant.publishableKey, surveyId, showToken, ...fields } });
    return operations();
  }

  it.each([
    ['bootstrap', boot],
    ['mint', mint],
    ['link', link],
  ])('a warm %s makes one query of one read unit and no write', async (_, call) => {
    expect((await call('ann')).status).toBe(200);
    expect(operations()).toEqual([QUERY]);
  });

  it('bootstrap of a person with 1,000 folded answers to 500 surveys makes one query of three read units', async () => {
    const projectId = tenant.project.id;
    const surveyIds = Array.from({ length: 500 }, () => composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES)));
    await seedAnswers(service.table, {
      projectId,
      surveyIds,
      count: 1_000,
      respondentOf: () => 'ann',
      // Has one more answer in the last month than the default cap allows.
      momentOf: (index) => START - (index < 4 ? 7 * (index + 1) : 32 + index) * DAY,
      responseOf: () => ({ text: 'The checkout kept forgetting my address, but support sorted it out.' }),
    });
    const hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
    await folds(service.service).fold({ projectId, respondentHash: hash }, service.clock.now());
    recording.take();
    await boot('ann');
    expect(operations()).toEqual([{ operation: 'Query', units: { table: 3 } }]);
  });

  it.each([
    ['response', ONE_PUT, submitResponse, { rating: 9, text: 'short' }],
    ['response with a contact request', { ...ONE_PUT, by_contact: 1 }, submitResponse, WISH],
    ['response with the longest text', { ...ONE_PUT, table: 6 }, submitResponse, LONGEST],
    ['dismissal', ONE_PUT, submitDismissal, { userId: 'ann' }],
  ])('a warm %s makes one put and costs the units %o', async (_, units, endpoint, fields) => {
    expect(await used(endpoint, fields)).toEqual(put(units));
  });

  it('a warm linked response makes one put and costs one write unit more for the score index', async () => {
    const fields = { rating: 9, sessionId: 'session' };
    expect(await used(submitResponse, fields, mint)).toEqual(put({ by_score_state: 1 }));
  });

  it('a warm response with every reason makes the same put for the same units', async () => {
    const codes = Array.from({ length: MOST_REASONS }, (_, nth) => `${nth}`.padEnd(32, 'x'));
    const reasons = codes.map((code) => ({ code, label: code }));
    const asking = await service.tenant({ limits: NO_LIMITS }, [
      aSurvey({ reasonCodes: codes }, { type: 'thumbs', reasons }),
    ]);
    const [{ id } = { id: '' }] = asking.surveys;
    const key = asking.publishableKey;
    const { body } = await service.call(bootstrap, { body: { key, userId: 'ann', types: 'thumbs' } });
    recording.take();
    const fields = { surveyId: id, showToken: body.showTokens[id], rating: 0, reasons: codes };
    await service.call(submitResponse, { body: { key, ...fields } });
    expect(operations()).toEqual(put());
  });

  it("a warm impression makes one update of one write unit, and one in its index for a person's first", async () => {
    expect(await used(submitImpression)).toEqual([update({ by_project: 1 })]);
    expect(await used(submitImpression)).toEqual([update()]);
  });

  it('after three impressions of each of seven surveys, another costs one write unit, and bootstrap and mint one read unit', async () => {
    const hour = 3_600_000;
    for (let survey = 0; survey < 7; survey += 1) {
      const place = { projectId: tenant.project.id, surveyId: `sv_${'0'.repeat(15)}${survey}` };
      const times = [1, 2, 3].map((age) => START - age * hour);
      await seedShows(service, { ...place, respondentId: 'ann' }, times);
    }
    recording.take();
    await boot('ann');
    await mint('ann');
    expect(operations()).toEqual([QUERY, QUERY]);
    expect(await used(submitImpression)).toEqual([update()]);
  });

  describe('a revision, warm', () => {
    const revise = (showToken: string, fields: object) =>
      service.call(reviseResponse, { body: { key: tenant.publishableKey, surveyId, showToken, ...fields } });
    const session = { sessionId: 'session' };

    async function answered(bound: boolean): Promise<{ showToken: string; id: string }> {
      const { body } = await (bound ? mint('ann') : boot('ann'));
      const showToken = (body.tokens ?? body.showTokens)[surveyId];
      const answer = { key: tenant.publishableKey, surveyId, showToken, rating: 9, ...(bound && session) };
      const reply = await service.call(submitResponse, { body: answer });
      recording.take();
      return { showToken, id: reply.body.id };
    }

    async function acked(id: string, state: string): Promise<void> {
      const body = { results: [{ id, state }] };
      await service.call(ackScores, { secretKey: tenant.secretKey, body });
      recording.take();
    }

    it('makes one update of one write unit in the table and none in an index', async () => {
      const { showToken } = await answered(false);
      for (const fields of [
        { revision: 1, rating: 3 },
        { revision: 2, withdraw: true },
      ]) {
        await revise(showToken, fields);
        expect(operations()).toEqual([update()]);
      }
    });

    it('costs one more read and one more unit to be listed if it asks to be contacted, but nothing when repeated', async () => {
      const { showToken } = await answered(false);
      const wish = { rating: 3, followUpRequested: true };
      await revise(showToken, { revision: 1, ...wish });
      expect(operations()).toEqual([QUERY, update({ by_contact: 1 })]);
      await revise(showToken, { revision: 2, ...wish });
      expect(operations()).toEqual([QUERY, update()]);
      await revise(showToken, { revision: 3, rating: 3 });
      expect(operations()).toEqual([update({ by_contact: 1 })]);
    });

    it('costs one more unit to put a delivered score into the queue again, and two if the score is withdrawn', async () => {
      const { showToken, id } = await answered(true);
      await acked(id, 'delivered');
      await revise(showToken, { revision: 1, rating: 3, ...session });
      expect(operations()).toEqual([update({ by_score_state: 1 })]);
      await revise(showToken, { revision: 2, withdraw: true, ...session });
      expect(operations()).toEqual([update({ by_score_state: 2 })]);
    });

    it('makes two updates, of which one stores, if it withdraws a score that was never pushed', async () => {
      const { showToken } = await answered(true);
      recording.takeBegun();
      await revise(showToken, { revision: 1, withdraw: true, ...session });
      expect(recording.takeBegun()).toEqual(['UpdateItem', 'UpdateItem']);
      expect(operations()).toEqual([update({ by_score_state: 1 })]);
    });

    it('makes one update that stores nothing when it is repeated', async () => {
      const { showToken } = await answered(false);
      await revise(showToken, { revision: 1, rating: 3 });
      recording.take();
      recording.takeBegun();
      await revise(showToken, { revision: 1, rating: 3 });
      expect([recording.takeBegun(), operations()]).toEqual([['UpdateItem'], []]);
    });
  });

  /** Decision 80 has these figures. */
  describe('counting a batch of the stream', () => {
    const names = Array.from({ length: MOST_SEGMENTS }, (_, index) => `trait${index}`);
    const traits = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'a'])));
    let plain: string;
    let segmented: string;

    beforeEach(async () => {
      const segments = names.map((name) => ({ name, values: [{ text: 'a' }] }));
      tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey({ segments })]);
      [plain, segmented] = tenant.surveys.map(({ id }) => id) as [string, string];
      await count([insert(plain), insert(segmented)]);
    });

    const row = (survey: string, more: Image = {}) =>
      aResponseRow({
        projectId: tenant.project.id,
        surveyId: survey,
        tokenId: randomUUID(),
        traits,
        ...more,
      });
    const insert = (survey: string, more?: Image) => aRecord(undefined, row(survey, more));
    async function count(Records: ReturnType<typeof aRecord>[]) {
      recording.take();
      await onChange(service.service)({ Records });
      const written = operations().filter(({ operation }) => operation === 'TransactWriteItems');
      return {
        transactions: written.length,
        units: written.reduce((sum, { units }) => sum + (units.table ?? 0), 0),
      };
    }

    it('costs 10 write units for a response, 2 more for a segment, 6 for a dismissal, 8 for an erasure, none for an ack', async () => {
      const erased = row(plain);
      expect(await count([insert(plain)])).toEqual({ transactions: 1, units: 10 });
      expect(await count([insert(segmented)])).toEqual({ transactions: 1, units: 10 + 2 * MOST_SEGMENTS });
      expect(await count([insert(plain, { type: 'dismissal' })])).toEqual({ transactions: 1, units: 6 });
      expect(await count([aRecord(erased, undefined)])).toEqual({ transactions: 1, units: 8 });
      expect(await count([aRecord(erased, { ...erased, scoreState: 'delivered' })])).toEqual({
        transactions: 0,
        units: 0,
      });
    });

    it('costs 216 units in two transactions for a hundred responses to a survey, and 4 more for a segment', async () => {
      const hundred = (survey: string) => Array.from({ length: 100 }, () => insert(survey));
      expect(await count(hundred(plain))).toEqual({ transactions: 2, units: 216 });
      expect(await count(hundred(segmented))).toEqual({ transactions: 2, units: 216 + 4 * MOST_SEGMENTS });
    });
  });

  it('a request refused for its token costs nothing', async () => {
    const forged = { key: tenant.publishableKey, surveyId, showToken: 'forged', rating: 9 };
    expect((await service.call(submitResponse, { body: forged })).status).toBe(401);
    expect(operations()).toEqual([]);
  });

  it.each([
    ['bootstrap', boot],
    ['mint', mint],
    ['link', link],
  ])('a cold %s reads twice in parallel, not in sequence', async (_name, call) => {
    service.clock.advance(31_000);
    await call('ann');
    const [first, second, ...more] = recording.take();
    expect(more).toEqual([]);
    expect([first?.operation, second?.operation]).toEqual(['Query', 'Query']);
    expect(Math.max(first?.startedAt ?? 0, second?.startedAt ?? 0)).toBeLessThan(
      Math.min(first?.endedAt ?? 0, second?.endedAt ?? 0),
    );
  });
});
