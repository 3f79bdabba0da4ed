import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { runScoreAdapter } from '../../../functions/push/run-score-adapter.ts';
import { compose, type Service } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { purgeRecords } from '../../../functions/runtime/parts/privacy.ts';
import { withdrawals } from '../../../functions/runtime/parts/scores.ts';
import { placeOf } from '../../../shared/data/scores/withdrawals.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { collect } from '../../support/collect.ts';
import { anId } from '../../support/fixtures/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService, type PurgeService } from '../../support/service/purge-service.ts';
import { createVirtualTimers } from '../../support/service/test-clock.ts';
import type { Tenant } from '../../support/service/test-service.ts';
import {
  type Fault,
  type LangfuseStandIn,
  startLangfuseStandIn,
} from '../../support/stand-ins/langfuse-stand-in.ts';

const NOT_REACHED = 'Copies in other systems are not deleted; erase them there';

describe('scores of erased answers', () => {
  let purges: PurgeService;
  let tenant: Tenant;
  let langfuse: LangfuseStandIn;
  let fault: Fault | undefined;
  let refused: ReadonlySet<string>;
  let lines: string[];
  beforeEach(async () => {
    fault = undefined;
    refused = new Set();
    lines = [];
    purges = await createPurgeService();
    tenant = await purges.service.tenant({ limits: NO_LIMITS });
    langfuse = await startLangfuseStandIn({
      faultOf: (_request, _score, deletes = '') => (refused.has(deletes) ? '400' : fault),
      now: purges.service.clock.now,
    });
  });
  afterEach(() => langfuse.stop());

  const langfuseOf = () => ({ type: 'langfuse', baseUrl: langfuse.url, ...langfuse.credentials });
  async function run(
    destination: object | null = langfuseOf(),
    requestsPerMinute = 0,
    arrange: (service: Service) => void = () => undefined,
  ): Promise<void> {
    const { config, overrides } = purges.service.service;
    const list =
      destination === null ? [] : [{ projectId: tenant.project.id, destination, requestsPerMinute }];
    const service = compose(config, { ...overrides, log: createLogger((line) => lines.push(line)) });
    arrange(service);
    const readConfiguration = async () => JSON.stringify(list);
    const timers = createVirtualTimers(purges.service.clock);
    await runScoreAdapter({ service, readConfiguration, runId: anId, timers }, 2 * MINUTE);
  }
  const answer = (respondentId = `user-${anId()}`) =>
    linkedAnswer(purges.service, tenant, { mint: { respondentId, sessionId: `session-${anId()}` } });
  const eraseBy = async (query: Record<string, string>) =>
    (await purges.service.call(erase, { secretKey: tenant.secretKey, query })).body;
  const logged = () => lines.splice(0).map((line) => JSON.parse(line));
  const queued = () => collect(withdrawals(purges.service.service).sweep(tenant.project.id));
  const left = () => withdrawals(purges.service.service).projects();

  it('of a person are queued before the rows are deleted, mentioned in the note, and deleted some minutes later', async () => {
    const { id } = await answer('ann');
    const other = await answer('ben');
    await run();
    expect(langfuse.scores.size).toBe(2);
    const { note } = await eraseBy({ respondentId: 'ann' });
    expect(note).toBe(
      `${NOT_REACHED}, except 1 score that the score adapter is withdrawing from its destinations.`,
    );
    // A push that was under way may still arrive.
    await run();
    expect(langfuse.scores.has(id)).toBe(true);
    purges.service.clock.advance(5 * MINUTE);
    logged();
    await run();
    expect([...langfuse.scores.keys()]).toEqual([other.id]);
    const told = { message: 'scores: withdrawals', withdrawn: 1, left: 0, OldestWithdrawalAge: 0 };
    expect(logged()).toContainEqual(expect.objectContaining(told));
    expect(await left()).toEqual([]);
    expect((await eraseBy({ respondentId: 'ann' })).note).toBe(`${NOT_REACHED}.`);
  });

  it('are left to the caller without the adapter, or if the destination cannot delete', async () => {
    await answer('ann');
    expect((await eraseBy({ respondentId: 'ann' })).note).toBe(`${NOT_REACHED}.`);
    expect(await left()).toEqual([]);
    await answer('ben');
    await run({ type: 'none' });
    expect((await eraseBy({ respondentId: 'ben' })).note).toBe(`${NOT_REACHED}.`);
  });

  it('that were never pushed are queued without being mentioned, because a push may begin at the same moment', async () => {
    await run();
    await answer('ann');
    expect((await eraseBy({ respondentId: 'ann' })).note).toBe(`${NOT_REACHED}.`);
    expect(await left()).toEqual([tenant.project.id]);
    purges.service.clock.advance(5 * MINUTE);
    await run();
    expect(await left()).toEqual([]);
  });

  it('of a survey are counted as far as the request got, and all of them are deleted', async () => {
    await answer();
    await answer();
    await run();
    const { note } = await eraseBy({ surveySlug: tenant.surveys[0]?.content.slug ?? '' });
    expect(note).toContain('except 2 scores that the score adapter is withdrawing');
    await purges.carryOut();
    purges.service.clock.advance(5 * MINUTE);
    await run();
    expect(langfuse.scores.size).toBe(0);
  });

  it('of an account outlive it and are counted in its record; nothing of the account is left in the end', async () => {
    await answer();
    await answer();
    await run();
    const { note } = await eraseBy({ account: 'true' });
    expect(note).toContain('the record of the purge counts them');
    await purges.carryOut();
    expect(purges.failures).toEqual([]);
    const [record] = await purgeRecords(purges.service.service).list(tenant.project.id);
    expect(record).toMatchObject({ state: 'done', withdrawals: 2 });
    purges.service.clock.advance(5 * MINUTE);
    await run();
    expect(langfuse.scores.size).toBe(0);
    expect(await left()).toEqual([]);
    const rest = await scanAll(purges.service.table, tenant.project.id);
    expect(rest.map(({ type }) => type).sort()).toEqual(['purge', 'run-lease']);
    expect(rest.find(({ type }) => type === 'run-lease')?.ttl).toBeGreaterThan(0);
  });

  it('are retried until the destination deletes them, and their age is reported', async () => {
    await answer('ann');
    await run();
    await eraseBy({ respondentId: 'ann' });
    for (const [each, halted] of [
      ['503', undefined],
      ['400', undefined],
      ['401', 'HTTP 401'],
    ] as const) {
      fault = each;
      purges.service.clock.advance(DAY);
      logged();
      await run();
      const line = logged().find(({ message }) => message === 'scores: withdrawals');
      expect(line).toMatchObject({ withdrawn: 0, left: 1, reason: expect.stringContaining(each) });
      expect([line.halted, line.ScoreDeliveryHalted]).toEqual([halted, halted && 1]);
      expect(line.OldestWithdrawalAge).toBeGreaterThanOrEqual(86_400);
    }
    fault = undefined;
    await run();
    expect(langfuse.scores.size).toBe(0);
  });

  it('that are refused permanently do not keep others from their turn', async () => {
    for (let count = 0; count < 30; count += 1) await answer();
    await run();
    await eraseBy({ surveySlug: tenant.surveys[0]?.content.slug ?? '' });
    await purges.carryOut();
    purges.service.clock.advance(5 * MINUTE);
    const ids = (await queued()).map(({ id }) => id);
    expect(ids).toHaveLength(30);
    refused = new Set(ids.slice(0, -3));
    for (let runs = 0; runs < 3; runs += 1) await run(langfuseOf(), 25);
    expect(new Set(langfuse.scores.keys())).toEqual(refused);
  });

  it('that are not due delay nothing, however many there are', async () => {
    await answer('ann');
    await run();
    await eraseBy({ respondentId: 'ann' });
    const { id } = await answer('ben');
    const { clock } = purges.service;
    await run(langfuseOf(), 0, (service) => {
      vi.spyOn(withdrawals(service), 'sweep').mockImplementation(async function* (projectId) {
        for (;;) {
          clock.advance(SECOND);
          yield { projectId, id: 'fresh', shard: 0, queuedAt: new Date(clock.now()).toISOString() };
        }
      });
    });
    expect(langfuse.scores.has(id)).toBe(true);
  });

  it('that the table cannot return delay no score, and the next run continues after the last one', async () => {
    await answer('ann');
    await run();
    await eraseBy({ respondentId: 'ann' });
    const { id } = await answer('ben');
    const [first] = await queued();
    if (first === undefined) throw new Error('none is queued');
    purges.service.clock.advance(5 * MINUTE);
    logged();
    const behind: (string | undefined)[] = [];
    const breaking = (service: Service) =>
      vi.spyOn(withdrawals(service), 'sweep').mockImplementation(async function* (_, place) {
        behind.push(place);
        yield first;
        throw new Error('throttled');
      });
    await run(langfuseOf(), 0, breaking);
    expect(langfuse.scores.has(id)).toBe(true);
    expect(logged()).toContainEqual(expect.objectContaining({ level: 'error', ScoreRunFailed: 1 }));
    await answer('cat');
    await run();
    await eraseBy({ respondentId: 'cat' });
    await run(langfuseOf(), 0, breaking);
    expect(behind).toEqual([undefined, placeOf(first)]);
  });

  it('wait and are reported while no destination is configured, until there is one or `none`', async () => {
    await answer('ann');
    await answer('ben');
    await run();
    await eraseBy({ respondentId: 'ann' });
    purges.service.clock.advance(DAY);
    logged();
    await run(null);
    const told = { level: 'error', projectId: tenant.project.id, reason: 'no destination is configured' };
    expect(logged()).toContainEqual(expect.objectContaining({ ...told, OldestWithdrawalAge: 86_400 }));
    await run();
    expect(langfuse.scores.size).toBe(1);
    await eraseBy({ respondentId: 'ben' });
    purges.service.clock.advance(DAY);
    await run({ type: 'none' });
    expect(await left()).toEqual([]);
    expect(langfuse.scores.size).toBe(1);
  });

  it('leave nothing of the person in the queue or in the log', async () => {
    const mint = { respondentId: 'ann@example.test', sessionId: 'session-private' };
    await linkedAnswer(purges.service, tenant, { mint, submission: { text: 'my own words' } });
    await run();
    await eraseBy({ respondentId: 'ann@example.test' });
    fault = '503';
    purges.service.clock.advance(5 * MINUTE);
    await run();
    const queue = await queued();
    expect(queue).toHaveLength(1);
    const text = `${JSON.stringify(queue)}${lines.join('')}`;
    for (const secret of ['ann@', 'session-private', 'my own words']) expect(text).not.toContain(secret);
  });
});
