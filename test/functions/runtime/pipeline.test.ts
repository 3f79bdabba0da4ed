import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { createPipeline } from '../../../functions/runtime/pipeline.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { METRICS } from '../../../shared/settings/metrics.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { linkedAnswer } from '../../support/fixtures/linked-answer.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestClock, type TestClock } from '../../support/service/test-clock.ts';
import {
  callEvent,
  createTestService,
  type Tenant,
  type TestService,
} from '../../support/service/test-service.ts';

const CAUSE = 'the disk with svc_pk_secret is full';

it.each([
  ['an error', new Error(CAUSE)],
  ['an error with a cause', new Error('outer', { cause: new TypeError(CAUSE) })],
  ['an error that looks like a refusal of the body', Object.assign(new Error(CAUSE), { statusCode: 422 })],
  [
    'an error that looks like a client error',
    Object.assign(new Error(CAUSE), { statusCode: 404, expose: true }),
  ],
  ['text', CAUSE],
  ['nothing', undefined],
  ['null', null],
])('500 when %s is thrown: the reply reveals nothing of it, and it is logged once', async (_, thrown) => {
  const lines: string[] = [];
  const log = createLogger((line) => lines.push(line));
  const handler = createPipeline(routes.bootstrap, { log }, () => Promise.reject(thrown));
  const event = callEvent({ route: routes.bootstrap }, { body: {} });
  const reply = await handler(event, {} as Context);
  const { error } = JSON.parse(reply.body ?? '');
  expect([reply.statusCode, error.code]).toEqual([500, 'internal_error']);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId']);
  expect(error.requestId).toBe(reply.headers?.['x-request-id']);
  expect(reply.body).not.toMatch(/disk|outer|TypeError|\.ts/);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', status: 500 });
});

it("returns 500 with the contract's error body for a reply beyond the platform's limit, and counts it", async () => {
  const many = Array.from({ length: 500 }, () => aSurvey({}, { question: '"'.repeat(8_000) }));
  const service = await createTestService({
    arrange(composed) {
      const cache = projectSettings(composed);
      const load: typeof cache.load = async (projectId) => {
        const settings = await cache.load(projectId);
        return settings && { ...settings, surveys: new Map(many.map((survey) => [survey.id, survey])) };
      };
      projectSettings.replace(composed, { ...cache, load });
    },
  });
  const tenant = await service.tenant();
  const reply = await service.call(bootstrap, { body: { key: tenant.publishableKey } });
  expect(codeOf(reply)).toBe('500 internal_error');
  expect(reply.body.error.requestId).toBe(reply.headers['x-request-id']);
  expect(JSON.parse(service.logs[0] ?? '')).toMatchObject({
    status: 500,
    projectId: tenant.project.id,
    reply_too_large: 1,
  });
});

describe('metrics', () => {
  let service: TestService;
  let clock: TestClock;
  let tenant: Tenant;
  let lines: string[];
  let ids: string[];

  beforeEach(async () => {
    lines = [];
    clock = createTestClock();
    const write = (line: string) => lines.push(line);
    const log = createLogger(write, { metricsNamespace: 'canvass-test', clock: clock.now });
    service = await createTestService({ clock, log });
    tenant = await service.tenant({ limits: { quietPeriodMs: 0, monthlyCap: 1 } }, [aSurvey(), aSurvey()]);
    ids = tenant.surveys.map(({ id }) => id);
  });

  const line = () => {
    const [text = '{}', ...more] = lines.splice(0);
    expect(more).toEqual([]);
    return JSON.parse(text);
  };
  const boot = (userId: string) => service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
  const submit = (showToken: string, more: object = {}) =>
    service.call(submitResponse, {
      body: { key: tenant.publishableKey, surveyId: ids[0], showToken, rating: 9, ...more },
    });

  it('are part of the one line of a request, in the embedded format, with the project as a property', async () => {
    await boot('ann');
    const { _aws, ...told } = line();
    expect(told).toEqual({
      timestamp: new Date(clock.now()).toISOString(),
      level: 'info',
      message: 'request',
      route: 'bootstrap',
      requestId: expect.any(String),
      projectId: tenant.project.id,
      status: 200,
      cold_start: 1,
      issued: 2,
      latency: 0,
    });
    expect(_aws.Timestamp).toBe(clock.now());
    expect(_aws.CloudWatchMetrics).toEqual([
      {
        Namespace: 'canvass-test',
        Dimensions: [['route']],
        Metrics: [
          { Name: 'latency', Unit: 'Milliseconds' },
          { Name: 'cold_start', Unit: 'Count' },
        ],
      },
      { Namespace: 'canvass-test', Dimensions: [[]], Metrics: [{ Name: 'issued', Unit: 'Count' }] },
    ]);
  });

  it('count suppressed surveys by reason, and accepted answers', async () => {
    const { body } = await boot('ann');
    line();
    await submit(body.showTokens[ids[0] ?? '']);
    expect(line()).toMatchObject({ accepted: 1 });
    await boot('ann');
    expect(line()).toMatchObject({ issued: 0, gated_suppressed: 1, gated_monthly_cap: 1 });
  });

  it('count refusals by code', async () => {
    await submit('forged');
    const { refused, code, _aws } = line();
    expect({ refused, code }).toEqual({ refused: 1, code: 'invalid_token' });
    expect(_aws.CloudWatchMetrics).toContainEqual({
      Namespace: 'canvass-test',
      Dimensions: [['code']],
      Metrics: [{ Name: 'refused', Unit: 'Count' }],
    });
  });

  it('count a body that is not JSON, too', async () => {
    await service.call(bootstrap, { rawBody: 'not json' });
    expect(line()).toMatchObject({ refused: 1, code: 'invalid_request', status: 400 });
  });

  it('count an answer whose userId is not the respondent of its token', async () => {
    const first = await boot('ann');
    line();
    await submit(first.body.showTokens[ids[0] ?? ''], { userId: 'ann' });
    expect(line()).not.toHaveProperty('respondent_mismatch');
    const second = await boot('ben');
    line();
    await submit(second.body.showTokens[ids[0] ?? ''], { userId: 'somebody' });
    expect(line()).toMatchObject({ accepted: 1, respondent_mismatch: 1 });
  });

  it('contain the age of the oldest pending score, in seconds', async () => {
    const { secretKey } = tenant;
    const minted = await service.call(mintTokens, {
      secretKey,
      body: { respondentId: 'ann', sessionId: 's' },
    });
    await submit(minted.body.tokens[ids[0] ?? ''], { sessionId: 's' });
    clock.advance(90_000);
    lines.length = 0;
    await service.call(listPendingScores, { secretKey });
    expect(line()).toMatchObject({ oldest_pending: 90 });
  });

  it('exclude failed scores from that age, however old they are', async () => {
    const failed = await linkedAnswer(service, tenant);
    const ack = { results: [{ id: failed.id, state: 'failed', error: 'no' }] };
    expect((await service.call(ackScores, { secretKey: tenant.secretKey, body: ack })).status).toBe(200);
    const query = { includeFailed: 'true' };
    lines.length = 0;
    await service.call(listPendingScores, { secretKey: tenant.secretKey, query });
    expect(line()).not.toHaveProperty('oldest_pending');

    clock.advance(3_600_000);
    await linkedAnswer(service, tenant);
    clock.advance(60_000);
    await linkedAnswer(service, tenant);
    lines.length = 0;
    await service.call(listPendingScores, { secretKey: tenant.secretKey, query });
    expect(line()).toMatchObject({ oldest_pending: 60 });
  });

  it('never have more than one dimension of bounded values', () => {
    for (const metric of Object.values(METRICS))
      expect(['route', 'code', undefined]).toContain('by' in metric ? metric.by : undefined);
  });
});
