import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { respondentHash } from '../../../../shared/crypto/derive.ts';
import { readHistory } from '../../../../shared/data/answers/answer-store.ts';
import { createHistoryFolds } from '../../../../shared/data/answers/history-folds.ts';
import { createImportStore } from '../../../../shared/data/answers/import-store.ts';
import { suppressionKey } from '../../../../shared/data/table/schema.ts';
import { DAY, HOUR } from '../../../../shared/domain/duration.ts';
import { anId } from '../../../support/fixtures/builders.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { START } from '../../../support/service/test-clock.ts';
import { TEST_HASH_SECRET, TEST_HASHING } from '../../../support/service/test-secrets.ts';
import { createTestErasures, createTestTable } from '../../../support/service/test-table.ts';

const service = await createTestTable();
const { client, tableName, table } = service;
const folds = createHistoryFolds(table, TEST_SHARDS);
const imports = createImportStore({ table, secrets: TEST_HASHING, shards: TEST_SHARDS });
const erasures = createTestErasures(service);

const FIRST = START - 300 * DAY;
const HALF_HOUR = HOUR / 2;
/** Leaves room for lines of a running import and a few outdated elements. */
const FEW = 40;

let projectId: string;
let surveyId: string;
let target: { projectId: string; respondentHash: string };
let lines: number;

beforeEach(() => {
  projectId = anId();
  surveyId = `sv_${anId()}`;
  target = { projectId, respondentHash: respondentHash(TEST_HASH_SECRET, projectId, 'unknown') };
  lines = 0;
});

const line = (at: number) => {
  lines += 1;
  const row = { respondentId: 'unknown', rating: 5, id: `r-${lines}`, at };
  return imports.store({ projectId, surveyId }, row, START);
};
const key = () => suppressionKey(projectId, target.respondentHash);
const item = async () => {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: key(), ConsistentRead: true }),
  );
  return { times: Item?.answerTimes?.size ?? 0, asked: Item?.asked?.size ?? 0 };
};
const read = () => readHistory(table, projectId, target.respondentHash);

async function fill(): Promise<number> {
  await line(FIRST);
  const times = Array.from(
    { length: 6_600 },
    (_, n) => `${FIRST + n * HALF_HOUR}#${anId().slice(-8)}#response`,
  );
  const asked = Array.from({ length: 18_500 }, (_, n) => {
    const element = Buffer.alloc(11, surveyId.slice(3), 'hex');
    element.writeUIntBE(Math.ceil(FIRST / (HOUR / 6)) + n, 8, 3);
    return element;
  });
  await table.update(key(), { add: { answerTimes: new Set(times), asked: new Set(asked) } });
  return FIRST + 6_599 * HALF_HOUR;
}

it.each([
  ['from the oldest on', (n: number) => FIRST + n * HOUR],
  ['from the newest on', (n: number) => FIRST + (100 - n) * HOUR],
  ['of one day', () => FIRST],
])('keeps the latest of many old answers %s', async (_, at) => {
  const times = Array.from({ length: 100 }, (_, n) => at(n));
  await line(times[0] ?? 0);
  for (let first = 1; first < 100; first += 25) await Promise.all(times.slice(first, first + 25).map(line));
  const { latest, surveys } = await read();
  expect(latest.answeredAt).toBe(Math.max(...times));
  expect(surveys.get(surveyId)?.answeredAt).toBeGreaterThanOrEqual(Math.max(...times));
  const { times: kept, asked } = await item();
  expect(kept).toBeLessThan(FEW);
  expect(asked).toBeLessThan(FEW);
});

it('keeps all times that the cap counts in any order, and no old ones beside them', async () => {
  const recent = Array.from({ length: 50 }, (_, n) => START - ((n * 7) % 50) * HOUR);
  for (const at of recent) {
    await line(at);
    await line(at - 100 * DAY);
  }
  const { times, latest } = await read();
  expect(new Set(times.filter((time) => time > START - 30 * DAY))).toEqual(new Set(recent));
  expect(latest.answeredAt).toBe(START);
  expect((await item()).times).toBeLessThan(50 + FEW);
});

it('adds nothing when a line is imported again', async () => {
  await line(START - DAY);
  const before = await item();
  lines = 0;
  expect(await line(START - DAY)).toBe('known');
  expect(await item()).toEqual(before);
});

it('lets a full item take further lines and become small', async () => {
  const last = await fill();
  for (let n = 0; n < 10; n += 1) expect(await line(last - n * HOUR)).toBe('imported');
  expect(await line(START - DAY)).toBe('imported');
  expect((await read()).latest.answeredAt).toBe(START - DAY);
  const { times, asked } = await item();
  expect(times).toBeLessThan(FEW);
  expect(asked).toBeLessThan(FEW);
});

it('lets a person with a full item be erased', async () => {
  await fill();
  await seedAnswers(service, {
    projectId,
    surveyIds: Array.from({ length: 500 }, () => `sv_${anId()}`),
    count: 600,
    respondentOf: () => 'unknown',
    momentOf: (n) => START - n * HOUR,
  });
  const longest = { ...target, longestQuietPeriodMs: 7 * DAY };
  expect(await erasures.eraseByHash(longest, START)).toMatchObject({ responsesDeleted: 601, more: false });
  const { surveys, erased, latest } = await read();
  expect(new Set([...surveys.keys(), ...erased]).size).toBe(501);
  expect(latest.answeredAt).toBe(START);
  expect((await item()).times).toBe(600);
});

it('lets a history be folded into a full item', async () => {
  const last = await fill();
  await seedAnswers(service, {
    projectId,
    surveyIds: Array.from({ length: 500 }, () => `sv_${anId()}`),
    count: 2_000,
    respondentOf: () => 'unknown',
    momentOf: (n) => last - (n + 1) * HOUR,
  });
  await folds.fold(target, START);
  const { surveys, latest, unfolded } = await read();
  expect(unfolded).toEqual([]);
  expect(surveys.size).toBe(501);
  expect(latest.answeredAt).toBe(last);
  const { times, asked } = await item();
  expect(times).toBeLessThan(FEW);
  expect(asked).toBeLessThan(100 + FEW);
});
