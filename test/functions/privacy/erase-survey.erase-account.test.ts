import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { purgeSweep } from '../../../functions/runtime/parts/privacy.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { createPurgeRecords } from '../../../shared/data/privacy/purges.ts';
import { aToken, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { createRandom } from '../../support/random.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import type { Tenant, TestService } from '../../support/service/test-service.ts';
import { createLaggingIndex } from '../../support/stand-ins/lagging-index.ts';

const eraseAccount = (service: TestService, { secretKey }: Tenant) =>
  service.call(erase, { secretKey, query: { account: 'true' } });

async function filledTenant(service: TestService, count = 200): Promise<Tenant> {
  const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
  const surveyIds = tenant.surveys.map(({ id }) => id);
  await seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds,
    count,
    responseOf: (index) => (index % 4 === 0 ? undefined : {}),
  });
  await respond(service, tenant, 'ann', { sessionId: 's-1' });
  await respond(service, tenant, 'bob');
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'bob' } });
  return tenant;
}

const anAttempt = (attempt: number) => ({ attempt, openedAt: '2026-11-20T09:30:00.000Z' });
const recordsOf = ({ table }: TestService) => createPurgeRecords(table.table);

describe('erasing an account', () => {
  it('200 when every key is revoked and only the record is left; another project is not affected', async () => {
    const { service, otherInstance, carryOut, requested } = await createPurgeService();
    const [tenant, other] = [await filledTenant(service), await filledTenant(service, 20)];
    const before = await scanAll(service.table, other.project.id);
    const cached = await otherInstance();
    await cached.call(bootstrap, { body: { key: tenant.publishableKey } });

    const erased = await eraseAccount(service, tenant);
    expect(erased.status).toBe(200);
    expect(erased.body).toEqual({ ok: true, mode: 'account', note: expect.stringContaining('execution-1') });
    expect((await service.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);
    expect((await service.call(exportResponses, { secretKey: tenant.secretKey })).status).toBe(401);
    expect((await cached.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(200);
    service.clock.advance(30_000);
    expect((await cached.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);

    expect(requested).toHaveLength(1);
    await carryOut();
    const left = await scanAll(service.table, tenant.project.id);
    expect(left).toEqual([
      {
        pk: 'PURGES',
        sk: `${tenant.project.id}#`,
        type: 'purge',
        projectId: tenant.project.id,
        state: 'done',
        attempt: 1,
        rounds: 1,
        openedAt: '2026-11-20T09:30:00.000Z',
        requestedAt: '2026-11-20T09:30:00.000Z',
        startedAt: '2026-11-20T09:30:30.000Z',
        finishedAt: '2026-11-20T09:30:30.000Z',
        responses: 151,
        dismissals: 50,
        // Bob's tombstone and suppression; project, two keys, two surveys, three totals.
        others: 11,
      },
    ]);
    expect(await scanAll(service.table, other.project.id)).toEqual(before);
  });

  it('sweeps late writes of instances with cached settings, with indexes that lag and repeat, and purges of its surveys', async () => {
    let read = 0;
    const { service, otherInstance, carryOut, failures } = await createPurgeService({
      aroundIndex: (inner) => {
        const lagging = createLaggingIndex(inner, { random: createRandom(11), lag: 0.5, repeat: 0.3 });
        // The purge has waited for the indexes, so older rows are visible.
        lagging.settle();
        return async (query) => {
          read += 1;
          return lagging.read(query);
        };
      },
    });
    const tenant = await filledTenant(service);
    const { publishableKey: key, surveys } = tenant;
    const slug = surveys[1]?.content.slug ?? '';
    await service.call(erase, { secretKey: tenant.secretKey, query: { surveySlug: slug } });
    const tokens = await Promise.all(['cy', 'di', 'ed'].map((id) => aToken(service, tenant, id)));
    const cached = await otherInstance();
    await cached.call(bootstrap, { body: { key } });
    await eraseAccount(service, tenant);
    for (const showToken of tokens) {
      const body = { key, surveyId: surveys[0]?.id, showToken, rating: 2 };
      expect((await cached.call(submitResponse, { body })).status).toBe(201);
    }
    await carryOut();
    expect(failures).toEqual([]);
    expect(read).toBeGreaterThan(10);
    const left = await scanAll(service.table, tenant.project.id);
    expect(left.map(({ type, state }) => [type, state])).toEqual([['purge', 'done']]);
  });

  it('sweeps answers that keep arriving in further rounds', async () => {
    let write: (() => Promise<unknown>) | undefined;
    const { service, otherInstance, carryOut, failures } = await createPurgeService({
      aroundIndex: (inner) => async (query) => {
        const page = await inner(query);
        await write?.();
        return page;
      },
    });
    const tenant = await filledTenant(service);
    const { publishableKey: key, surveys } = tenant;
    const cached = await otherInstance();
    const people = Array.from({ length: 12 }, (_, index) => `late-${index}`);
    const tokens = await Promise.all(people.map((id) => aToken(cached, tenant, id)));
    await eraseAccount(service, tenant);
    const written: number[] = [];
    write = async () => {
      const showToken = tokens.pop();
      if (showToken === undefined) return;
      const body = { key, surveyId: surveys[0]?.id, showToken, rating: 2 };
      written.push((await cached.call(submitResponse, { body })).status);
    };
    await carryOut();
    expect(failures).toEqual([]);
    expect(written).toEqual(people.map(() => 201));
    const left = await scanAll(service.table, tenant.project.id);
    expect(left).toMatchObject([{ type: 'purge', state: 'done', rounds: expect.any(Number) }]);
    expect(left[0]?.rounds).toBeGreaterThan(1);
  });

  it('retries a throttled step; a permanent failure fails the purge, and a retry completes it', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    let faults: Error[] = [];
    const { service, carryOut, failures, requested, machine } = await createPurgeService({
      arrange(service) {
        const sweep = purgeSweep(service);
        purgeSweep.replace(service, {
          ...sweep,
          sweepShard: async (...parameters) => {
            const fault = faults.pop();
            if (fault !== undefined) throw fault;
            return sweep.sweepShard(...parameters);
          },
        });
      },
    });
    const [first, second] = [await filledTenant(service), await filledTenant(service)];
    faults = Array.from({ length: 12 }, () => throttled);
    await eraseAccount(service, first);
    await carryOut();
    expect(failures).toEqual([]);
    expect(await recordsOf(service).list(first.project.id)).toMatchObject([{ state: 'done' }]);

    faults = Array.from({ length: 100 }, () => new TypeError('a bug'));
    await eraseAccount(service, second);
    await carryOut();
    expect(failures).toHaveLength(1);
    const scope = { projectId: second.project.id };
    expect(await recordsOf(service).list(scope.projectId)).toMatchObject([{ state: 'failed', attempt: 1 }]);
    expect(requested).toEqual([]);

    faults = [];
    const attempt = await recordsOf(service).retry(scope, service.clock.now());
    expect(attempt).toMatchObject({ attempt: 2 });
    if (attempt !== undefined) await machine.start(scope, attempt);
    await machine.idle();
    expect(await scanAll(service.table, scope.projectId)).toMatchObject([{ state: 'done', attempt: 2 }]);
  });

  it('can be started twice, and resumes after it was stopped', async () => {
    const { service, machine } = await createPurgeService();
    const tenant = await filledTenant(service, 400);
    const scope = { projectId: tenant.project.id };
    await eraseAccount(service, tenant);
    await machine.start(scope, anAttempt(1));
    await machine.stop();
    expect((await scanAll(service.table, scope.projectId)).length).toBeGreaterThan(1);
    await Promise.all([2, 2, 3].map((attempt) => machine.start(scope, anAttempt(attempt))));
    await machine.idle();
    expect(await scanAll(service.table, scope.projectId)).toMatchObject([{ type: 'purge', state: 'done' }]);
  });

  it('gives up and reports after twenty rounds that still find data', async () => {
    const { service, carryOut, failures } = await createPurgeService({
      arrange: (service) =>
        purgeSweep.replace(service, { ...purgeSweep(service), isAnythingIndexed: async () => true }),
    });
    const tenant = await filledTenant(service, 4);
    await eraseAccount(service, tenant);
    await carryOut();
    expect(String(failures[0])).toContain('purge retry');
    expect(await recordsOf(service).list(tenant.project.id)).toMatchObject([{ state: 'failed', rounds: 20 }]);
  });
});
