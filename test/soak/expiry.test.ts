/** bench/expiry.ts measures larger amounts of data. */

import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { expirySweep } from '../../functions/runtime/parts/privacy.ts';
import { createSettingsLoader } from '../../shared/data/projects/project-record.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { volume } from '../support/depth.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { keptFor } from '../support/fixtures/expiring.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, testConfig } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createRecordingClient, type RecordedCall } from '../support/stand-ins/recording-client.ts';

const ANSWERS = volume(20_000);
const ANSWERS_EACH = 10;
const PAGE = 100;
const PAGES_PER_VISIT = 2;
const RUNS = 3;
/** The capacity of one partition in units per second (DynamoDB, "Service, account, and table quotas"). */
const PARTITION = { read: 3_000, written: 1_000 };

const unitsOf = (calls: readonly RecordedCall[], isCounted: (call: RecordedCall) => boolean): number =>
  calls
    .filter(isCounted)
    .flatMap(({ units }) => Object.values(units))
    .reduce((sum, units) => sum + units, 0);

const isRead = ({ operation }: RecordedCall): boolean => /^(Query|GetItem|BatchGetItem)$/.test(operation);

it(`sweeps ${ANSWERS} expired answers with two interruptions, at a pace that throttles no partition`, async () => {
  const table = await createTestTable();
  const asking = await createTestService({ table });
  const { clock } = asking;
  const { project, surveys, publishableKey } = await asking.tenant(
    { retention: keptFor('35d'), limits: NO_LIMITS },
    [aSurvey(), aSurvey()],
  );
  const [answered, other] = surveys.map(({ id }) => id);
  const personOf = (index: number) => `person-${Math.floor(index / ANSWERS_EACH)}`;
  await seedAnswers(table, {
    projectId: project.id,
    surveyIds: [answered ?? ''],
    count: ANSWERS,
    respondentOf: personOf,
    momentOf: (index) => clock.now() - 100 * DAY + index,
    responseOf: () => ({ text: 'only for so long' }),
  });
  const settings = await createSettingsLoader(table.table)(project.id);
  if (settings === undefined) throw new Error('there is no project');

  let rowsRead = 0;
  let asked = 0;
  const sum = { read: 0, written: 0, pausedMs: 0 };
  async function comeBy(): Promise<void> {
    const userId = personOf((asked * 7_919) % ANSWERS);
    const { status, body } = await asking.call(bootstrap, { body: { key: publishableKey, userId } });
    expect(status).toBe(200);
    expect(Object.keys(body.showTokens)).toEqual([other]);
    expect(body.suppression).toEqual([answered]);
    asked += 1;
  }

  async function run(sweeping: ProjectSettings, end: { readonly pages?: number; readonly puts?: number }) {
    const { pages = Number.POSITIVE_INFINITY, puts = Number.POSITIVE_INFINITY } = end;
    const { client, take } = createRecordingClient(table.endpoint);
    let [done, put] = [0, 0];
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === 'PutItemCommand') put += 1;
        if (put > puts) throw new Error('killed');
        return next(args);
      },
      { step: 'initialize', priority: 'low' },
    );
    const service = compose(testConfig(table), {
      client,
      clock: clock.now,
      async pause(milliseconds) {
        sum.pausedMs += milliseconds;
        if (done % PAGES_PER_VISIT === 0) await comeBy();
      },
    });
    function isOutOfTime(): boolean {
      done += 1;
      return done >= pages;
    }
    try {
      return await expirySweep(service).sweep(sweeping, { isOutOfTime });
    } finally {
      const calls = take();
      rowsRead += unitsOf(calls, ({ operation }) => operation === 'BatchGetItem');
      sum.read += unitsOf(calls, isRead);
      sum.written += unitsOf(calls, (call) => !isRead(call));
      client.destroy();
    }
  }

  expect(await run(settings, { pages: 4 })).toMatchObject({ isDone: false, expired: 4 * PAGE });
  await expect(run(settings, { puts: 850 })).rejects.toThrow('killed');
  expect(await run(settings, {})).toMatchObject({ isDone: true, waiting: 0, failed: 0 });

  const left = Map.groupBy(await scanAll(table, project.id), ({ type }) => type);
  expect(left.get('tombstone')).toHaveLength(ANSWERS);
  expect(left.get('suppression')).toHaveLength(ANSWERS / ANSWERS_EACH);
  expect(left.has('response')).toBe(false);
  expect(JSON.stringify(left.get('tombstone'))).not.toContain('only for so long');
  // After a crash, a run repeats the page of the crash and the last answer of the page before it.
  expect(rowsRead).toBeGreaterThanOrEqual(ANSWERS);
  expect(rowsRead).toBeLessThanOrEqual(ANSWERS + PAGE + 2 + RUNS);
  expect(asked).toBeGreaterThan(ANSWERS / PAGE / PAGES_PER_VISIT - RUNS);
  const [read, written] = [sum.read, sum.written].map((units) => (units * SECOND) / sum.pausedMs);
  console.log(`units a second at the pace: ${written?.toFixed()} written, ${read?.toFixed()} read`);
  expect(read).toBeLessThanOrEqual(PARTITION.read);
  expect(written).toBeLessThanOrEqual(PARTITION.written);
});
