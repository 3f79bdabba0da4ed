import { expect, it } from 'vitest';
import { createAnswerWalks } from '../../../../shared/data/answers/answer-walk.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { START } from '../../../support/service/test-clock.ts';
import { TEST_HASHING } from '../../../support/service/test-secrets.ts';
import { createTestErasures, createTestTable, type TestTable } from '../../../support/service/test-table.ts';
import { createRecordingClient } from '../../../support/stand-ins/recording-client.ts';

const ERASED = 60;

function recordedWalks({ endpoint, tableName }: TestTable) {
  const { client, take } = createRecordingClient(endpoint);
  const walks = createAnswerWalks({
    table: createTable(client, { name: tableName }),
    readIndex: createIndexReader(client, tableName),
    secrets: TEST_HASHING,
    shards: TEST_SHARDS,
  });
  return { walks, take };
}

it('reads no retained suppression when it walks a project', async () => {
  const table = await createTestTable();
  const erasures = createTestErasures(table);
  const projectId = 'f'.repeat(16);
  for (let person = 0; person < ERASED; person += 1) {
    const respondentHash = person.toString(16).padStart(32, '0');
    const target = { projectId, respondentHash, longestQuietPeriodMs: 0, isKnown: true };
    await erasures.eraseByHash(target, START);
  }
  const ids = await seedAnswers(table, { projectId, surveyIds: ['sv_0123456789abcdef'], count: 20 });

  const { walks, take } = recordedWalks(table);
  const walked: (string | undefined)[] = [];
  for await (const { answer } of walks.ofProject({ projectId, isGone: () => false })) walked.push(answer?.id);
  expect([...walked].sort()).toEqual([...ids].sort());
  const units = take().map(({ operation, units: { table: read = 0 } }) => [operation, read] as const);
  const hydrated = units.filter(([operation]) => operation === 'BatchGetItem');
  expect(hydrated.reduce((sum, [, read]) => sum + read, 0)).toBe(ids.length);
});

it('reads only a few more rows than it yields when the caller stops early', async () => {
  const table = await createTestTable();
  const projectId = 'e'.repeat(16);
  await seedAnswers(table, { projectId, surveyIds: ['sv_0123456789abcdef'], count: 1_000 });
  const { walks, take } = recordedWalks(table);
  let taken = 0;
  for await (const _ of walks.ofProject({ projectId, isGone: () => false }, undefined, 20)) {
    taken += 1;
    if (taken === 30) break;
  }
  const hydrated = take().filter(({ operation }) => operation === 'BatchGetItem');
  expect(hydrated.map(({ units: { table: read } }) => read)).toEqual([20, 20]);
});

it('reads only the rows of the wanted days of a project', async () => {
  const table = await createTestTable();
  const projectId = 'd'.repeat(16);
  const surveyIds = ['sv_0123456789abcdef', 'sv_1123456789abcdef'];
  const momentOf = (index: number) => START + index * DAY;
  const ids = await seedAnswers(table, { projectId, surveyIds, count: 20, momentOf });
  const { walks, take } = recordedWalks(table);
  const [from, to] = [3, 5].map((index) => new Date(momentOf(index)).toISOString().slice(0, 10));
  const walked: string[] = [];
  for await (const { answer } of walks.ofProject({ projectId, days: { from, to }, isGone: () => false })) {
    if (answer !== undefined) walked.push(answer.id);
  }
  expect(walked.sort()).toEqual(ids.slice(3, 6).sort());
  const hydrated = take().filter(({ operation }) => operation === 'BatchGetItem');
  expect(hydrated.reduce((sum, { units: { table: read = 0 } }) => sum + read, 0)).toBe(3);
});

it('reads no row of an expired answer of a project', async () => {
  const table = await createTestTable();
  const projectId = 'c'.repeat(16);
  const surveyIds = ['sv_0123456789abcdef', 'sv_1123456789abcdef'];
  const momentOf = (index: number) => START + index * DAY;
  const ids = await seedAnswers(table, { projectId, surveyIds, count: 20, momentOf });
  const { walks, take } = recordedWalks(table);
  const first = new Date(momentOf(15)).toISOString().slice(0, 10);
  const isGone = (surveyId: string, at: string) => surveyId === surveyIds[0] && at.slice(0, 10) < first;
  const walked: string[] = [];
  for await (const { answer } of walks.ofProject({ projectId, isGone })) {
    if (answer !== undefined) walked.push(answer.id);
  }
  const kept = ids.filter((_, index) => index >= 15 || index % 2 === 1);
  expect(walked.sort()).toEqual(kept.sort());
  const hydrated = take().filter(({ operation }) => operation === 'BatchGetItem');
  expect(hydrated.reduce((sum, { units: { table: read = 0 } }) => sum + read, 0)).toBe(kept.length);
});
