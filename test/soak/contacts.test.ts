import { expect, it } from 'vitest';
import { compose } from '../../functions/runtime/compose.ts';
import { contactSweep, contactWalk } from '../../functions/runtime/parts/contacts.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';
import { volume } from '../support/depth.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { testConfig } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const ANSWERS = volume(100_000);
const PAGE = 50;
const PROJECT = 'p1';
/** Makes each row just under 4 KB, which is one read unit. */
const WORDS = 'x'.repeat(3_200);

const table = await createTestTable();
const { client, take } = createRecordingClient(table.endpoint);
const clock = createTestClock();
const config = { ...testConfig(table), shards: DEFAULT_INDEX_SHARDS };
const service = compose(config, { client, clock: clock.now });

const spent = (): number =>
  take()
    .flatMap(({ units }) => Object.values(units))
    .reduce((sum, units) => sum + units, 0);

it('reads at most 100 units for a page of 50, of all surveys or a rare one, and resumes an interrupted sweep', async () => {
  const asks = (index: number) => index % 20 < 1;
  await seedAnswers(table, {
    projectId: PROJECT,
    surveyIds: Array.from({ length: 100 }, (_, index) => (index === 0 ? 'sv_rare' : 'sv_usual')),
    count: ANSWERS,
    shards: DEFAULT_INDEX_SHARDS,
    responseOf: (index) => (asks(index) ? { followUpRequested: true, text: WORDS } : {}),
  });
  const page = async (isWanted: (surveyId: string) => boolean, after?: string) => {
    take();
    const query = { projectId: PROJECT, state: 'open' as const, isWanted };
    const { responses, next } = await contactWalk(service).page(query, PAGE, after);
    return { count: responses.length, next, units: spent() };
  };
  const first = await page(() => true);
  expect(first).toMatchObject({ count: PAGE, next: expect.any(String) });
  const second = await page(() => true, first.next);
  const rare = await page((surveyId) => surveyId === 'sv_rare');
  console.log(`units of a page: ${first.units}, of the next ${second.units}, of a rare survey ${rare.units}`);
  for (const { units } of [first, second, rare]) expect(units).toBeLessThanOrEqual(100);

  const sweep = (onProgress?: (done: number, rows: number) => void) =>
    contactSweep(service).sweep(PROJECT, { now: clock.now, ...(onProgress && { onProgress }) });
  let looked = 0;
  const ended = sweep((_, rows) => {
    looked = rows;
    if (rows > ANSWERS / 2) throw new Error('killed');
  });
  await expect(ended).rejects.toThrow('killed');
  take();
  expect(await sweep()).toMatchObject({ contacts: ANSWERS / 20, changed: 0 });
  const rowsRead = take()
    .filter(({ operation }) => operation === 'BatchGetItem')
    .reduce((sum, { units }) => sum + (units.table ?? 0), 0);
  expect(rowsRead).toBeLessThanOrEqual(ANSWERS - looked + 1);
});
