import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runScoreAdapter, type ScoreAdapter } from '../../../functions/push/score-adapter.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { createRunLease } from '../../../shared/data/scores/run-lease.ts';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { type Fault, type LangfuseStandIn, startLangfuseStandIn } from '../../support/langfuse-stand-in.ts';
import { linkedAnswer, NO_LIMITS } from '../../support/linked-answer.ts';
import { createScorePush, type ScorePush } from '../../support/score-push.ts';

const RUN_MS = 2 * MINUTE;

describe('a scheduled run', () => {
  let setting: ScorePush;
  let langfuse: LangfuseStandIn;
  let fault: Fault | undefined;
  let lines: string[];
  beforeEach(async () => {
    fault = undefined;
    lines = [];
    setting = await createScorePush();
    langfuse = await startLangfuseStandIn({ faultOf: () => fault });
  });
  afterEach(async () => {
    await langfuse.stop();
    await setting.stop();
  });

  const entry = (serviceKey: string, more: object = {}) => ({
    serviceKey,
    destination: { type: 'langfuse', baseUrl: langfuse.url, ...langfuse.credentials },
    ...more,
  });
  let runs = 0;
  const adapterOf = (list: unknown): ScoreAdapter => ({
    readConfiguration: async () => JSON.stringify(list),
    baseUrl: setting.url,
    metricsNamespace: 'acme-test',
    lease: createRunLease(setting.service.table.table, 'push-scores'),
    runId: () => `run-${runs++}`,
    log: createLogger((line) => lines.push(line)),
    timers: setting.timers,
  });
  const logged = () => lines.splice(0).map((line) => JSON.parse(line));

  it('delivers what is pending and says so in one line, which is its metrics', async () => {
    const ids = await setting.answers(3);
    const adapter = adapterOf([entry(setting.tenant.secretKey)]);
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

  it('serves several projects, each with its own destination, one’s trouble not being another’s', async () => {
    const { service, tenant } = setting;
    const other = await service.tenant({ limits: NO_LIMITS });
    const stranger = await service.tenant();
    await setting.answers(2);
    const { id } = await linkedAnswer(service, other);
    const broken = entry(`${stranger.secretKey.slice(0, -2)}xx`);
    await runScoreAdapter(adapterOf([broken, entry(tenant.secretKey), entry(other.secretKey)]), RUN_MS);
    expect(langfuse.scores.size).toBe(3);
    expect(langfuse.scores.has(id)).toBe(true);
    const byProject = new Map(logged().map((line) => [line.projectId, line]));
    expect(byProject.get(stranger.project.id)).toMatchObject({ level: 'error', ScoreRunFailed: 1 });
    expect(byProject.get(other.project.id)).toMatchObject({ delivered: 1 });
  });

  it('runs one at a time', async () => {
    await setting.answers(1);
    const adapter = adapterOf([entry(setting.tenant.secretKey)]);
    const held = await adapter.lease.acquire('another', setting.timers.now(), setting.timers.now() + MINUTE);
    expect(held).toEqual({});
    expect(await runScoreAdapter(adapter, RUN_MS)).toBe(false);
    expect(langfuse.requests()).toBe(0);
    // The other one was killed.
    setting.service.clock.advance(MINUTE);
    expect(await runScoreAdapter(adapter, RUN_MS)).toBe(true);
    expect(langfuse.requests()).toBe(1);
    expect(await runScoreAdapter(adapter, RUN_MS)).toBe(true);
  });

  it('stops with ten seconds to spare and the next run goes on where it stopped', async () => {
    const ids = await setting.answers(60);
    const adapter = adapterOf([entry(setting.tenant.secretKey)]);
    const start = setting.timers.now();
    await runScoreAdapter(adapter, RUN_MS);
    expect(setting.timers.now() - start).toBeLessThanOrEqual(RUN_MS - 10 * SECOND);
    const [line] = logged();
    expect(line.delivered).toBeGreaterThan(40);
    expect(line.delivered).toBeLessThan(60);
    // 25 a minute, however long it takes.
    expect(langfuse.requests()).toBeLessThanOrEqual((25 * (RUN_MS - 10 * SECOND)) / MINUTE + 1);
    await runScoreAdapter(adapter, RUN_MS);
    expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.toSorted());
    expect(langfuse.requests()).toBe(60);
  });

  it('reaches scores behind more failing ones than a run has time for', async () => {
    const ids = await setting.answers(55);
    const poisoned = new Set(ids.slice(0, 50));
    await langfuse.stop();
    langfuse = await startLangfuseStandIn({
      faultOf: (_request, score) => (score !== undefined && poisoned.has(score.id) ? '503' : undefined),
    });
    const adapter = adapterOf([entry(setting.tenant.secretKey)]);
    await runScoreAdapter(adapter, RUN_MS);
    expect(langfuse.scores.size).toBe(0);
    await runScoreAdapter(adapter, RUN_MS);
    expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.slice(50).toSorted());
    const ages = logged().map((line) => line.OldestPendingScoreAge);
    expect(ages[0]).toBeGreaterThan(100);
    expect(ages[1]).toBeGreaterThan(ages[0]);
  });

  it('says when a destination takes nothing', async () => {
    fault = '401';
    await setting.answers(2);
    setting.service.clock.advance(MINUTE);
    await runScoreAdapter(adapterOf([entry(setting.tenant.secretKey)]), RUN_MS);
    const [line] = logged();
    expect(line).toMatchObject({ level: 'error', halted: 'HTTP 401', ScoreDeliveryHalted: 1, left: 2 });
    expect(line.OldestPendingScoreAge).toBeGreaterThanOrEqual(60);
    expect((await setting.open()).length).toBe(2);
  });

  it('with nothing configured still gives a sign of life', async () => {
    await runScoreAdapter(adapterOf([]), RUN_MS);
    expect(logged()).toMatchObject([{ message: 'scores: nothing is configured', OldestPendingScoreAge: 0 }]);
  });

  it('with a wrong configuration fails, says which field, and gives the lease back', async () => {
    const wrong = adapterOf([{ serviceKey: 'svc_pk_secretish', destination: {} }]);
    await expect(runScoreAdapter(wrong, RUN_MS)).rejects.toThrow('0.serviceKey: must be a secret key');
    const [line] = logged();
    expect(line).toMatchObject({ level: 'error', ScoreRunFailed: 1 });
    expect(JSON.stringify(line)).not.toContain('secretish');
    expect(await runScoreAdapter(adapterOf([]), RUN_MS)).toBe(true);
  });

  it('logs neither keys nor anything of the people', async () => {
    fault = '400';
    const { service, tenant } = setting;
    const mint = { respondentId: 'ann@example.test', sessionId: 'session-private' };
    await linkedAnswer(service, tenant, { mint, submission: { text: 'my own words' } });
    await runScoreAdapter(adapterOf([entry(tenant.secretKey)]), RUN_MS);
    fault = '401';
    await linkedAnswer(service, tenant, { mint: { sessionId: 'session-private' } });
    await runScoreAdapter(adapterOf([entry(tenant.secretKey)]), RUN_MS);
    const text = lines.join('\n');
    expect(text).toContain('"rejected":1');
    for (const secret of [tenant.secretKey, 'sk-lf', 'ann@', 'session-private', 'my own words']) {
      expect(text).not.toContain(secret);
    }
  });
});
