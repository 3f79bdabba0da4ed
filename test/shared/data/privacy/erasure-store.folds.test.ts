import { beforeEach, expect, it } from 'vitest';
import { respondentHash } from '../../../../shared/crypto/derive.ts';
import { readHistory } from '../../../../shared/data/answers/answer-store.ts';
import { createHistoryFolds } from '../../../../shared/data/answers/history-folds.ts';
import { suppressionKey } from '../../../../shared/data/table/schema.ts';
import type { Table } from '../../../../shared/data/table/table.ts';
import { DAY, HOUR } from '../../../../shared/domain/duration.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { START } from '../../../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../../../support/service/test-secrets.ts';
import { createTestErasures, createTestTable } from '../../../support/service/test-table.ts';

const service = await createTestTable();
const { table } = service;
const mark = 'ab'.repeat(8);
const ANSWERED = START - 40 * DAY;
/** Old enough to be folded. */
const FOLDABLE = 30 * DAY + 2 * HOUR;

let projectId: string;
let target: { projectId: string; respondentHash: string };
let surveyIds: readonly string[];

beforeEach(async () => {
  projectId = anId();
  target = { projectId, respondentHash: respondentHash(TEST_HASH_SECRET, projectId, 'ann') };
  surveyIds = Array.from({ length: 300 }, () => `sv_${anId()}`);
  // The answers need more than one page.
  await seedAnswers(service, {
    projectId,
    surveyIds,
    count: 600,
    respondentOf: () => 'ann',
    momentOf: (index) => ANSWERED + index,
    responseOf: () => ({ sessionMark: mark }),
  });
});

const erase = (store: Table, now: number) =>
  createTestErasures({ table: store, erasureLog: service.erasureLog }).eraseByHash(
    { ...target, longestQuietPeriodMs: 60 * DAY },
    now,
  );

const suppression = () => table.get(suppressionKey(projectId, target.respondentHash));

async function eraseWithFold(now: number): Promise<void> {
  const { promise: erased, resolve: end } = Promise.withResolvers<void>();
  const { promise: foldReads, resolve: folds } = Promise.withResolvers<void>();
  const late: Table = {
    ...table,
    async update(...parameters) {
      folds();
      await erased;
      return table.update(...parameters);
    },
  };
  let folding: Promise<void> | undefined;
  const interrupted: Table = {
    ...table,
    async page(query) {
      if (query.after !== undefined && folding === undefined) {
        folding = createHistoryFolds(late, TEST_SHARDS).fold(target, now);
        await Promise.race([foldReads, folding]);
      }
      return table.page(query);
    },
  };
  await erase(interrupted, now);
  end();
  await folding;
}

it('restores no session mark and no survey time, and keeps what the erasure keeps', async () => {
  await eraseWithFold(ANSWERED + FOLDABLE);
  const left = await suppression();
  expect([left?.sessions, left?.asked]).toEqual([undefined, undefined]);
  const { erased, latest, sessions } = await readHistory(table, projectId, target.respondentHash);
  expect(erased).toEqual(new Set(surveyIds));
  expect(latest.answeredAt).toBe(ANSWERED + 599);
  expect(sessions.size).toBe(0);
});

it('removes data that earlier versions restored when the person is erased again', async () => {
  await erase(table, START - 5 * DAY);
  const sessions = new Set([Buffer.concat([Buffer.from(mark, 'hex'), Buffer.from([0x2f, 0xff, 0xff])])]);
  await table.update(suppressionKey(projectId, target.respondentHash), { add: { sessions } });
  expect(await erase(table, START)).toMatchObject({ responsesDeleted: 0, more: false });
  expect((await suppression())?.sessions).toBeUndefined();
});

it('folds an answer given after the erasure as usual', async () => {
  await erase(table, ANSWERED + DAY);
  const later = { projectId, surveyIds: [`sv_${anId()}`], count: 1, respondentOf: () => 'ann' };
  await seedAnswers(service, {
    ...later,
    momentOf: () => ANSWERED + 2 * DAY,
    responseOf: () => ({ sessionMark: mark }),
  });
  await createHistoryFolds(table, TEST_SHARDS).fold(target, ANSWERED + 2 * DAY + FOLDABLE);
  const { surveys, sessions, erased } = await readHistory(table, projectId, target.respondentHash);
  expect([...surveys.keys()]).toEqual(later.surveyIds);
  expect(sessions.has(mark)).toBe(true);
  expect(erased).toEqual(new Set(surveyIds));
});
