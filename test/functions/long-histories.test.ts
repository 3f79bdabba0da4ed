/** Histories of a thousand answers: what reading them costs once they are folded, and that folding changes nothing else. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { answers, folds, log } from '../../functions/runtime/compose.ts';
import { createStreamHandler } from '../../functions/stream/consume.ts';
import { createHistoryFolding } from '../../functions/stream/fold-histories.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { anId, aSurvey } from '../support/builders.ts';
import { insertsOf } from '../support/inserts-of.ts';
import { createRecordingClient, type RecordingClient } from '../support/recording-client.ts';
import { seedAnswers } from '../support/seed-answers.ts';
import { START } from '../support/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { createTestTable } from '../support/test-table.ts';

const SURVEYS = Array.from({ length: 500 }, () => `sv_${anId()}`);

describe('a history of 1,000 answers', () => {
  let service: TestService;
  let recording: RecordingClient;
  let tenant: Tenant;

  beforeAll(async () => {
    const table = await createTestTable();
    recording = createRecordingClient(table.endpoint);
    service = await createTestService({ table, client: recording.client });
  });

  beforeEach(async () => {
    tenant = await service.tenant({ limits: { quietPeriodMs: 0, monthlyCap: 5 } }, [aSurvey(), aSurvey()]);
    // Three of the last month, the others one every day and a half before.
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
    const { service: parts, clock } = service;
    const folding = createHistoryFolding({ folds: folds(parts), clock: clock.now, log: log(parts) });
    await createStreamHandler([folding], log(parts))(await insertsOf(service.table, tenant.project.id));
  }

  it('costs a bootstrap 2 read units in one query, once an answer has set off the fold', async () => {
    const before = (await boot()).body;
    const [surveyId = ''] = tenant.surveys.map(({ id }) => id);
    await dismiss(surveyId, before.showTokens[surveyId]);
    await deliverStream();
    recording.take();

    const after = (await boot()).body;
    expect(recording.take().map(({ operation, units }) => ({ operation, units }))).toEqual([
      { operation: 'Query', units: { table: 2 } },
    ]);
    expect(new Set(after.suppression)).toEqual(new Set([...SURVEYS, surveyId]));
    expect(Object.keys(after.showTokens)).toEqual([tenant.surveys[1]?.id]);
  });

  it('counts folded answers towards quiet period and cap exactly as before', async () => {
    const { clock } = service;
    const read = () => answers(service.service).history(tenant.project.id, 'ann');
    const recent = (times: readonly number[]) =>
      times.filter((time) => time > clock.now() - 30 * DAY).sort((a, b) => a - b);
    const before = await read();
    const { body } = await boot();
    const surveyId = tenant.surveys[0]?.id ?? '';
    await dismiss(surveyId, body.showTokens[surveyId]);
    await deliverStream();
    const after = await read();
    expect(recent(after.times)).toEqual([...recent(before.times), clock.now()]);
    expect(after.surveyIds).toEqual(new Set([...before.surveyIds, surveyId]));
  });

  it('is not folded by answers whose tokens said nothing of it, nor twice by one that is delivered twice', async () => {
    await deliverStream();
    expect((await answers(service.service).history(tenant.project.id, 'ann')).unfolded).toHaveLength(1_000);
    const { body } = await boot();
    const surveyId = tenant.surveys[0]?.id ?? '';
    await dismiss(surveyId, body.showTokens[surveyId]);
    await deliverStream();
    await deliverStream();
    expect((await answers(service.service).history(tenant.project.id, 'ann')).unfolded).toHaveLength(4);
  });
});
