import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { erase } from '../../../functions/erase.ts';
import { onChange } from '../../../functions/on-change.ts';
import { reviseResponse } from '../../../functions/revise-response.ts';
import { imports } from '../../../functions/runtime/parts/answers.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitImpression } from '../../../functions/submit-impression.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { HOUR, SECOND } from '../../../shared/domain/duration.ts';
import { openTestStream, type StreamReader } from '../../support/events/test-stream.ts';
import { aRecord, aResponseRow } from '../../support/fixtures/a-stream.ts';
import { aToken } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { anAnswer, revise } from '../../support/fixtures/revising.ts';
import { addChoice } from '../../support/fixtures/submission.ts';
import { createTestClock, START } from '../../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';

let service: TestService;
let stream: StreamReader;
let tenant: Tenant;
let surveyId: string;

beforeAll(async () => {
  service = await createTestService({ table: await createTestTable() });
  stream = openTestStream(service.table);
  return () => stream.close();
});

beforeEach(async () => {
  tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ reasonCodes: ['slow'] })]);
  surveyId = tenant.surveys[0]?.id ?? '';
});

const told = () => service.events.filter(({ detail }) => detail.projectId === tenant.project.id);
const consume = async () => onChange(service.service)({ Records: await stream.read() });

async function answer(respondentId: string, more: object = {}): Promise<string> {
  const { publishableKey: key } = tenant;
  const showToken = await aToken(service, tenant, respondentId);
  const { status, body } = await service.call(submitResponse, {
    body: { key, showToken, surveyId, rating: 6, ...more },
  });
  expect(status).toBe(201);
  return body.id;
}

describe('events', () => {
  it('contain a response without its text', async () => {
    const id = await answer('ann', {
      text: 'SECRET',
      contact: 'SECRET',
      traits: { plan: 'SECRET' },
      followUpRequested: true,
      reasons: ['slow', 'SECRET'],
      taskType: 'refund',
    });
    await consume();
    expect(told()).toEqual([
      {
        source: 'canvass',
        'detail-type': 'Response Recorded',
        detail: {
          version: 1,
          id: `${id}-recorded`,
          at: new Date(START).toISOString(),
          deployment: 'canvass-test',
          projectId: tenant.project.id,
          surveyId,
          surveySlug: tenant.surveys[0]?.content.slug,
          surveyType: tenant.surveys[0]?.content.type,
          answerId: id,
          respondentId: 'ann',
          source: 'sdk',
          identityKind: null,
          rating: 6,
          low: true,
          followUpRequested: true,
          answers: null,
          reasons: ['slow'],
          choice: null,
          became: ['low', 'contact'],
          sessionId: null,
          observationId: null,
          traceId: null,
          taskType: 'refund',
          labels: null,
          channel: null,
          revision: 0,
        },
      },
    ]);
  });

  it('contain the code of a choice, also of one that is newer than the settings', async () => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({}, { type: 'choice' })]);
    surveyId = tenant.surveys[0]?.id ?? '';
    const consumer = await createTestService({ table: service.table, clock: service.clock });
    const caller = { service, tenant };
    const consumed = async () => {
      await onChange(consumer.service)({ Records: await stream.read() });
      return consumer.events.map(({ detail }) => detail);
    };
    const { showToken } = await anAnswer(caller, { rating: 1 });
    expect(await consumed()).toMatchObject([{ choice: 'missing', low: false, became: [] }]);
    await addChoice(caller, { code: 'new', label: 'New', low: true });
    await revise(caller, showToken, { revision: 1, rating: 3 });
    expect((await consumed()).at(-1)).toMatchObject({ choice: 'new', low: true, became: ['low'] });
    await revise(caller, showToken, { revision: 2, withdraw: true });
    expect((await consumed()).at(-1)).toMatchObject({ choice: null, low: null });
  });

  it('contain text, traits and contact if the stage includes them', async () => {
    const talkative = await createTestService({
      table: service.table,
      clock: service.clock,
      config: { events: { includeText: true } },
    });
    await answer('ann', { text: 'too slow', contact: 'ann@example.com', traits: { plan: 'pro' } });
    const Records = await stream.read();
    await onChange(talkative.service)({ Records });
    await onChange(talkative.service)({ Records });
    const details = talkative.events.map(({ detail }) => detail);
    expect(details[0]).toMatchObject({
      text: 'too slow',
      contact: 'ann@example.com',
      traits: { plan: 'pro' },
    });
    expect(details).toHaveLength(2);
    expect(talkative.events[0]).not.toHaveProperty('textUntil');
    // An answer of a survey that keeps answers for 35 days, and one that was revised later.
    const retention = { entries: [{ from: '2020-01-01T00:00:00.000Z', period: '35d' }] };
    tenant = await service.tenant({ limits: NO_LIMITS, retention }, [aSurvey()]);
    surveyId = tenant.surveys[0]?.id ?? '';
    await answer('ann', { text: 'words' });
    const records = (await stream.read()).filter(
      ({ dynamodb }) => dynamodb?.NewImage?.type?.S === 'response',
    );
    const revised = records.map(({ dynamodb }) => {
      const { NewImage: OldImage } = dynamodb ?? {};
      const later = { revision: { N: '1' }, revisedAt: { S: '2026-11-28T09:30:00.000Z' } };
      return { eventName: 'MODIFY' as const, dynamodb: { OldImage, NewImage: { ...OldImage, ...later } } };
    });
    await onChange(talkative.service)({ Records: [...records, ...revised] });
    const untils = talkative.events.slice(2).map(({ textUntil }) => textUntil);
    expect(untils).toEqual(['2026-12-26T00:00:00.000Z', '2026-12-26T00:00:00.000Z']);
    expect(details[1]).toEqual(details[0]);
  });

  it('are sent for dismissals, imported answers and failed scores', async () => {
    const { publishableKey: key, secretKey } = tenant;
    const showToken = await aToken(service, tenant, 'bob');
    await service.call(submitDismissal, { body: { key, showToken, surveyId, userId: 'bob' } });
    const row = { respondentId: 'cy', rating: 9, at: START - 1_000 };
    await imports(service.service).store({ projectId: tenant.project.id, surveyId }, row, START);
    const linked = await linkedAnswer(service, tenant, {});
    await service.call(ackScores, {
      secretKey,
      body: { results: [{ id: linked.id, state: 'failed', error: 'SECRET' }] },
    });
    await consume();
    const types = told().map(({ detail, 'detail-type': type }) => [type, detail.source]);
    expect(types).toEqual([
      ['Dismissal Recorded', undefined],
      ['Response Recorded', 'import'],
      ['Response Recorded', 'sdk'],
      ['Score Failed', 'sdk'],
    ]);
    expect(told()[3]?.detail).toMatchObject({ answerId: linked.id, attempts: 1 });
    expect(JSON.stringify(told())).not.toContain('SECRET');
  });

  it('are sent for an impression, a changed answer and a withdrawal', async () => {
    const { publishableKey: key } = tenant;
    const showToken = await aToken(service, tenant, 'ann');
    const asked = { key, showToken, surveyId };
    await service.call(submitImpression, { body: asked });
    await service.call(submitResponse, { body: { ...asked, rating: 9, text: 'good' } });
    await service.call(reviseResponse, { body: { ...asked, revision: 1, rating: 2 } });
    await service.call(reviseResponse, { body: { ...asked, revision: 2, withdraw: true } });
    await consume();
    const facts = told().map(({ 'detail-type': type, detail: { rating, revision, became } }) => [
      type,
      rating,
      revision,
      became,
    ]);
    expect(facts).toEqual([
      ['Survey Shown', undefined, undefined, undefined],
      ['Response Recorded', 9, 0, []],
      ['Response Revised', 2, 1, ['low']],
      ['Response Withdrawn', null, 2, []],
    ]);
  });

  it('are sent for an erasure of each known id before anything is deleted, and not for deleted rows', async () => {
    await answer('ann');
    await consume();
    const before = told().length;
    const { secretKey } = tenant;
    const query = { respondentId: 'ann' };
    expect((await service.call(erase, { secretKey, query })).status).toBe(200);
    await consume();
    expect(told().slice(before)).toMatchObject([
      { 'detail-type': 'Respondent Erased', detail: { respondentId: 'ann' } },
    ]);
    await service.call(erase, { secretKey, query });
    await service.call(erase, { secretKey, query: { respondentId: 'nobody' } });
    expect(told()).toHaveLength(before + 1);
  });

  it('have neither slug nor type after the survey is deleted', async () => {
    const gone = aResponseRow({
      id: 'late',
      projectId: tenant.project.id,
      surveyId: 'sv_gone',
      respondentId: 'ann',
    });
    await onChange(service.service)({ Records: [aRecord(undefined, gone)] });
    expect(told()[0]?.detail).toMatchObject({ surveySlug: null, surveyType: null, rating: 9, low: null });
  });

  it('are created from readable changes, and counting continues', async () => {
    const known = { projectId: tenant.project.id, surveyId };
    const broken = aResponseRow({ ...known, respondentId: 7 });
    const whole = aResponseRow({ ...known, id: 'whole', respondentId: 'ann' });
    await onChange(service.service)({
      Records: [broken, whole].map((row) => aRecord(undefined, row)),
    });
    expect(told().map(({ detail }) => detail.id)).toEqual(['whole-recorded']);
    expect(service.logs.join()).toContain('event could not be created');
  });

  it('that cannot be stored for five hours are dropped, so that counting continues', async () => {
    const failing = await createTestService({
      table: service.table,
      clock: createTestClock(),
      eventOutlet: { send: () => Promise.reject(new Error('no queue')) },
    });
    const { now } = failing.clock;
    const known = { projectId: tenant.project.id, surveyId, respondentId: 'CANARY', text: 'CANARY' };
    const stored = (id: string, at: number) => {
      const record = aRecord(undefined, aResponseRow({ ...known, id }));
      return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: at / SECOND } };
    };
    const Records = [stored('first', now() - HOUR), stored('second', now())];
    const handle = onChange(failing.service);
    failing.clock.advance(5 * HOUR - SECOND);
    await expect(handle({ Records })).rejects.toThrow('no queue');
    failing.clock.advance(SECOND);
    await handle({ Records });
    const line = failing.logs.find((each) => each.includes('events were lost')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      events_lost: 2,
      from: new Date(START - HOUR).toISOString(),
      to: new Date(START).toISOString(),
      error: { message: 'no queue' },
    });
    expect(failing.logs.join()).not.toContain('CANARY');
  });
});
