import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { log } from '../../functions/runtime/compose.ts';
import { answers } from '../../functions/runtime/parts/answers.ts';
import { createStreamHandler, type StreamHandler } from '../../functions/stream/consume.ts';
import { createHistoryFolding } from '../../functions/stream/fold-histories.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { insertsOf } from '../support/fixtures/a-stream.ts';
import { anId, aSurvey, surveysIn } from '../support/fixtures/builders.ts';
import { HISTORY_QUERIES, HISTORY_UNITS, readsOf } from '../support/fixtures/hoard.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import type { RecordingClient } from '../support/stand-ins/recording-client.ts';

const SURVEYS = Array.from({ length: 500 }, () => `sv_${anId()}`);

const foldingOf = ({ service }: TestService): StreamHandler =>
  createStreamHandler([createHistoryFolding(service)], log(service));

describe('a history of 1,000 answers', () => {
  let service: TestService;
  let recording: RecordingClient;
  let tenant: Tenant;

  beforeAll(async () => {
    ({ service, recording } = await createRecordedService());
  });

  beforeEach(async () => {
    tenant = await service.tenant({ limits: { quietPeriodMs: 0, monthlyCap: 5 } }, [aSurvey(), aSurvey()]);
    await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds: SURVEYS,
      count: 1_000,
      respondentOf: () => 'ann',
      momentOf: (index) => START - (index < 3 ? (index + 1) * 8 * DAY : 32 * DAY + index * 1.5 * DAY),
      responseOf: (index) => (index % 3 === 0 ? undefined : { text: 'It was quick, thank you.' }),
    });
  });

  const boot = () => service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });

  async function dismiss(surveyId: string, showToken: string): Promise<void> {
    const body = { key: tenant.publishableKey, surveyId, showToken, userId: 'ann' };
    expect((await service.call(submitDismissal, { body })).status).toBe(201);
  }

  async function deliverStream(): Promise<void> {
    await foldingOf(service)(await insertsOf(service.table, tenant.project.id));
  }

  const history = () => answers(service.service).history(tenant.project.id, 'ann');
  const [first, second] = [0, 1].map((index) => () => tenant.surveys[index]?.id ?? '') as [
    () => string,
    () => string,
  ];

  it('is too long to read until it is folded: bootstrap issues no tokens and suppresses what it read', async () => {
    const before = await boot();
    expect(before.status).toBe(200);
    expect(before.body.showTokens).toEqual({});
    expect(before.body.suppression.length).toBeGreaterThanOrEqual(5);
    expect(new Set(SURVEYS)).toEqual(new Set([...SURVEYS, ...before.body.suppression]));
    const { queries, units } = readsOf(recording);
    expect(queries).toBeLessThanOrEqual(1 + HISTORY_QUERIES);
    expect(units).toBeLessThanOrEqual(1 + HISTORY_UNITS);
    const minted = await service.call(mintTokens, {
      secretKey: tenant.secretKey,
      body: { respondentId: 'ann', sessionId: 'session' },
    });
    expect([minted.status, minted.body.tokens]).toEqual([200, {}]);

    await deliverStream();
    expect(new Set(Object.keys((await boot()).body.showTokens))).toEqual(new Set([first(), second()]));
  });

  it('costs a bootstrap 2 read units in one query, once it is folded', async () => {
    await boot();
    await deliverStream();
    await dismiss(first(), (await boot()).body.showTokens[first()]);
    recording.take();

    const after = (await boot()).body;
    expect(recording.take().map(({ operation, units }) => ({ operation, units }))).toEqual([
      { operation: 'Query', units: { table: 2 } },
    ]);
    expect(new Set(after.suppression)).toEqual(new Set([...SURVEYS, first()]));
    expect(Object.keys(after.showTokens)).toEqual([second()]);
  });

  it('is folded neither by answers whose tokens did not ask for it, nor twice by repeated deliveries', async () => {
    await deliverStream();
    expect((await history()).isTooLong).toBe(true);
    await boot();
    await boot();
    await deliverStream();
    await deliverStream();
    expect(await history()).toMatchObject({ unfolded: [] });
  });
});

it('folds a history after an answer whose token states that folding is worthwhile', async () => {
  const service = await createTestService();
  const tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: DAY }, [aSurvey()]);
  const projectId = tenant.project.id;
  await seedAnswers(service.table, {
    projectId,
    surveyIds: SURVEYS,
    count: 4,
    respondentOf: () => 'ann',
    momentOf: (index) => START - (index + 2) * DAY,
  });
  const fold = foldingOf(service);
  const history = () => answers(service.service).history(projectId, 'ann');
  const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  await fold(await insertsOf(service.table, projectId));
  expect((await history()).unfolded).toHaveLength(4);

  const surveyId = tenant.surveys[0]?.id ?? '';
  const dismissal = {
    key: tenant.publishableKey,
    surveyId,
    showToken: body.showTokens[surveyId],
    userId: 'ann',
  };
  expect((await service.call(submitDismissal, { body: dismissal })).status).toBe(201);
  await fold(await insertsOf(service.table, projectId));
  expect((await history()).unfolded).toEqual([START]);
  expect(surveysIn(await history())).toEqual(new Set([...SURVEYS.slice(0, 4), surveyId]));
});
