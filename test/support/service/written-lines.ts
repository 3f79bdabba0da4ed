import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { sendDigests } from '../../../functions/digest/send-digests.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { createProbe } from '../../../functions/probe.ts';
import { PURGE_STEP } from '../../../functions/purge.ts';
import { runLine, withdrawalLine } from '../../../functions/push/adapter-log.ts';
import { createLogger, type Logger } from '../../../functions/runtime/logger.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { createEventSender } from '../../../functions/send-events.ts';
import { createSlackSender } from '../../../functions/send-slack.ts';
import { surveyKey } from '../../../shared/data/table/schema.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { anSqsEvent } from '../events/lambda-events.ts';
import { createThrottledClient } from '../faults/failing-client.ts';
import { aResponseRow, deliver } from '../fixtures/a-stream.ts';
import { aResponseDetail } from '../fixtures/builders.ts';
import { linkedAnswer } from '../fixtures/linked-answer.ts';
import { surveyOf } from '../fixtures/tokens.ts';
import { createTestService } from './test-service.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** Lambda, "Telemetry API event schema": platform.report. */
const platformReport = (record: LogLine): LogLine => ({
  time: '2026-11-20T09:30:00.000Z',
  type: 'platform.report',
  record: { requestId: 'r', metrics: { durationMs: 60_000 }, ...record },
});

/** aws-lambda-nodejs-runtime-interface-client, src/logging/formatter.ts. */
const crash = (error: Error, errorType = error.name): LogLine => ({
  timestamp: '2026-11-20T09:30:00.000Z',
  level: 'ERROR',
  requestId: 'r',
  message: { errorType, errorMessage: error.message, stackTrace: (error.stack ?? '').split('\n') },
});

const BY_THE_PLATFORM = {
  'a timeout': [platformReport({ status: 'timeout' })],
  'too little memory': [platformReport({ status: 'error', errorType: 'Runtime.OutOfMemory' })],
  'an error that the handler throws': [crash(new TypeError('cannot read'))],
  'a bundle that does not load': [crash(new Error('no such module'), 'Runtime.ImportModuleError')],
} as const;

const REFUSED = Object.assign(new Error('an event was not taken'), { name: 'ThrottlingException' });

async function linesOf(write: (log: Logger) => unknown): Promise<LogLine[]> {
  const lines: string[] = [];
  await write(createLogger((line) => lines.push(line)));
  return lines.map((line) => JSON.parse(line));
}

async function ofRequests() {
  const lines: LogLine[] = [];
  const log = createLogger((line) => lines.push(JSON.parse(line)));
  const take = () => lines.splice(0);
  const service = await createTestService({ log });
  const { table } = service;
  const tenant = await service.tenant({ rates: { publishable: 10, secret: 10 } });
  await linkedAnswer(service, tenant);
  take();
  const { publishableKey: key, secretKey } = tenant;
  const body = { key, userId: 'ann' };
  await service.call(bootstrap, { body });
  const usual = take();
  await service.call(listPendingScores, { secretKey });
  const polled = take();

  const fail = () => Promise.reject(new TypeError('cannot read'));
  const settings = { has: () => false, load: fail, reload: fail, forget: () => undefined };
  const broken = await createTestService({
    table,
    log,
    arrange: (parts) => projectSettings.replace(parts, settings),
  });
  await broken.call(bootstrap, { body });
  const defect = take();
  const client = createThrottledClient(table.endpoint, () => true);
  const throttled = await createTestService({ table, log, client });
  await throttled.call(bootstrap, { body });
  const unavailable = take();
  const isLease = (input: string) => input.includes('#RATE#');
  const unlimited = await createTestService({
    table,
    log,
    client: createThrottledClient(table.endpoint, isLease),
    sharedRateLimits: true,
  });
  // Each key requests its first lease after one to four requests.
  for (let request = 0; request < 4; request++) await unlimited.call(bootstrap, { body });
  const unmetered = take();
  const answer = { id: 'a', projectId: tenant.project.id, surveyId: 'gone', respondentId: 'ann' };
  const thrown = await deliver(throttled, [aResponseRow(answer)]).catch((error: Error) => crash(error));
  if (thrown === undefined) throw new Error('a table that throttles fails the batch');
  return {
    'a bootstrap': usual,
    'a poll of scores': polled,
    'a defect': defect,
    'a table that does not answer': unavailable,
    'a limiter that does not answer': unmetered,
    'a batch that fails': [...take(), thrown],
    'a reply that is too large': await linesOf((to) =>
      to.error({ message: 'request', route: 'bootstrap', projectId: 'p', measures: { reply_too_large: 1 } }),
    ),
  };
}

async function ofTheStream() {
  const lines: LogLine[] = [];
  const log = createLogger((line) => lines.push(JSON.parse(line)));
  const take = () => lines.splice(0);
  const mute = await createTestService({ log, eventOutlet: { send: () => Promise.reject(REFUSED) } });
  const tenant = await mute.tenant();
  const answer = { id: 'a', projectId: tenant.project.id, surveyId: 'gone', respondentId: 'ann' };
  await deliver(mute, [aResponseRow(answer)]);
  const lost = take();
  await deliver(mute, [aResponseRow({ ...answer, rating: 'nine' })]);
  const unread = take();
  // No instance has cached this project's settings.
  const other = await mute.tenant();
  const [projectId, surveyId] = [other.project.id, surveyOf(other)];
  const row = await mute.table.table.get(surveyKey(projectId, surveyId));
  const Item = { ...row, status: 'of a newer version' };
  await mute.table.client.send(new PutCommand({ TableName: mute.table.tableName, Item }));
  await deliver(mute, [aResponseRow({ ...answer, projectId, surveyId })]);
  const uncounted = take();
  await PURGE_STEP.RecordFailure(mute.service)({ projectId: tenant.project.id, surveyId: 'gone' });
  return {
    'events that are lost': lost,
    'a record that is not read': unread,
    'a survey that is not read': uncounted,
    'a purge that failed': take(),
  };
}

async function ofTelling() {
  const lines: LogLine[] = [];
  const log = createLogger((line) => lines.push(JSON.parse(line)));
  const telling = await createTestService({ log, config: { events: { includeText: false } } });
  await telling.tenant();
  const told = { service: telling.service, url: 'https://surveys.test', pause: async () => undefined };
  lines.splice(0);
  await sendDigests({ ...told, publish: async () => undefined }, { week: '2026-W47' });
  const sent = lines.splice(0);
  const failing = { ...told, publish: () => Promise.reject(REFUSED) };
  await sendDigests(failing, { week: '2026-W47' }).catch((error: Error) => lines.push(crash(error)));
  const bus = { take: async (events: readonly CanvassEvent[]) => ({ events, reason: REFUSED }) };
  return {
    'a digest that is sent': sent,
    'a digest that failed': lines,
    'events that wait': await linesOf((to) =>
      createEventSender({ bus, clock: Date.now, log: to })(anSqsEvent([{ detail: { id: 'a' } }])),
    ),
    'a message that Slack does not take': await linesOf((to) =>
      createSlackSender({
        readSecret: async () => 'no address',
        parseAddress: () => undefined,
        url: 'https://surveys.test',
        sleep: async () => undefined,
        log: to,
      })(
        anSqsEvent([
          {
            webhook: { name: 'shop', secretId: 'slack', events: ['low'], includeText: false },
            detail: aResponseDetail({ id: 'a', rating: 1 }),
          },
        ]),
      ),
    ),
    'a probe that cannot ask': await linesOf((to) =>
      createProbe({
        visitor: {
          bootstrap: () => Promise.reject(REFUSED),
          respond: () => Promise.reject(REFUSED),
          answerByLink: () => Promise.reject(REFUSED),
        },
        log: to,
        clock: Date.now,
        respondent: () => 'probe-1',
      })().catch(() => undefined),
    ),
  };
}

async function ofScores() {
  const run = { metricsNamespace: 'canvass-test', projectId: 'p', destination: 'langfuse', now: 0 };
  const report = { polled: 1, delivered: 0, rejected: 0, left: 1, halted: 'HTTP 401' };
  const withdrawals = { withdrawn: 0, left: 1, oldestSeconds: 1, reason: 'HTTP 503' };
  return {
    'a destination that halts': await linesOf((log) =>
      log.error(runLine({ ...run, report, oldestPendingSeconds: 1 })),
    ),
    'a run of the adapter that fails': await linesOf((log) =>
      log.error(runLine({ ...run, error: new Error('the configuration is no list') })),
    ),
    'withdrawals that wait': await linesOf((log) => log.error(withdrawalLine({ ...run, ...withdrawals }))),
  };
}

export type Written = keyof Awaited<ReturnType<typeof writtenLines>>;

export const writtenLines = async () => ({
  ...(await ofRequests()),
  ...(await ofTheStream()),
  ...(await ofTelling()),
  ...(await ofScores()),
  ...BY_THE_PLATFORM,
});
