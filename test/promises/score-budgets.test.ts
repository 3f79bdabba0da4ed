import { beforeAll, describe, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { Tenant, TestService } from '../support/service/test-service.ts';
import type { RecordedCall, RecordingClient } from '../support/stand-ins/recording-client.ts';

function mostAtOnce(calls: readonly RecordedCall[]): number {
  const marks = calls.flatMap(({ startedAt, endedAt }) => [
    { at: startedAt, change: 1 },
    { at: endedAt, change: -1 },
  ]);
  let current = 0;
  return Math.max(...marks.toSorted((a, b) => a.at - b.at).map(({ change }) => (current += change)));
}

describe('DynamoDB calls and units of scores', () => {
  let service: TestService;
  let recording: RecordingClient;
  let tenant: Tenant;
  const ids: string[] = [];

  beforeAll(async () => {
    ({ service, recording } = await createRecordedService());
    tenant = await service.tenant();
    for (let index = 0; index < 60; index += 1) {
      service.clock.advance(1);
      ids.push((await linkedAnswer(service, tenant)).id);
    }
    recording.take();
  });

  it('a page makes one query per shard, all at once, then reads one batch of rows', async () => {
    const { body } = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    expect(body.scores).toHaveLength(50);
    const calls = recording.take();
    const queries = calls.filter(({ operation }) => operation === 'Query');
    expect(calls.filter(({ operation }) => operation === 'BatchGetItem')).toHaveLength(1);
    expect(queries).toHaveLength(4);
    expect(calls).toHaveLength(5);
    expect(new Set(queries.map(({ index }) => index))).toEqual(new Set(['by_score_state']));
    expect(mostAtOnce(queries)).toBe(4);
  });

  it('an ack of n makes n updates, at most 25 in flight, of one write unit each in the table and the index', async () => {
    const results = ids.map((id) => ({ id, state: 'delivered' }));
    await service.call(ackScores, { secretKey: tenant.secretKey, body: { results } });
    const calls = recording.take();
    expect(calls.map(({ operation }) => operation)).toEqual(ids.map(() => 'UpdateItem'));
    expect(mostAtOnce(calls)).toBe(25);
    for (const { units } of calls) expect(units).toEqual({ table: 1, by_score_state: 1 });
  });
});
