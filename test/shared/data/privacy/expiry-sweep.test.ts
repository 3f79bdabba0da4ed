import { describe, expect, it } from 'vitest';
import { respondentHash } from '../../../../shared/crypto/derive.ts';
import { readHistory } from '../../../../shared/data/answers/answer-store.ts';
import { createRunLease } from '../../../../shared/data/scores/run-lease.ts';
import { createWithdrawals } from '../../../../shared/data/scores/withdrawals.ts';
import { PRESENT } from '../../../../shared/data/table/expressions.ts';
import { tombstoneItem } from '../../../../shared/data/table/row.ts';
import {
  expirySweepKey,
  projectKey,
  scorePushJob,
  suppressionKey,
} from '../../../../shared/data/table/schema.ts';
import type { Table } from '../../../../shared/data/table/table.ts';
import type { Response } from '../../../../shared/domain/answers/answer.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../shared/domain/duration.ts';
import { OBSERVATION_KEPT_MS } from '../../../../shared/domain/retention.ts';
import { aSurvey, surveysIn } from '../../../support/fixtures/builders.ts';
import { historyOf, keptFor, sweepExpired } from '../../../support/fixtures/expiring.ts';
import { seedAnswers, TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { scanAll } from '../../../support/scan-all.ts';
import { createTestClock, START } from '../../../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../../../support/service/test-secrets.ts';
import { createTestService, type Tenant } from '../../../support/service/test-service.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const WORDS = 'only for so long';
const table = await createTestTable();

async function aProject(project = '35d', survey?: string) {
  const clock = createTestClock();
  const service = await createTestService({ table, clock });
  const kept = (period: string | undefined) => (period === undefined ? {} : { retention: keptFor(period) });
  const tenant = await service.tenant(kept(project), [aSurvey(kept(survey)), aSurvey()]);
  return { ...tenant, place: service, clock, service };
}

interface Seeded {
  readonly who?: string;
  readonly age: number;
  readonly survey?: number;
  /** In days before the start of the test. */
  readonly issued?: number;
  readonly says?: Partial<Response> | 'dismissed';
}

const seed = ({ project, surveys }: Pick<Tenant, 'project' | 'surveys'>, answers: readonly Seeded[]) =>
  Promise.all(
    answers.map(({ who = 'ann', age, survey = 0, issued, says = {} }) =>
      seedAnswers(table, {
        projectId: project.id,
        surveyIds: [surveys[survey]?.id ?? ''],
        count: 1,
        respondentOf: () => who,
        momentOf: () => START - age * DAY,
        ...(issued !== undefined && { issuedOf: () => Math.max(0, START - issued * DAY) }),
        responseOf: () => (says === 'dismissed' ? undefined : { text: WORDS, ...says }),
      }),
    ),
  );

const rowsOf = async (projectId: string, ...types: readonly string[]) =>
  (await scanAll(table, projectId)).filter(({ type }) => types.includes(type));

describe('the sweep of expired answers', () => {
  it("leaves a tombstone without words or person, and the person's suppression", async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [
      { age: 40, says: { followUpRequested: true, contact: 'ann@example.org' } },
      { age: 36, survey: 1, says: 'dismissed' },
      { age: 35, who: 'bob' },
    ]);
    expect(await sweepExpired(place, project.id)).toEqual({
      rows: 2,
      expired: 2,
      waiting: 0,
      failed: 0,
      isDone: true,
    });
    const left = await rowsOf(project.id, 'tombstone');
    expect(left.map(({ surveyId }) => surveyId).sort()).toEqual(surveys.map(({ id }) => id).sort());
    expect(JSON.stringify(left)).not.toMatch(/only for so long|ann|contactShard/);
    for (const { ttl } of left) expect(ttl).toBe(START / SECOND);
    expect(await rowsOf(project.id, 'response')).toMatchObject([{ respondentId: 'bob', text: WORDS }]);
    const history = await historyOf(place, project.id, 'ann');
    expect(surveysIn(history)).toEqual(new Set(surveys.map(({ id }) => id)));
    expect(history.latest.dismissedAt).toBe(START - 36 * DAY);
  });

  it('hides no answer from a reader of several pages of a history', async () => {
    const clock = createTestClock();
    const service = await createTestService({ table, clock });
    const surveys = Array.from({ length: 12 }, () => aSurvey());
    const { project } = await service.tenant({ retention: keptFor('35d') }, surveys);
    await seed(
      { project, surveys },
      surveys.map((_, survey) => ({ age: 40 + survey, survey })),
    );
    let pages = 0;
    const meanwhile: Table = {
      ...table.table,
      async page(query) {
        const page = await table.table.page(query);
        pages += 1;
        if (pages === 1) await sweepExpired(service, project.id);
        return page;
      },
    };
    const hash = respondentHash(TEST_HASH_SECRET, project.id, 'ann');
    const history = await readHistory(meanwhile, project.id, hash);
    expect(surveysIn(history)).toEqual(new Set(surveys.map(({ id }) => id)));
    expect(await rowsOf(project.id, 'tombstone')).toHaveLength(12);
    // Two pages of answers, and the suppression.
    expect(pages).toBe(3);
  });

  it('applies the shorter retention of survey and project, or none', async () => {
    const { project, surveys, place } = await aProject('60d', '40d');
    const answers = [
      { age: 41, who: 'ann' },
      { age: 41, survey: 1, who: 'bob' },
      { age: 61, survey: 1, who: 'cy' },
    ];
    await seed({ project, surveys }, answers);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 2 });
    expect(await rowsOf(project.id, 'response')).toMatchObject([{ respondentId: 'bob' }]);
    const forEver = await aProject('none');
    await seed(forEver, answers);
    expect(await sweepExpired(forEver.place, forEver.project.id)).toMatchObject({ rows: 0, isDone: true });
  });

  it('leaves an answer for an hour after its end, because clocks differ', async () => {
    const { project, surveys, place, clock } = await aProject();
    await seed({ project, surveys }, [{ age: 35 }]);
    const midnight = Math.ceil(START / DAY) * DAY;
    clock.advance(midnight + HOUR - MINUTE - START);
    expect(await sweepExpired(place, project.id)).toMatchObject({ rows: 0 });
    clock.advance(MINUTE);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 1 });
  });

  it("keeps an observation's token used until 62 days after its answer", async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [{ age: 40, issued: Number.POSITIVE_INFINITY }]);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 1 });
    const [tombstone, ...more] = await rowsOf(project.id, 'tombstone', 'suppression');
    expect(more).toEqual([]);
    expect(tombstone?.ttl).toBe((START - 40 * DAY + OBSERVATION_KEPT_MS) / SECOND);
  });

  it('gives a row from six years ago a time to live that DynamoDB acts on', async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [{ age: 6 * 366 }]);
    await sweepExpired(place, project.id);
    expect(await rowsOf(project.id, 'tombstone')).toMatchObject([{ ttl: START / SECOND }]);
  });

  it('leaves an imported answer only the suppression that its import created', async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [
      { age: 40, issued: Number.POSITIVE_INFINITY, says: { source: 'import' } },
    ]);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 1 });
    expect(await rowsOf(project.id, 'suppression')).toEqual([]);
    expect(await rowsOf(project.id, 'tombstone')).toMatchObject([{ ttl: START / SECOND }]);
  });

  it('leaves an answer by link while others may still come before it', async () => {
    const { project, surveys, place, clock } = await aProject();
    await table.table.update(projectKey(project.id), { set: { longestTokenLifetimeMs: 30 * DAY } }, PRESENT);
    await seed({ project, surveys }, [{ age: 40, issued: 20 }]);
    expect(await sweepExpired(place, project.id)).toMatchObject({ rows: 1, waiting: 1, expired: 0 });
    expect(await rowsOf(project.id, 'suppression')).toEqual([]);
    clock.advance(11 * DAY);
    expect(await sweepExpired(place, project.id)).toMatchObject({ rows: 1, waiting: 0, expired: 1 });
    expect(surveysIn(await historyOf(place, project.id, 'ann')).size).toBe(1);
  });

  it('records its position, and continues behind the page at which its time ran out', async () => {
    const { project, surveys, place, clock } = await aProject();
    const people = Array.from({ length: 9 }, (_, index) => ({ age: 40 + index, who: `p${index}` }));
    await seed({ project, surveys }, people);
    let runs = 0;
    for (let isDone = false; !isDone; runs += 1) {
      ({ isDone } = await sweepExpired(place, project.id, { isOutOfTime: () => true }));
      const row = await table.table.get(expirySweepKey(project.id));
      if (!isDone) expect(row?.current).toMatchObject({ surveyId: surveys[0]?.id, waiting: 0 });
      expect(JSON.stringify(row)).not.toContain('ANSWER');
      clock.advance(MINUTE);
    }
    expect(runs).toBeLessThanOrEqual(TEST_SHARDS + 1);
    const row = await table.table.get(expirySweepKey(project.id));
    expect(row?.current).toBeUndefined();
    expect(row?.last).toMatchObject({ rows: 9, expired: 9, startedAt: new Date(START).toISOString() });
    expect(await rowsOf(project.id, 'tombstone')).toHaveLength(9);
  });

  it('skips a row that it cannot read, and reports it', async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [
      { age: 40, who: 'ann' },
      { age: 40, who: 'bob' },
    ]);
    const [row] = await rowsOf(project.id, 'response');
    await table.table.update({ pk: row?.pk, sk: row?.sk }, { set: { traits: 'no JSON' } }, PRESENT);
    const told: unknown[] = [];
    const onFailure = (error: unknown) => told.push(error);
    expect(await sweepExpired(place, project.id, { onFailure })).toMatchObject({ expired: 1, failed: 1 });
    expect(told).toEqual([new Error('the traits of a row are not valid JSON')]);
    expect(await rowsOf(project.id, 'response')).toHaveLength(1);
  });

  it('writes nothing for a project whose purge has begun', async () => {
    const { project, surveys, place } = await aProject();
    await seed({ project, surveys }, [{ age: 40 }]);
    const aroundIndex = (read: (typeof table)['readIndex']) => async (query: Parameters<typeof read>[0]) => {
      await table.table.update(projectKey(project.id), { set: { purgedAt: 'now' } }, PRESENT);
      return read(query);
    };
    const before = await rowsOf(project.id, 'response', 'tombstone', 'suppression', 'expiry-sweep');
    expect(await sweepExpired(place, project.id, {}, { aroundIndex })).toMatchObject({ isDone: true });
    expect(await rowsOf(project.id, 'response', 'tombstone', 'suppression', 'expiry-sweep')).toEqual(before);
  });
});

describe('an expired answer whose score still waits', () => {
  const scored = (state: 'pending' | 'failed' | 'delivered', more = {}) => ({
    score: { state, attempts: state === 'failed' ? 1 : 0 },
    ...more,
  });

  it('is kept for 30 days after its end, and deleted once its score is settled', async () => {
    const { project, surveys, place, clock } = await aProject();
    await seed({ project, surveys }, [
      { age: 40, who: 'ann', says: scored('pending') },
      { age: 40, who: 'bob', says: scored('failed') },
      { age: 40, who: 'cy', says: scored('delivered') },
      { age: 66, who: 'dee', says: scored('pending') },
    ]);
    expect(await sweepExpired(place, project.id)).toMatchObject({ rows: 4, expired: 2, waiting: 2 });
    const waiting = await rowsOf(project.id, 'response');
    expect(waiting.map(({ respondentId }) => respondentId).sort()).toEqual(['ann', 'bob']);
    const ann = waiting.find(({ respondentId }) => respondentId === 'ann');
    await table.table.update({ pk: ann?.pk, sk: ann?.sk }, { set: { scoreState: 'delivered' } }, PRESENT);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 1, waiting: 1 });
    clock.advance(26 * DAY);
    expect(await sweepExpired(place, project.id)).toMatchObject({ expired: 1, waiting: 0 });
    expect(JSON.stringify(await rowsOf(project.id, 'tombstone'))).not.toContain('scoreShard');
  });

  it('is deleted after its withdrawal once the adapter has it to delete, and waits without an adapter', async () => {
    for (const isServed of [true, false]) {
      const { project, surveys, place } = await aProject();
      if (isServed) {
        await createRunLease(table.table, scorePushJob(project.id)).acquire('run', START, START, {});
      }
      const [ids = []] = await seed({ project, surveys }, [{ age: 40, says: scored('failed') }]);
      const [row] = await rowsOf(project.id, 'response');
      const taken = { set: { withdrawn: true, revision: 1, rating: null, text: null } };
      await table.table.update({ pk: row?.pk, sk: row?.sk }, taken, PRESENT);
      const outcome = isServed ? { expired: 1, waiting: 0 } : { expired: 0, waiting: 1 };
      expect(await sweepExpired(place, project.id)).toMatchObject(outcome);
      const queue = createWithdrawals({ table: table.table, shards: TEST_SHARDS, clock: () => START });
      const queued: string[] = [];
      for await (const { id } of queue.sweep(project.id)) queued.push(id);
      expect(queued).toEqual(isServed ? ids : []);
    }
  });
});

it('does not read a tombstone that an erasure left as an answer', async () => {
  const { project, surveys, place } = await aProject();
  await seed({ project, surveys }, [{ age: 40 }]);
  const [row] = await rowsOf(project.id, 'response');
  await table.table.put(tombstoneItem(row ?? {}, START + DAY), PRESENT);
  expect(await sweepExpired(place, project.id)).toMatchObject({ rows: 0, expired: 0 });
  const hash = respondentHash(TEST_HASH_SECRET, project.id, 'ann');
  expect(await table.table.get(suppressionKey(project.id, hash))).toBeUndefined();
});
