/** docs/operations.md quotes these figures. */

import { describe, expect, it } from 'vitest';
import { createPurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createWithdrawals } from '../../shared/data/scores/withdrawals.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { createTable } from '../../shared/data/table/table.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { keptFor, sweepExpired } from '../support/fixtures/expiring.ts';
import { seedAnswers, TEST_SHARDS } from '../support/fixtures/seed-answers.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createRecordingClient, type RecordedCall } from '../support/stand-ins/recording-client.ts';

const ANSWERS = 200;

function sumUnits(calls: readonly RecordedCall[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { operation, units } of calls) {
    for (const [part, spent] of Object.entries(units)) {
      const name = `${operation} ${part}`;
      if (spent > 0) sums[name] = (sums[name] ?? 0) + spent;
    }
  }
  return sums;
}

async function unitsToPurge(said: Partial<Response>): Promise<Record<string, number>> {
  const table = await createTestTable();
  const { tableName, endpoint } = table;
  const projectId = 'f'.repeat(16);
  const surveyIds = ['sv_0123456789abcdef'];
  await seedAnswers(table, { projectId, surveyIds, count: ANSWERS, responseOf: () => said });
  const { client, take } = createRecordingClient(endpoint);
  const own = createTable(client, { name: tableName });
  const sweep = createPurgeSweep({
    table: own,
    readIndex: createIndexReader(client, tableName),
    shards: TEST_SHARDS,
    withdrawals: createWithdrawals({ table: own, shards: TEST_SHARDS, clock: Date.now }),
  });
  for (let shard = 0; shard < TEST_SHARDS; shard += 1)
    await sweep.sweepShard({ projectId }, shard, () => false);
  const sums = sumUnits(take());
  const { 'Query by_project': listed = Number.NaN, ...others } = sums;
  // Index entries take about 220 bytes and are read eventually consistently.
  expect(listed / ANSWERS).toBeLessThan(0.04);
  return others;
}

describe('the purge of an answer', () => {
  it('costs one read unit, one write unit in the table and one in its index for up to 1 KB', async () => {
    expect(await unitsToPurge({ text: 'x'.repeat(400) })).toEqual({
      'BatchGetItem table': ANSWERS,
      'BatchWriteItem table': ANSWERS,
      'BatchWriteItem by_project': ANSWERS,
    });
  });

  it('costs one write unit more in the score index when its score is waiting', async () => {
    expect(await unitsToPurge({ score: { state: 'pending', attempts: 0 } })).toEqual({
      'BatchGetItem table': ANSWERS,
      'BatchWriteItem table': ANSWERS,
      'BatchWriteItem by_project': ANSWERS,
      'BatchWriteItem by_score_state': ANSWERS,
      // The purge looks for the score adapter once per page.
      'Query table': 4,
    });
  });

  it('costs a read unit for each 4 KB, a write unit for each KB and one in the index for 5 KB', async () => {
    expect(await unitsToPurge({ text: 'x'.repeat(4_500) })).toEqual({
      'BatchGetItem table': 2 * ANSWERS,
      'BatchWriteItem table': 5 * ANSWERS,
      'BatchWriteItem by_project': ANSWERS,
    });
  });
});

async function unitsToExpire(said: Partial<Response>) {
  const service = await createTestService();
  const { project, surveys } = await service.tenant({ retention: keptFor('35d') });
  await seedAnswers(service.table, {
    projectId: project.id,
    surveyIds: [surveys[0]?.id ?? ''],
    count: ANSWERS,
    momentOf: (index) => service.clock.now() - 40 * DAY - index,
    responseOf: () => said,
  });
  const { client, take } = createRecordingClient(service.table.endpoint);
  expect(await sweepExpired(service, project.id, {}, { client })).toMatchObject({ expired: ANSWERS });
  const parts = Object.entries(sumUnits(take()));
  const isRead = ([name]: [string, number]) => /^(Query|GetItem|BatchGetItem)/.test(name);
  const read = parts.filter(isRead).reduce((sum, [, units]) => sum + units, 0);
  const { 'UpdateItem table': updates = Number.NaN, ...written } = Object.fromEntries(
    parts.filter((part) => !isRead(part)),
  );
  return { read, written, updates };
}

describe('the expiry of an answer', () => {
  /** The sweep stores its progress once per page of up to 100 rows in each shard. */
  const pages = 2 * TEST_SHARDS + 2;

  it('costs a write unit for its tombstone and two for a new summary, for up to 1 KB', async () => {
    const { read, written, updates } = await unitsToExpire({});
    expect(written).toEqual({ 'PutItem table': ANSWERS, 'UpdateItem by_project': ANSWERS });
    expect(updates - ANSWERS).toBeLessThanOrEqual(pages);
    // Reads the answer, the summary and the history of each person.
    expect(read / ANSWERS).toBeLessThan(3.5);
  });

  it('costs one unit more in the contact index when a contact request is open', async () => {
    const { written, updates } = await unitsToExpire({ followUpRequested: true, contact: 'a@example.org' });
    expect(written).toEqual({
      'PutItem table': ANSWERS,
      'PutItem by_contact': ANSWERS,
      'UpdateItem by_project': ANSWERS,
    });
    expect(updates - ANSWERS).toBeLessThanOrEqual(pages);
  });
});
