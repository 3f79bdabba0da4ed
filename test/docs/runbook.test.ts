/** The runbook's log queries find what is logged. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createEventSender } from '../../functions/events/send-queued.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { runLine, withdrawalLine } from '../../functions/push/adapter-log.ts';
import { projectSettings } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { anSqsEvent } from '../support/events/an-sqs-event.ts';
import { createThrottledClient } from '../support/faults/throttled-client.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import { createTestService } from '../support/service/test-service.ts';

type Line = Readonly<Record<string, unknown>>;

/** What Lambda itself writes of an invocation that ran out of time (Lambda, "Lambda telemetry": platform.report). */
const TIMED_OUT = { type: 'platform.report', record: { requestId: 'r', status: 'timeout' } };

/** One line of every kind that the runbook asks for, as written. */
async function writtenLines(): Promise<Line[]> {
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
  lines.push(...mute.logs);
  const withdrawals = { withdrawn: 0, left: 1, oldestSeconds: 1, reason: 'HTTP 503' };
  log.error(withdrawalLine({ ...run, ...withdrawals }));
  return [...lines.map((line) => JSON.parse(line)), TIMED_OUT];
}

const at = (line: Line, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? (value as Line)[part] : undefined),
      line,
    );

/** Words of the query language that are no field. */
const WORDS = new Set('filter stats count sum max pct latest by or and like ispresent bin'.split(' '));

const [, RUNBOOK = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## Runbook$/m);
const QUERIES = [...(RUNBOOK.split(/^## /m)[0]?.matchAll(/`((?:filter|stats) [^`]+)`/g) ?? [])].map(
  ([, query = '']) => query.replaceAll(/\s+/g, ' '),
);

describe('the runbook', () => {
  let lines: Line[];
  beforeAll(async () => {
    lines = await writtenLines();
  });

  it.each(QUERIES)('%s', (query) => {
    const comparisons = [...query.matchAll(/([\w.]+) (=|>=) (?:"([^"]*)"|(\d+))/g)];
    for (const [, field = '', operator, text, digits] of comparisons) {
      const isMet = (line: Line) => {
        const value = at(line, field);
        if (operator === '>=') return typeof value === 'number' && value >= Number(digits);
        return value === (text ?? Number(digits));
      };
      expect([field, lines.some(isMet)]).toEqual([field, true]);
    }
    const fields = query
      .replaceAll(/"[^"]*"|\/[^/]*\//g, '')
      .split(/[^\w.@]+/)
      .filter((word) => /^[a-zA-Z]/.test(word) && !WORDS.has(word) && word !== 'bin');
    for (const field of fields) {
      expect([field, lines.some((line) => at(line, field) !== undefined)]).toEqual([field, true]);
    }
  });

  it('has queries for what the service logs itself', () => {
    expect(QUERIES.length).toBeGreaterThan(10);
  });

  it('every line of ours has its time, by which Lambda takes its level for true', () => {
    for (const line of lines) {
      if (line === TIMED_OUT) continue;
      const timestamp = String(line.timestamp);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
  });
});
