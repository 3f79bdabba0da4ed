import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { onChange } from '../../functions/on-change.ts';
import { createProbe, createVisitor } from '../../functions/probe.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { aRecord, type Image } from '../support/fixtures/a-stream.ts';
import { dismiss, respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { loggedErasures } from '../support/fixtures/logged-erasures.ts';
import { show } from '../support/fixtures/shown.ts';
import { scanAll } from '../support/scan-all.ts';
import { serveInTest } from '../support/serve.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();
const realFetch = fetch;
const PROBE = { probe: true, limits: NO_LIMITS } as const;

function createRun(url: string, key: string, readMintKey?: () => Promise<string>) {
  const lines: string[] = [];
  const asked: string[] = [];
  const run = createProbe({
    visitor: createVisitor({ url, key, timeoutMs: 30_000 }),
    readMintKey,
    log: createLogger((line) => lines.push(line)),
    clock: service.clock.now,
    respondent: () => `probe-${asked.push('') + Math.random()}`,
  });
  return { run, logged: () => lines.map((line) => JSON.parse(line)) };
}

async function rowsOf({ project }: Tenant): Promise<Image[]> {
  const rows = await scanAll(service.table, project.id);
  return rows.filter(({ pk }) => String(pk).startsWith(`P#${project.id}#R#`));
}

const follow = (...Records: DynamoDBRecord[]) => onChange(service.service)({ Records });

describe('a run', () => {
  it('asks and answers as a new visitor, and logs it', async () => {
    const tenant = await service.tenant(PROBE);
    const { url, stop } = await serveService(service);
    onTestFinished(() => stop(0));
    const { run, logged } = createRun(url, tenant.publishableKey);
    await run();
    await run();
    expect(logged()).toMatchObject([
      { message: 'probe', level: 'info' },
      { message: 'probe', level: 'info' },
    ]);
    expect(new Set((await rowsOf(tenant)).map(({ respondentId }) => respondentId)).size).toBe(2);
  });

  it('also creates, opens and answers a link if it has a mint key', async () => {
    const tenant = await service.tenant(PROBE);
    const { url, stop } = await serveService(service);
    onTestFinished(() => stop(0));
    await createRun(url, tenant.publishableKey, async () => tenant.secretKey).run();
    const answers = await rowsOf(tenant);
    expect(answers.map(({ type, rating }) => [type, rating])).toEqual([
      ['response', 1],
      ['response', 1],
    ]);
    const { run, logged } = createRun(url, tenant.publishableKey, async () => 'svc_sk_wrong');
    await expect(run()).rejects.toThrow(/^expected 200; the reply is/);
    expect(logged()).toMatchObject([{ message: 'probe failed', step: 'answer by link' }]);
  });

  it('fails when the link opens no form', async () => {
    const tenant = await service.tenant(PROBE);
    const { url, stop } = await serveService(service);
    onTestFinished(() => stop(0));
    const wrong = await serveInTest((_request, response) => response.writeHead(200).end('<h1>Welcome</h1>'));
    const visitor = createVisitor({ url, key: tenant.publishableKey, timeoutMs: 30_000 });
    vi.stubGlobal('fetch', (target: string, init: RequestInit) =>
      realFetch(target.includes('/l/') ? wrong : target, init),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const asked = { surveyId: tenant.surveys[0]?.id ?? '', respondentId: 'ann' };
    await expect(visitor.answerByLink(tenant.secretKey, asked, 1)).rejects.toThrow('has no form');
  });

  it.each([
    ['a stage that answers 503', 503, '{}', 'bootstrap', /^expected 200; the reply is/],
    ['a page in place of the service', 200, '<h1>Welcome</h1>', 'bootstrap', /not what the contract says/],
  ])('fails at %s, and logs where', async (_what, status, body, step, message) => {
    const url = await serveInTest((_request, response) => response.writeHead(status).end(body));
    const { run, logged } = createRun(url, 'svc_pk_p_x');
    await expect(run()).rejects.toThrow(message);
    expect(logged()).toMatchObject([
      { message: 'probe failed', level: 'error', step, error: { message: expect.stringMatching(message) } },
    ]);
  });

  it('fails when there is no survey to answer', async () => {
    const tenant = await service.tenant(PROBE, []);
    const { url, stop } = await serveService(service);
    onTestFinished(() => stop(0));
    await expect(createRun(url, tenant.publishableKey).run()).rejects.toThrow('no survey to answer');
  });
});

describe('data of the synthetic monitor', () => {
  const expiry = () => Math.ceil((service.clock.now() + 2 * DAY) / 1_000);

  async function answered(project: object) {
    const tenant = await service.tenant({ limits: NO_LIMITS, ...project }, [aSurvey(), aSurvey()]);
    expect((await show(service, tenant, 'ann')).reply.status).toBe(201);
    await respond(service, tenant, 'ann');
    await dismiss(service, tenant, 'ann', { surveyId: tenant.surveys[1]?.id });
    await respond(service, tenant, 'bob', { sessionId: 's' });
    return { tenant, rows: await rowsOf(tenant) };
  }

  it('expires within two days, every row of it', async () => {
    const { rows } = await answered(PROBE);
    expect(rows.map(({ type }) => type).sort()).toEqual(['dismissal', 'response', 'response']);
    for (const row of rows) expect(row).toMatchObject({ probe: true, ttl: expiry() });
    const { rows: others } = await answered({});
    expect(others.length).toBeGreaterThan(3);
    for (const row of others.filter(({ type }) => type !== 'shown')) {
      expect(row).not.toHaveProperty('ttl');
      expect(row).not.toHaveProperty('probe');
    }
  });

  it('has no score, and causes no counts and events, even when it expires', async () => {
    const { tenant, rows } = await answered(PROBE);
    for (const row of rows) expect(row).not.toHaveProperty('scoreState');
    const before = await scanAll(service.table, tenant.project.id);
    const told = service.events.length;
    await follow(...rows.map((row) => aRecord(undefined, row)));
    await follow(...rows.map((row) => aRecord(row, undefined)));
    expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
    expect(service.events.length).toBe(told);
    const { rows: others } = await answered({});
    await follow(...others.map((row) => aRecord(undefined, row)));
    expect(service.events.length).toBeGreaterThan(told);
  });

  it('keeps suppression for two days after an erasure, which is not logged and sends no event', async () => {
    const { tenant, rows } = await answered(PROBE);
    const told = service.events.length;
    const { secretKey } = tenant;
    const erased = await service.call(erase, { secretKey, query: { respondentId: 'ann' } });
    expect(erased).toMatchObject({ status: 200, body: { responsesDeleted: 1, dismissalsDeleted: 1 } });
    const left = await rowsOf(tenant);
    expect(left.find(({ type }) => type === 'suppression')).toMatchObject({ ttl: expiry() });
    for (const row of left) expect(row).toHaveProperty('ttl');
    expect(await loggedErasures(service, tenant.project.id)).toEqual([]);
    const answer = rows.find(({ type, respondentId }) => type === 'response' && respondentId === 'ann');
    const tombstone = left.find(({ type }) => type === 'tombstone');
    await follow(aRecord(answer, tombstone));
    expect(service.events.length).toBe(told);
  });
});
