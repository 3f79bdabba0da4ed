import { expect, it } from 'vitest';
import { PURGE_STEP } from '../../../functions/purge.ts';
import { compose } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { PRESENT } from '../../../shared/data/table/expressions.ts';
import { DAY, MINUTE } from '../../../shared/domain/duration.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { collectEvents } from '../../support/events/collected-events.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { keptFor } from '../../support/fixtures/expiring.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { seedResults } from '../../support/fixtures/seed-results.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import { createSteppingClock, START } from '../../support/service/test-clock.ts';
import { createTestService, type TestService, testConfig } from '../../support/service/test-service.ts';

async function aProject(service: TestService): Promise<string> {
  const { project, surveys } = await service.tenant({ retention: keptFor('35d') }, [aSurvey()]);
  await seedAnswers(service.table, {
    projectId: project.id,
    surveyIds: surveys.map(({ id }) => id),
    count: 2,
    momentOf: (index) => START - (index === 0 ? 40 : 2) * DAY,
  });
  return project.id;
}

const answersIn = async ({ table }: TestService, projectId: string) =>
  (await scanAll(table, projectId)).filter(({ type }) => type === 'response');

it('deletes expired answers of every project; a failing project fails the run without delaying others', async () => {
  const { service, machine, failures, logs } = await createPurgeService();
  const [first, broken, last] = [await aProject(service), await aProject(service), await aProject(service)];
  const untouched = await service.tenant();
  const [row] = (await answersIn(service, broken)).sort((a, b) => a.at.localeCompare(b.at));
  const key = { pk: row?.pk, sk: row?.sk };
  await service.table.table.update(key, { set: { traits: 'no JSON' } }, PRESENT);

  await machine.sweep(START);
  await machine.idle();
  for (const id of [first, last]) expect(await answersIn(service, id)).toHaveLength(1);
  expect(await answersIn(service, broken)).toHaveLength(2);
  expect(await scanAll(service.table, untouched.project.id)).not.toContainEqual(
    expect.objectContaining({ type: 'tombstone' }),
  );
  expect(failures).toHaveLength(1);
  expect(logs.join()).toContain('failed to delete an expired answer');

  failures.length = 0;
  await service.table.table.update(key, { set: { traits: '{}' } }, PRESENT);
  await machine.sweep(START + 1);
  await machine.idle();
  expect(await answersIn(service, broken)).toHaveLength(1);
  expect(failures).toEqual([]);
});

it('leaves the rest to the next call when time runs out', async () => {
  const { service } = await createPurgeService();
  const ids = [await aProject(service), await aProject(service), await aProject(service)];
  // Each reading of the clock takes a minute, so the time is over in the first project.
  const { now } = createSteppingClock(MINUTE);
  const { client } = service.table;
  const silent = createLogger(() => undefined);
  const expire = PURGE_STEP.Expire(compose(testConfig(service.table), { client, clock: now, log: silent }));
  let input: object = { sweep: { at: new Date(START).toISOString(), part: ids } };
  let calls = 0;
  for (let more = true; more; calls += 1) {
    const output = await expire(input);
    more = 'more' in output && output.more === true;
    input = output;
  }
  expect(calls).toBeGreaterThan(3);
  for (const id of ids) expect(await answersIn(service, id)).toHaveLength(1);
});

it('deletes them immediately with retention sweep, and retention status reports the outcome', async () => {
  const { service } = await createPurgeService();
  const admin = createAdminCli(service);
  const [projectId, other] = [await aProject(service), await aProject(service)];
  const status = () => admin.json('retention', 'status', '--project', projectId);
  expect(await status()).toMatchObject({
    projectId,
    retention: { period: '35d', next: null },
    surveys: [{ retention: { period: null }, completeFrom: '2026-10-16' }],
    sweep: null,
  });
  expect(await admin.json('retention', 'sweep', '--project', projectId)).toMatchObject({ done: true });
  expect(await answersIn(service, projectId)).toHaveLength(1);
  expect(await answersIn(service, other)).toHaveLength(2);
  const now = new Date(service.clock.now()).toISOString();
  expect((await status()).sweep).toEqual({
    startedAt: now,
    finishedAt: now,
    rows: 1,
    expired: 1,
    waiting: 0,
    failed: 0,
    writeUnits: 3,
  });
  const shown = await admin.run('retention', 'status', '--project', projectId);
  expect(shown.stdout).toContain('1 of 1 expired answers were deleted');
  const unknown = await admin.run('retention', 'sweep', '--project', 'nobody');
  expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no project nobody') });
});

it('sends an event once for each day of a survey, with its counts', async () => {
  const { events, outlet } = collectEvents();
  const place = await createTestService();
  const { table } = place;
  const { project, surveys } = await place.tenant({ retention: keptFor('35d') }, [aSurvey()]);
  const surveyId = surveys[0]?.id ?? '';
  const of = { projectId: project.id, surveyId };
  const days = { from: '2026-10-14', to: '2026-10-17' };
  await seedResults(table, { ...of, ...days, values: 0, segments: [] });
  const service = compose(testConfig(table, { events: { includeText: false } }), {
    client: table.client,
    clock: place.clock.now,
    log: createLogger(() => undefined),
    eventOutlet: outlet,
  });
  const sweep = () =>
    PURGE_STEP.Expire(service)({ sweep: { at: new Date(START).toISOString(), part: [project.id] } });
  await sweep();
  const ids = events.map(({ detail }) => detail.id);
  expect(ids).toEqual(['2026-10-14', '2026-10-15'].map((day) => `${project.id}-${surveyId}-expired-${day}`));
  expect(events[0]?.detail).toMatchObject({
    day: '2026-10-14',
    dismissals: 1_234,
    at: '2026-11-20T00:00:00.000Z',
  });
  await sweep();
  expect(events).toHaveLength(2);
  place.clock.advance(DAY);
  await sweep();
  expect(events.slice(2).map(({ detail }) => detail.day)).toEqual(['2026-10-16']);
});
