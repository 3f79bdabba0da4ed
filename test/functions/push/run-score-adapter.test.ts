import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PushContext } from '../../../functions/push/push-project.ts';
import { runScoreAdapter } from '../../../functions/push/run-score-adapter.ts';
import { compose } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { purgedDefinitions } from '../../../functions/runtime/parts/privacy.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { createRunLease } from '../../../shared/data/scores/run-lease.ts';
import type { ReadIndex } from '../../../shared/data/table/index-reader.ts';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { linkedAnswer, NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { aLinkedAnswer, revise, SESSION } from '../../support/fixtures/revising.ts';
import { createPushSetting, type PushSetting } from '../../support/service/push-setting.ts';
import { createTestSecrets } from '../../support/service/test-secrets.ts';
import { testConfig } from '../../support/service/test-service.ts';
import {
  type Fault,
  type LangfuseStandIn,
  startLangfuseStandIn,
} from '../../support/stand-ins/langfuse-stand-in.ts';

const RUN_MS = 2 * MINUTE;

let setting: PushSetting;
let langfuse: LangfuseStandIn;
let fault: Fault | undefined;
let lines: string[];
beforeEach(async () => {
  fault = undefined;
  lines = [];
  setting = await createPushSetting();
  langfuse = await startLangfuseStandIn({ faultOf: () => fault });
});
afterEach(async () => {
  await langfuse.stop();
  await setting.stop();
});

const entry = (projectId: string, more: object = {}) => ({
  projectId,
  destination: { type: 'langfuse', baseUrl: langfuse.url, ...langfuse.credentials },
  ...more,
});
const own = () => entry(setting.tenant.project.id);
let runs = 0;
const adapterOf = (list: unknown, aroundIndex?: (read: ReadIndex) => ReadIndex): PushContext => {
  const { table, clock } = setting.service;
  return {
    service: compose(testConfig(table, { metricsNamespace: 'acme-test' }), {
      client: table.client,
      clock: clock.now,
      log: createLogger((line) => lines.push(line)),
      secrets: createTestSecrets(),
      aroundIndex,
    }),
    readConfiguration: async () => JSON.stringify(list),
    runId: () => `run-${runs++}`,
    timers: setting.timers,
  };
};
const logged = () => lines.splice(0).map((line) => JSON.parse(line));

it('delivers pending scores and logs one line, which carries its metrics', async () => {
  const ids = await setting.answers(3);
  const adapter = adapterOf([own()]);
  expect(await runScoreAdapter(adapter, RUN_MS)).toBe(true);
  expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.toSorted());
  expect(await setting.open(true)).toEqual([]);
  const [line, ...more] = logged();
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'info',
    message: 'scores',
    projectId: setting.tenant.project.id,
    destination: 'langfuse',
    polled: 3,
    delivered: 3,
    rejected: 0,
    left: 0,
    OldestPendingScoreAge: 0,
    ScoreDeliveryHalted: 0,
    ScoreRunFailed: 0,
  });
  const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics;
  expect([Namespace, Dimensions]).toEqual(['acme-test', [[]]]);
  for (const { Name } of Metrics) expect(line[Name]).toEqual(expect.any(Number));
});

it('serves several projects, each with its own destination and independent of failures of others', async () => {
  const { service, tenant } = setting;
  const other = await service.tenant({ limits: NO_LIMITS });
  const stranger = await service.tenant();
  await setting.answers(2);
  await linkedAnswer(service, stranger);
  const { id } = await linkedAnswer(service, other);
  const wrong = { ...langfuse.credentials, secretKey: 'sk-lf-wrong' };
  const broken = entry(stranger.project.id, {
    destination: { type: 'langfuse', baseUrl: langfuse.url, ...wrong },
  });
  await runScoreAdapter(adapterOf([broken, entry(tenant.project.id), entry(other.project.id)]), RUN_MS);
  expect(langfuse.scores.size).toBe(3);
  expect(langfuse.scores.has(id)).toBe(true);
  const byProject = new Map(logged().map((line) => [line.projectId, line]));
  expect(byProject.get(stranger.project.id)).toMatchObject({ level: 'error', halted: 'HTTP 401' });
  expect(byProject.get(other.project.id)).toMatchObject({ delivered: 1 });
});

it('runs at most once at a time for each project', async () => {
  await setting.answers(1);
  const adapter = adapterOf([own()]);
  const lease = createRunLease(setting.service.table.table, `push-scores#${setting.tenant.project.id}`);
  expect(await lease.acquire('another', setting.timers.now(), setting.timers.now() + MINUTE)).toEqual({});
  expect(await runScoreAdapter(adapter, RUN_MS)).toBe(false);
  expect(langfuse.requests()).toBe(0);
  // The other run was killed.
  setting.service.clock.advance(MINUTE);
  expect(await runScoreAdapter(adapter, RUN_MS)).toBe(true);
  expect(langfuse.requests()).toBe(1);
  expect(await runScoreAdapter(adapter, RUN_MS)).toBe(true);
});

it('stops ten seconds early, and the next run continues there', async () => {
  const ids = await setting.answers(60);
  const adapter = adapterOf([own()]);
  const start = setting.timers.now();
  await runScoreAdapter(adapter, RUN_MS);
  expect(setting.timers.now() - start).toBeLessThanOrEqual(RUN_MS - 10 * SECOND);
  const [line] = logged();
  expect(line.delivered).toBeGreaterThan(40);
  expect(line.delivered).toBeLessThan(60);
  expect(langfuse.requests()).toBeLessThanOrEqual((25 * (RUN_MS - 10 * SECOND)) / MINUTE + 1);
  await runScoreAdapter(adapter, RUN_MS);
  expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.toSorted());
  expect(langfuse.requests()).toBe(60);
});

it('reaches scores behind more failing ones than it has time for', async () => {
  const ids = await setting.answers(55);
  const poisoned = new Set(ids.slice(0, 50));
  await langfuse.stop();
  langfuse = await startLangfuseStandIn({
    faultOf: (_request, score) => (score !== undefined && poisoned.has(score.id) ? '503' : undefined),
  });
  const adapter = adapterOf([own()]);
  await runScoreAdapter(adapter, RUN_MS);
  expect(langfuse.scores.size).toBe(0);
  await runScoreAdapter(adapter, RUN_MS);
  expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.slice(50).toSorted());
  const ages = logged().map((line) => line.OldestPendingScoreAge);
  expect(ages[0]).toBeGreaterThan(100);
  expect(ages[1]).toBeGreaterThan(ages[0]);
});

it('reports a destination that accepts nothing, and the longest wait, which excludes a first score that has just changed', async () => {
  fault = '401';
  const { service, tenant } = setting;
  const { showToken } = await aLinkedAnswer({ service, tenant });
  await setting.answers(1);
  service.clock.advance(20 * MINUTE);
  const changed = await revise({ service, tenant }, showToken, { revision: 1, rating: 5, ...SESSION });
  expect(changed.status).toBe(200);
  await runScoreAdapter(adapterOf([own()]), RUN_MS);
  const [line] = logged();
  expect(line).toMatchObject({ level: 'error', halted: 'HTTP 401', ScoreDeliveryHalted: 1, left: 2 });
  expect(line.OldestPendingScoreAge).toBeGreaterThanOrEqual(1_200);
  expect((await setting.open()).length).toBe(2);
});

it('logs a line even if no destination is configured', async () => {
  await runScoreAdapter(adapterOf([]), RUN_MS);
  expect(logged()).toMatchObject([
    { message: 'scores: no destination is configured', OldestPendingScoreAge: 0 },
  ]);
});

it('fails with a wrong configuration and names the field', async () => {
  const wrong = adapterOf([{ serviceKey: 'svc_pk_secretish', destination: {} }]);
  await expect(runScoreAdapter(wrong, RUN_MS)).rejects.toThrow('0.serviceKey: must be a secret key');
  const [line] = logged();
  expect(line).toMatchObject({ level: 'error', ScoreRunFailed: 1 });
  expect(JSON.stringify(line)).not.toContain('secretish');
  expect(await runScoreAdapter(adapterOf([]), RUN_MS)).toBe(true);
});

it('continues when every key of the project is revoked', async () => {
  const ids = await setting.answers(1);
  const { service, tenant } = setting;
  const store = projects(compose(testConfig(service.table), { client: service.table.client }));
  const keys = (await store.read(tenant.project.id))?.keys ?? [];
  expect(keys).toHaveLength(2);
  for (const { hash } of keys)
    await store.revokeKey(tenant.project.id, hash, new Date(service.clock.now()).toISOString());
  await runScoreAdapter(adapterOf([own()]), RUN_MS);
  expect([...langfuse.scores.keys()]).toEqual(ids);
});

it('has nothing to do for a project that is unknown or being purged', async () => {
  const { service, tenant } = setting;
  await setting.answers(1);
  await purgedDefinitions(service.service).mark({ projectId: tenant.project.id }, '2026-11-20T00:00:00.000Z');
  await runScoreAdapter(adapterOf([own(), entry('nobody')]), RUN_MS);
  expect(langfuse.requests()).toBe(0);
  expect(logged()).toMatchObject([{ polled: 0 }, { polled: 0 }]);
});

describe('woken by the stream', () => {
  const wakeOf = (scores: number) => ({ [setting.tenant.project.id]: scores });

  it('serves only the projects that it was woken for', async () => {
    const other = await setting.service.tenant({ limits: NO_LIMITS });
    const [id] = await setting.answers(1);
    await linkedAnswer(setting.service, other);
    await runScoreAdapter(adapterOf([own(), entry(other.project.id)]), RUN_MS, wakeOf(1));
    expect([...langfuse.scores.keys()]).toEqual([id]);
    await runScoreAdapter(adapterOf([entry(other.project.id)]), RUN_MS, wakeOf(1));
    await runScoreAdapter(adapterOf([]), RUN_MS, wakeOf(1));
    expect(langfuse.requests()).toBe(1);
    expect(logged()).toHaveLength(1);
  });

  it('reads again, at most twice, when the index does not show a score yet', async () => {
    const ids = await setting.answers(2);
    const { clock } = setting.service;
    const shownFrom = clock.now() + 2 * SECOND;
    const lagging =
      (read: ReadIndex): ReadIndex =>
      async (query) =>
        clock.now() < shownFrom ? { entries: [], more: false } : read(query);
    await runScoreAdapter(adapterOf([own()], lagging), RUN_MS, wakeOf(2));
    expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.toSorted());
    expect(clock.now() - shownFrom).toBeLessThan(5 * SECOND);
    logged();
    await runScoreAdapter(adapterOf([own()]), RUN_MS, wakeOf(2));
    expect(logged().map(({ polled }) => polled)).toEqual([0, 0, 0]);
  });

  it('leaves a project to a run in progress, which reads again before it ends', async () => {
    const late: string[] = [];
    let told: boolean | undefined;
    await langfuse.stop();
    langfuse = await startLangfuseStandIn({
      onStored: async () => {
        if (told !== undefined) return;
        told = true;
        late.push(...(await setting.answers(1)));
        told = await runScoreAdapter(adapterOf([own()]), RUN_MS, wakeOf(1));
      },
    });
    const ids = await setting.answers(1);
    await runScoreAdapter(adapterOf([own()]), RUN_MS);
    expect(told).toBe(false);
    expect([...langfuse.scores.keys()].toSorted()).toEqual([...ids, ...late].toSorted());
  });
});

it('logs neither keys nor personal data', async () => {
  fault = '400';
  const { service, tenant } = setting;
  const mint = { respondentId: 'ann@example.test', sessionId: 'session-private' };
  await linkedAnswer(service, tenant, { mint, submission: { text: 'my own words' } });
  await runScoreAdapter(adapterOf([entry(tenant.project.id)]), RUN_MS);
  fault = '401';
  await linkedAnswer(service, tenant, { mint: { sessionId: 'session-private' } });
  await runScoreAdapter(adapterOf([entry(tenant.project.id)]), RUN_MS);
  const text = lines.join('\n');
  expect(text).toContain('"rejected":1');
  for (const secret of [tenant.secretKey, 'sk-lf', 'ann@', 'session-private', 'my own words'])
    expect(text).not.toContain(secret);
});
