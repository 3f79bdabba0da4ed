import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { readHistory } from '../../shared/data/answers/answer-store.ts';
import { createHistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { DAY, HOUR, SECOND } from '../../shared/domain/duration.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey, surveysIn } from '../support/fixtures/builders.ts';
import {
  HISTORY_QUERIES,
  HISTORY_UNITS,
  HISTORY_UNITS_AT_WORST,
  hoard,
  readsOf,
} from '../support/fixtures/hoard.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers, TEST_SHARDS } from '../support/fixtures/seed-answers.ts';
import { scanAll } from '../support/scan-all.ts';
import { createPurgeService, type PurgeService } from '../support/service/purge-service.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { createSteppingClock, START } from '../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const ANSWERS = 300;

describe(`${ANSWERS} answers of 24 KB under one id`, () => {
  it('cost bootstrap and mint at most 2 queries and 48 read units, yield no tokens and do not affect other people', async () => {
    const { service, recording } = await createRecordedService();
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    await hoard(service.table, tenant, ANSWERS);
    const boot = (userId: string) =>
      service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
    const mint = () =>
      service.call(mintTokens, {
        secretKey: tenant.secretKey,
        body: { respondentId: 'ann', sessionId: 'session' },
      });
    await boot('warm-up');

    for (const [call, field] of [
      [() => boot('ann'), 'showTokens'],
      [mint, 'tokens'],
    ] as const) {
      recording.take();
      const reply = await call();
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({ [field]: {}, suppression: [tenant.surveys[0]?.id] });
      const { queries, units } = readsOf(recording);
      expect(queries).toBeLessThanOrEqual(2);
      expect(units).toBeLessThanOrEqual(HISTORY_UNITS);
    }
    expect(Object.keys((await boot('ben')).body.showTokens)).toHaveLength(2);
    expect(readsOf(recording)).toEqual({ queries: 1, units: 1 });
  });

  it('are folded in parts, each fold continuing after the last', async () => {
    const table = await createTestTable();
    const service = await createTestService({ table });
    const tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: DAY });
    await hoard(table, tenant, ANSWERS);
    const projectId = tenant.project.id;
    const hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
    const folds = createHistoryFolds(table.table, TEST_SHARDS, { mostPages: 2 });
    const read = () => readHistory(table.table, projectId, hash);
    let rounds = 0;
    while ((await read()).isTooLong === true) {
      rounds += 1;
      expect(rounds).toBeLessThan(10);
      await folds.fold({ projectId, respondentHash: hash }, START + 2 * DAY);
    }
    expect(rounds).toBeGreaterThan(2);
    expect(surveysIn(await read())).toEqual(new Set(tenant.surveys.map(({ id }) => id)));
  });
});

describe('bootstrap within the lifetime of a token', () => {
  /** Lengths are in bytes, newest first. */
  async function readsAfter(lengths: readonly number[]) {
    const { service, recording } = await createRecordedService();
    const tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: 30 * DAY }, [
      aSurvey(),
      aSurvey(),
    ]);
    await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds: tenant.surveys.slice(0, 1).map(({ id }) => id),
      count: lengths.length,
      respondentOf: () => 'ann',
      momentOf: (index) => START - HOUR - index,
      responseOf: (index) => ({ text: 'x'.repeat(lengths[index] ?? 0) }),
    });
    const boot = (userId: string) =>
      service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
    await boot('warm-up');
    recording.take();
    const { showTokens, suppression } = (await boot('ann')).body;
    expect(suppression).toEqual([tenant.surveys[0]?.id]);
    return { ...readsOf(recording), tokens: Object.keys(showTokens).length };
  }
  const times = (count: number, length: number) => Array.from({ length: count }, () => length);

  it('still issues tokens to a person with 100 answers of 1 KB, for 48 units', async () => {
    const { tokens, units, queries } = await readsAfter(times(100, 1_024));
    expect(tokens).toBe(1);
    expect(units).toBeLessThanOrEqual(HISTORY_UNITS);
    expect(queries).toBeLessThanOrEqual(HISTORY_QUERIES);
  });

  it('reads six answers in one query and twelve in two', async () => {
    expect(await readsAfter(times(6, 100))).toMatchObject({ tokens: 1, queries: 1 });
    expect(await readsAfter(times(12, 100))).toMatchObject({ tokens: 1, queries: 2 });
  });

  it.each([
    ['of one size', times(60, 4_000), HISTORY_UNITS],
    [
      'small ones before the largest, on which no estimate is right',
      [...times(30, 0), ...times(60, 20_000)],
      HISTORY_UNITS_AT_WORST,
    ],
    ['tiny ones', times(250, 0), HISTORY_UNITS],
  ])(
    'issues no tokens for more answers than fit, within the same units and queries: %s',
    async (_, lengths, most) => {
      const { tokens, units, queries } = await readsAfter(lengths);
      expect(tokens).toBe(0);
      expect(units).toBeLessThanOrEqual(most);
      expect(queries).toBeLessThanOrEqual(HISTORY_QUERIES);
    },
  );
});

describe('erasing more than one request can delete', () => {
  let purging: PurgeService;
  let service: TestService;
  let tenant: Tenant;
  const erased = (query: object = { respondentId: 'ann' }) =>
    service.call(erase, { secretKey: tenant.secretKey, query: { ...query } });

  beforeEach(async () => {
    // Each reading of the clock advances it, so a request deletes only a few pages.
    const clock = createSteppingClock(5 * SECOND);
    purging = await createPurgeService({ clock });
    ({ service } = purging);
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds: tenant.surveys.slice(0, 1).map(({ id }) => id),
      count: 2_000,
      respondentOf: () => 'ann',
      momentOf: (index) => START - 10_000 + index,
    });
    await respond(service, tenant, 'ben');
  });

  const answersOf = async (respondentId: string) =>
    (await scanAll(service.table, tenant.project.id)).filter(
      (row) => row.type === 'response' && row.respondentId === respondentId,
    ).length;

  it('200 with the number deleted so far and a note that deletion continues; a second request deletes more', async () => {
    const first = await erased();
    expect(first.status).toBe(200);
    expect(first.body.responsesDeleted).toBeGreaterThan(0);
    expect(first.body.responsesDeleted).toBeLessThan(2_000);
    expect(first.body.note).toContain('continues with the rest');
    expect(await answersOf('ann')).toBe(2_000 - first.body.responsesDeleted);

    const second = await erased();
    expect(second.body.responsesDeleted).toBeGreaterThan(0);
    expect(await answersOf('ann')).toBe(2_000 - first.body.responsesDeleted - second.body.responsesDeleted);
  });

  it('leaves the rest to the state machine, which deletes nothing else', async () => {
    const { responsesDeleted } = (await erased()).body;
    await purging.carryOut();
    expect(purging.failures).toEqual([]);
    expect(await answersOf('ann')).toBe(0);
    expect(await answersOf('ben')).toBe(1);
    const rows = await scanAll(service.table, tenant.project.id);
    expect(rows.filter(({ type }) => type === 'purge')).toMatchObject([
      { state: 'done', responses: 2_000 - responsesDeleted, respondentHash: expect.any(String) },
    ]);
    expect(rows.filter(({ purgedAt }) => purgedAt !== undefined)).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain('"ann"');
    expect(rows.filter(({ type }) => type === 'response')).toMatchObject([{ respondentId: 'ben' }]);
    const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    expect(body.suppression).toEqual([tenant.surveys[0]?.id]);
  });

  it('deletes the record of the erasure, too, when the account is purged', async () => {
    await erased();
    await purging.carryOut();
    expect((await erased({ account: 'true' })).status).toBe(200);
    await purging.carryOut();
    expect(await scanAll(service.table, tenant.project.id)).toMatchObject([{ type: 'purge', state: 'done' }]);
  });
});
