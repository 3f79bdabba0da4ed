import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { respondentHash } from '../../../../shared/crypto/derive.ts';
import { readHistory } from '../../../../shared/data/answers/answer-store.ts';
import { createHistoryFolds, type HistoryFolds } from '../../../../shared/data/answers/history-folds.ts';
import { createImportStore } from '../../../../shared/data/answers/import-store.ts';
import { suppressionKey } from '../../../../shared/data/table/schema.ts';
import type { Table } from '../../../../shared/data/table/table.ts';
import { foldAgeMs } from '../../../../shared/domain/answers/history.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { anId, surveysIn } from '../../../support/fixtures/builders.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { scanAll } from '../../../support/scan-all.ts';
import { START } from '../../../support/service/test-clock.ts';
import { TEST_HASH_SECRET, TEST_HASHING } from '../../../support/service/test-secrets.ts';
import { createTestErasures, createTestTable, type TestTable } from '../../../support/service/test-table.ts';

const table: TestTable = await createTestTable();
const { client, tableName } = table;
const folds: HistoryFolds = createHistoryFolds(table.table, TEST_SHARDS);
const imports = createImportStore({ table: table.table, secrets: TEST_HASHING, shards: TEST_SHARDS });
const erasures = createTestErasures(table);

let projectId: string;
let hash: string;

beforeEach(() => {
  projectId = anId();
  hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
});

const fold = (now = START) => folds.fold({ projectId, respondentHash: hash }, now);
const read = () => readHistory(table.table, projectId, hash);
const seed = (ages: readonly number[]) =>
  seedAnswers(table, {
    projectId,
    surveyIds: ages.map((_, index) => (index % 2 === 0 ? `sv_${anId()}` : `imported-${index}`)),
    count: ages.length,
    respondentOf: () => 'ann',
    momentOf: (index) => START - (ages[index] ?? 0) * DAY,
  });

async function everything() {
  const rows = await scanAll(table, projectId);
  const stored = rows.filter(({ type }) => type === 'response');
  return {
    surveyIds: new Set(stored.map(({ surveyId }) => surveyId)),
    times: stored.map(({ at }) => Date.parse(at)),
  };
}

async function suppression() {
  const Key = suppressionKey(projectId, hash);
  return (await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }))).Item;
}

it('does not affect any rule or reply, whatever the age of the answers', async () => {
  const ages = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 });
  const later = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(ages, later, async (days, folded) => {
      projectId = anId();
      hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
      await seed(days);
      const before = await everything();
      let now = START;
      for (const wait of folded) {
        now += wait * DAY;
        await fold(now);
      }
      const after = await read();
      if (after.isTooLong === true) return;
      expect(surveysIn(after)).toEqual(before.surveyIds);
      const counted = (times: readonly number[]) => {
        const sorted = times.toSorted((a, b) => b - a);
        return sorted.filter((time, index) => index === 0 || time > now - 30 * DAY);
      };
      expect(counted(after.times)).toEqual(counted(before.times));
    }),
    { numRuns: 40 },
  );
});

it('leaves answers that a live token may still join', async () => {
  const days = foldAgeMs() / DAY;
  await seed([days - 0.01, days + 0.01]);
  await fold();
  expect((await read()).unfolded).toHaveLength(1);
});

it('adds the result of at most one fold when several run at once', async () => {
  await seed([400, 300, 200, 100, 50]);
  await Promise.all(Array.from({ length: 10 }, (_, index) => fold(START + index * DAY)));
  const { unfolded } = await read();
  expect(surveysIn(await read()).size).toBe(5);
  expect(unfolded).toEqual([]);
});

it('leaves the same suppression and no answer when it meets an erasure, in any order', async () => {
  const erase = () =>
    erasures.eraseByHash({ projectId, respondentHash: hash, longestQuietPeriodMs: 7 * DAY }, START);
  for (const run of [
    async () => [await fold(), await erase()],
    async () => [await erase(), await fold()],
    () => Promise.all([fold(), erase()]),
  ]) {
    projectId = anId();
    hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
    await seed([400, 300, 200, 40, 10, 1]);
    const before = await read();
    await run();
    const after = await read();
    expect(surveysIn(after)).toEqual(surveysIn(before));
    expect(after.times.filter((time) => time > START - 30 * DAY)).toHaveLength(2);
    const left = (await scanAll(table, projectId)).map(({ type }) => type);
    expect(left.filter((type) => type !== 'tombstone')).toEqual(['suppression']);
  }
});

it('does not bring back a session mark that an erasure removed meanwhile', async () => {
  await seed([400, 300, 200]);
  await fold(START - 350 * DAY);
  const Key = suppressionKey(projectId, hash);
  const sessions = new Set([Buffer.concat([Buffer.alloc(8, 1), Buffer.from([0x2f, 0xff, 0xff])])]);
  await table.table.update(Key, { add: { sessions } });
  const target = { projectId, respondentHash: hash, longestQuietPeriodMs: 7 * DAY };
  const interrupted: Table = {
    ...table.table,
    update: async (key, change, condition) => {
      if (change.add !== undefined) await erasures.eraseByHash(target, START);
      return table.table.update(key, change, condition);
    },
  };
  await createHistoryFolds(interrupted, TEST_SHARDS).fold({ projectId, respondentHash: hash }, START);
  const left = await suppression();
  expect([left?.erasedAt, left?.sessions]).toEqual([new Date(START).toISOString(), undefined]);
});

it('creates nothing for a respondent whom a purge deleted meanwhile', async () => {
  await seed([400, 300, 200]);
  const rows = await scanAll(table, projectId);
  const interrupted = createHistoryFolds(
    interceptTransactions(() => table.table.deleteMany(rows.map(({ pk, sk }) => ({ pk, sk })))),
    TEST_SHARDS,
  );
  await interrupted.fold({ projectId, respondentHash: hash }, START);
  expect(await scanAll(table, projectId)).toEqual([]);
});

it('adds nothing to an item that a purge deleted meanwhile', async () => {
  await seed([400, 300, 200]);
  await fold(START - 250 * DAY);
  const Key = suppressionKey(projectId, hash);
  const interrupted = createHistoryFolds(
    interceptTransactions(() => table.table.delete(Key)),
    TEST_SHARDS,
  );
  await interrupted.fold({ projectId, respondentHash: hash }, START);
  expect(await suppression()).toBeUndefined();
});

it('keeps few times, however often it runs', async () => {
  await seed(Array.from({ length: 120 }, (_, index) => 32 + index));
  for (let day = 120; day >= 0; day -= 1) await fold(START - day * DAY);
  const { answerTimes, asked, askedIds } = (await suppression()) ?? {};
  expect(answerTimes.size).toBeLessThan(10);
  // The oldest surveys no longer have separate times.
  expect(asked.size + askedIds.size).toBeLessThan(110);
  expect(surveysIn(await read()).size).toBe(120);
});

function interceptTransactions(act: () => Promise<unknown>): Table {
  return {
    ...table.table,
    async transact(writes) {
      await act();
      return table.table.transact(writes);
    },
    async update(...parameters) {
      await act();
      return table.table.update(...parameters);
    },
  };
}

it('does not stop an import, and an answer imported afterwards counts', async () => {
  await seed([400, 300, 200]);
  await fold();
  const row = { respondentId: 'ann', rating: 7, at: START - 350 * DAY };
  expect(await imports.store({ projectId, surveyId: 'sv_old' }, row, START)).toBe('imported');
  expect(await imports.store({ projectId, surveyId: 'sv_old' }, row, START)).toBe('known');
  await fold(START + DAY);
  expect(surveysIn(await read())).toContain('sv_old');
  expect(surveysIn(await read()).size).toBe(4);
});

it('stops an import together with an erasure, even if a purge left the fold alone', async () => {
  await seed([400, 300, 200]);
  const rows = await scanAll(table, projectId);
  await fold();
  await table.table.deleteMany(rows.map(({ pk, sk }) => ({ pk, sk })));
  const target = { projectId, respondentHash: hash, longestQuietPeriodMs: 7 * DAY };
  await erasures.eraseByHash(target, START);
  const row = { respondentId: 'ann', rating: 7 };
  expect(await imports.store({ projectId, surveyId: 'sv_old' }, row, START)).toBe('erased');
});
