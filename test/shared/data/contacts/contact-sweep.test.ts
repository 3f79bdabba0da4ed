import { expect, it } from 'vitest';
import { erase } from '../../../../functions/erase.ts';
import { contactSweep } from '../../../../functions/runtime/parts/contacts.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { scanAll } from '../../../support/scan-all.ts';
import { createPurgeService } from '../../../support/service/purge-service.ts';
import { createRecordedService } from '../../../support/service/recorded-service.ts';

const ANSWERS = 2_400;

const { service, recording } = await createRecordedService();

async function answered(count: number): Promise<string> {
  const { project, surveys } = await service.tenant({}, [aSurvey()]);
  const surveyIds = surveys.map(({ id }) => id);
  const responseOf = (index: number) => (index % 5 === 0 ? { followUpRequested: true } : {});
  await seedAnswers(service.table, { projectId: project.id, surveyIds, count, responseOf });
  const rows = await scanAll(service.table, project.id);
  const listed = rows.filter(({ contactShard }) => contactShard !== undefined);
  for (const { contactShard, contactOrder, pk, sk, ...row } of listed) {
    const key = { pk: String(pk), sk: String(sk) };
    await service.table.table.put({ ...row, ...key });
  }
  return project.id;
}

const sweep = (projectId: string, more: object = {}) =>
  contactSweep(service.service).sweep(projectId, { now: service.clock.now, ...more });

async function endedAt(projectId: string, wanted: number): Promise<number> {
  let looked = 0;
  const onProgress = (_: number, rows: number) => {
    looked = rows;
    if (rows >= wanted) throw new Error('killed');
  };
  await expect(sweep(projectId, { onProgress })).rejects.toThrow('killed');
  return looked;
}

function rowsRead(): number {
  const reads = recording.take().filter(({ operation }) => operation === 'BatchGetItem');
  return reads.reduce((sum, { units }) => sum + (units.table ?? 0), 0);
}

it('continues an interrupted sweep and reports the totals of both', async () => {
  const projectId = await answered(ANSWERS);
  recording.take();
  const first = await endedAt(projectId, 700);
  expect(rowsRead()).toBe(first);
  expect(first).toBeLessThan(ANSWERS);
  const second = await endedAt(projectId, 1_500);
  // The last entry of each shard is read again, because positions contain only the time.
  expect(rowsRead()).toBe(second - first + 1);
  expect(await sweep(projectId)).toEqual({ rows: ANSWERS, contacts: ANSWERS / 5, changed: ANSWERS / 5 });
  expect(rowsRead()).toBe(ANSWERS - second + 1);
  expect(await sweep(projectId)).toEqual({ rows: ANSWERS, contacts: ANSWERS / 5, changed: 0 });
});

it('starts again on request, and after a day', async () => {
  const projectId = await answered(TEST_SHARDS);
  for (const more of [{ isAnew: true }, { now: () => service.clock.now() + DAY + 1_000 }]) {
    await endedAt(projectId, 2);
    recording.take();
    expect(await sweep(projectId, more)).toMatchObject({ rows: TEST_SHARDS });
    expect(rowsRead()).toBe(TEST_SHARDS);
  }
});

it('stores its position without personal data, and purges it with the project', async () => {
  const purging = await createPurgeService();
  const { project, secretKey, surveys } = await purging.service.tenant({}, [aSurvey()]);
  const surveyIds = surveys.map(({ id }) => id);
  const [id = ''] = await seedAnswers(purging.service.table, { projectId: project.id, surveyIds, count: 1 });
  const onProgress = (_: number, rows: number) => {
    if (rows > 0) throw new Error('killed');
  };
  const { clock, service: composed } = purging.service;
  const ended = contactSweep(composed).sweep(project.id, { now: clock.now, onProgress });
  await expect(ended).rejects.toThrow('killed');
  const positions = async () =>
    (await scanAll(purging.service.table, project.id)).filter(({ type }) => type === 'contact-sweep');
  expect(await positions()).toHaveLength(1);
  expect(JSON.stringify(await positions())).not.toContain(id);
  await purging.service.call(erase, { secretKey, query: { account: 'true' } });
  await purging.carryOut();
  expect(await positions()).toEqual([]);
});
