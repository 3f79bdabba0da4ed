/** The runbook's log queries find what is logged. */

import { readFileSync } from 'node:fs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { sendDigests } from '../../functions/digest/send-digests.ts';
import { createEventSender } from '../../functions/events/send-queued.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { PURGE_STEP } from '../../functions/purge.ts';
import { runLine, withdrawalLine } from '../../functions/push/adapter-log.ts';
import { projectSettings } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { surveyKey } from '../../shared/data/table/schema.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { anSqsEvent } from '../support/events/an-sqs-event.ts';
import { createThrottledClient } from '../support/faults/throttled-client.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService } from '../support/service/test-service.ts';
import { matchesFilter } from '../support/stack/filter-pattern.ts';
import { type LogLine, runInsights } from '../support/stack/log-insights.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

/** What Lambda itself writes of an invocation that failed (Lambda, "Telemetry API event schema": platform.report). */
const platformReport = (record: LogLine): LogLine => ({
  time: '2026-11-20T09:30:00.000Z',
  type: 'platform.report',
  record: { requestId: 'r', metrics: { durationMs: 60_000 }, ...record },
});

/**
 * What the runtime writes of an error that a handler throws, or that loading it does
 * (aws-lambda-nodejs-runtime-interface-client, src/logging/formatter.ts: an error as the message).
 */
const crash = (error: Error, errorType = error.name): LogLine => ({
  timestamp: '2026-11-20T09:30:00.000Z',
  level: 'ERROR',
  requestId: 'r',
  message: { errorType, errorMessage: error.message, stackTrace: (error.stack ?? '').split('\n') },
});

const FAILED_BY_PLATFORM: Readonly<Record<string, LogLine>> = {
  'a timeout': platformReport({ status: 'timeout' }),
  'too little memory': platformReport({ status: 'error', errorType: 'Runtime.OutOfMemory' }),
  'an error that the handler throws': crash(new TypeError('cannot read')),
  'a bundle that does not load': crash(new Error('no such module'), 'Runtime.ImportModuleError'),
};

/** What alarms by themselves: lines that the first query of a section has to find. */
const CAUSES: Readonly<Record<string, Readonly<Record<string, LogLine>>>> = {
  'Function failures': FAILED_BY_PLATFORM,
  'Background failures': FAILED_BY_PLATFORM,
  'Counting behind': FAILED_BY_PLATFORM,
};

/** One line of every kind that the runbook asks for, as written. */
async function writtenLines(): Promise<LogLine[]> {
  const service = await createTestService();
  const tenant = await service.tenant({ rates: { publishable: 10, secret: 10 } });
  await linkedAnswer(service, tenant);
  const { publishableKey: key, secretKey } = tenant;
  const body = { key, userId: 'ann' };
  await service.call(bootstrap, { body });
  await service.call(listPendingScores, { secretKey });

  const fail = () => Promise.reject(new TypeError('cannot read'));
  const settings = { has: () => false, load: fail, reload: fail, forget: () => undefined };
  const broken = await createTestService({
    table: service.table,
    arrange: (parts) => projectSettings.replace(parts, settings),
  });
  await broken.call(bootstrap, { body });
  const client = createThrottledClient(service.table.endpoint, () => true);
  const throttled = await createTestService({ table: service.table, client });
  await throttled.call(bootstrap, { body });

  const isLease = (input: string) => input.includes('#RATE#');
  const unlimited = await createTestService({
    table: service.table,
    client: createThrottledClient(service.table.endpoint, isLease),
    sharedRateLimits: true,
  });
  // A key's first lease is due after one to four requests.
  for (let request = 0; request < 4; request++) await unlimited.call(bootstrap, { body });

  const lines = [service, broken, throttled, unlimited].flatMap(({ logs }) => logs);
  const log = createLogger((line) => lines.push(line));
  const run = { metricsNamespace: 'canvass-test', projectId: 'p', destination: 'langfuse', now: 0 };
  const report = { polled: 1, delivered: 0, rejected: 0, left: 1, halted: 'HTTP 401' };
  log.error(runLine({ ...run, report, oldestPendingSeconds: 1 }));
  log.error(runLine({ ...run, error: new Error('the configuration is no list') }));
  log.error({ message: 'request', route: 'bootstrap', projectId: 'p', measures: { reply_too_large: 1 } });
  const reason = Object.assign(new Error('an event was not taken'), { name: 'ThrottlingException' });
  const bus = { take: async (events: readonly CanvassEvent[]) => ({ events, reason }) };
  await createEventSender({ bus, clock: Date.now, log })(anSqsEvent([{ detail: { id: 'a' } }]));
  const mute = await createTestService({
    table: service.table,
    eventOutlet: { send: () => Promise.reject(reason) },
  });
  const answer = { id: 'a', projectId: tenant.project.id, surveyId: 'gone', respondentId: 'ann' };
  await deliver(mute, [aResponseRow(answer)]);
  await deliver(mute, [aResponseRow({ ...answer, rating: 'nine' })]);
  const unreadable = await mute.tenant();
  const surveyId = surveyOf(unreadable);
  const row = await mute.table.table.get(surveyKey(unreadable.project.id, surveyId));
  const Item = { ...row, status: 'of a newer version' };
  await mute.table.client.send(new PutCommand({ TableName: mute.table.tableName, Item }));
  await deliver(mute, [aResponseRow({ ...answer, projectId: unreadable.project.id, surveyId })]);
  await PURGE_STEP.RecordFailure(mute.service)({ projectId: tenant.project.id, surveyId: 'gone' });
  lines.push(...mute.logs);
  const telling = await createTestService({ config: { events: { includeText: false } } });
  await telling.tenant();
  const told = { service: telling.service, publish: async () => undefined, url: 'https://surveys.test' };
  await sendDigests({ ...told, pause: async () => undefined }, { week: '2026-W47' });
  lines.push(...telling.logs);
  const withdrawals = { withdrawn: 0, left: 1, oldestSeconds: 1, reason: 'HTTP 503' };
  log.error(withdrawalLine({ ...run, ...withdrawals }));
  const thrown = await deliver(throttled, [aResponseRow(answer)]).catch((error: Error) => crash(error));
  if (thrown === undefined) throw new Error('a table that throttles fails the batch');
  return [...lines.map((line) => JSON.parse(line)), thrown, ...Object.values(FAILED_BY_PLATFORM)];
}

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');
const [, RUNBOOK = ''] = OPERATIONS.split(/^## Runbook$/m);
/** Queries by the heading of their section. */
const QUERIES = (RUNBOOK.split(/^## /m)[0] ?? '').split(/^### /m).flatMap((section) => {
  const heading = section.split('\n')[0] ?? '';
  return [...section.matchAll(/`((?:filter|stats) [^`]+)`/g)].map(([, query = '']) => ({
    heading,
    query: query.replaceAll(/\s+/g, ' '),
  }));
});

/** By which alarms look for lines of functions first. */
const FIRST_FILTERS = [
  ...new Set(
    Object.values(
      aTemplate({ scoreAdapter: {}, events: {}, alarms: 'all' }).findResources('AWS::CloudWatch::Alarm'),
    )
      .flatMap(({ Properties }) => JSON.stringify(Properties.AlarmDescription).replaceAll('\\"', '"'))
      .flatMap((text) => [
        ...text.matchAll(/aws logs tail \/canvass\S+ --since \d+h --filter-pattern '([^']+)'/g),
      ])
      .map(([, filter = '']) => filter),
  ),
];

describe('the runbook', () => {
  let lines: readonly LogLine[];
  beforeAll(async () => {
    lines = await writtenLines();
  });

  it.each(QUERIES)('$heading: $query', ({ query }) => {
    const rows = runInsights(query, lines);
    expect(rows.length).toBeGreaterThan(0);
    const known = new Set(
      rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== undefined)),
    );
    expect(rows.flatMap((row) => Object.keys(row)).filter((column) => !known.has(column))).toEqual([]);
  });

  it.each(FIRST_FILTERS)('the first command of an alarm finds what it is about: %s', (filter) => {
    // Slowness and age are of production: any that was measured shows that the field is there.
    const measured = filter.replace(/>= \d+/, '>= 0');
    expect(lines.some((line) => matchesFilter(measured, JSON.stringify(line)))).toBe(true);
  });

  const causes = Object.entries(CAUSES).flatMap(([heading, lines]) =>
    Object.entries(lines).map(([cause, line]) => ({ heading, cause, line })),
  );
  it.each(causes)('$heading: its query finds $cause', ({ heading, line }) => {
    const { query = '' } = QUERIES.find((each) => each.heading === heading) ?? {};
    expect(runInsights(query, [line])).toHaveLength(1);
  });

  it('has queries for what the service logs itself', () => {
    expect(QUERIES.length).toBeGreaterThan(10);
  });

  it('asks for the resources of a stack page by page', () => {
    expect(OPERATIONS).toContain('list-stack-resources');
    expect(OPERATIONS).not.toContain('describe-stack-resource');
  });

  it('every line of ours has its time, by which Lambda takes its level for true', () => {
    for (const line of lines) {
      if ('type' in line) continue;
      const timestamp = String(line.timestamp);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
  });
});
