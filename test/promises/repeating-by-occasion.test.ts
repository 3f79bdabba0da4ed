import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import { answers, folds, imports } from '../../functions/runtime/parts/answers.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { suppressionKey } from '../../shared/data/table/schema.ts';
import { DAY, HOUR } from '../../shared/domain/duration.ts';
import { DEFAULT_LIMITS } from '../../shared/domain/project.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { scanAll } from '../support/scan-all.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import type { Reply, Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
const [NPS, SESSION, THUMB] = [0, 1, 2];
const idOf = (index: number): string => tenant.surveys[index]?.id ?? '';

const { service, recording } = await createRecordedService();

const threeSurveys = () => [aSurvey(), aSurvey({ repeat: 'session' }), aSurvey({ repeat: 'observation' })];

beforeEach(async () => {
  tenant = await service.tenant({ limits: DEFAULT_LIMITS, tokenLifetimeMs: DAY }, threeSurveys());
});

const boot = async (userId = 'ann') =>
  (await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } })).body;

async function mint(session: Record<string, string>, respondentId = 'ann') {
  const body = { respondentId, ...session };
  return (await service.call(mintTokens, { secretKey: tenant.secretKey, body })).body;
}

function answer(
  index: number,
  showToken: string,
  session: Record<string, string>,
  kind: 'response' | 'dismissal' = 'response',
): Promise<Reply> {
  const body = { key: tenant.publishableKey, surveyId: idOf(index), showToken, userId: 'ann', ...session };
  if (kind === 'dismissal') return service.call(submitDismissal, { body });
  return service.call(submitResponse, { body: { ...body, rating: 7 } });
}

const history = () => answers(service.service).history(tenant.project.id, 'ann');

function fold(): Promise<void> {
  const hash = respondentHash(TEST_HASH_SECRET, tenant.project.id, 'ann');
  return folds(service.service).fold(
    { projectId: tenant.project.id, respondentHash: hash },
    service.clock.now(),
  );
}

const message = (n: number) => ({ sessionId: 's1', traceId: 't1', observationId: `o${n}` });

describe('bootstrap', () => {
  it('lists both surveys with their repeat setting, and neither issues nor suppresses them', async () => {
    const first = await boot();
    const repeats = first.surveys.map(({ id, repeat }: { id: string; repeat?: string }) => [id, repeat]);
    expect(new Map(repeats)).toEqual(
      new Map([
        [idOf(NPS), undefined],
        [idOf(SESSION), 'session'],
        [idOf(THUMB), 'observation'],
      ]),
    );
    expect(Object.keys(first.showTokens)).toEqual([idOf(NPS)]);
    const { tokens } = await mint(message(1));
    expect((await answer(SESSION, tokens[idOf(SESSION)], message(1))).status).toBe(201);
    expect((await answer(THUMB, tokens[idOf(THUMB)], message(1))).status).toBe(201);
    expect((await boot()).suppression).toEqual([]);
  });
});

describe('a link', () => {
  const link = async (slug: number, session: Record<string, string> = {}) => {
    const body = { respondentId: 'ann', surveyId: idOf(slug), ...session };
    return (await service.call(deferredAskLink, { secretKey: tenant.secretKey, body })).body;
  };

  it('is for a session or an observation, as a minted token is', async () => {
    expect(await link(SESSION)).toMatchObject({ ok: false, reason: 'unbound' });
    expect(await link(THUMB, { sessionId: 's1' })).toMatchObject({ ok: false, reason: 'unbound' });
    const [first, second] = [await link(THUMB, message(1)), await link(THUMB, message(1))];
    expect((await answer(THUMB, first.showToken, {})).status).toBe(201);
    expect(codeOf(await answer(THUMB, second.showToken, {}))).toBe('409 token_used');
    expect(await link(THUMB, message(1))).toMatchObject({ ok: false, reason: 'suppressed' });
    const { showToken } = await link(SESSION, { sessionId: 's1' });
    expect((await answer(SESSION, showToken, {}, 'dismissal')).status).toBe(201);
    expect(await link(SESSION, { sessionId: 's1' })).toMatchObject({ ok: false, reason: 'suppressed' });
  });
});

describe('once a session', () => {
  beforeEach(async () => {
    tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: DAY }, threeSurveys());
  });

  it('holds for 31 days, folded or not', async () => {
    for (const isFolded of [false, true]) {
      tenant = await service.tenant({ limits: NO_LIMITS, tokenLifetimeMs: DAY }, threeSurveys());
      const { tokens } = await mint({ sessionId: 's1' });
      await answer(SESSION, tokens[idOf(SESSION)], { sessionId: 's1' });
      service.clock.advance(3 * DAY);
      if (isFolded) await fold();
      expect((await history()).unfolded).toHaveLength(isFolded ? 0 : 1);
      service.clock.advance(28 * DAY - 1);
      expect((await mint({ sessionId: 's1' })).suppression).toEqual([idOf(SESSION)]);
      service.clock.advance(1);
      expect((await mint({ sessionId: 's1' })).tokens[idOf(SESSION)]).toBeDefined();
    }
  });

  it("is never asked again after erasure, which also deletes the session's mark", async () => {
    const { tokens } = await mint({ sessionId: 's1' });
    await answer(SESSION, tokens[idOf(SESSION)], { sessionId: 's1' });
    service.clock.advance(3 * DAY);
    await fold();
    const query = { respondentId: 'ann' };
    await service.call(erase, { secretKey: tenant.secretKey, query, method: 'DELETE' });
    const { tokens: left, suppression } = await mint({ sessionId: 's2' });
    expect([left[idOf(SESSION)], suppression]).toEqual([undefined, [idOf(SESSION)]]);
    expect((await boot()).suppression).toEqual([]);
    const Key = suppressionKey(tenant.project.id, respondentHash(TEST_HASH_SECRET, tenant.project.id, 'ann'));
    const { Item } = await service.table.client.send(
      new GetCommand({ TableName: service.table.tableName, Key }),
    );
    expect(Item?.sessions).toBeUndefined();
  });
});

describe('once an observation', () => {
  it('gives each message its own survey, regardless of quiet period and cap, and counts none of them', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { tokens } = await mint(message(n));
      const kind = n % 3 === 0 ? 'dismissal' : 'response';
      expect((await answer(THUMB, tokens[idOf(THUMB)], message(n), kind)).status).toBe(201);
      expect((await mint(message(n))).suppression).toEqual([idOf(THUMB)]);
    }
    const { surveys, times, unfolded } = await history();
    expect([surveys.size, times, unfolded]).toEqual([0, [], []]);
    const { showTokens, suppression } = await boot();
    expect([Object.keys(showTokens), suppression]).toEqual([[idOf(NPS)], []]);
  });

  it('invalidates the other tokens of a message once one is used, but they can revise the answer', async () => {
    const earlier = await mint(message(1));
    service.clock.advance(1);
    const tokens = [earlier, await mint(message(1))].map((minted) => minted.tokens[idOf(THUMB)]);
    expect(tokens[0]).not.toBe(tokens[1]);
    const [first, second] = [
      await answer(THUMB, tokens[0], message(1)),
      await answer(THUMB, tokens[1], message(1)),
    ];
    expect([first.status, codeOf(second)]).toEqual([201, '409 token_used']);
    expect(second.body.error.details).toMatchObject({ id: first.body.id, kind: 'response' });
    const body = {
      ...{ key: tenant.publishableKey, surveyId: idOf(THUMB), ...message(1) },
      ...{ showToken: tokens[1], revision: 1, rating: 0 },
    };
    expect((await service.call(reviseResponse, { body })).status).toBe(200);
  });

  it('treats another trace, person or survey as another observation', async () => {
    const { tokens } = await mint(message(1));
    await answer(THUMB, tokens[idOf(THUMB)], message(1));
    expect((await mint({ ...message(1), traceId: 't2' })).tokens[idOf(THUMB)]).toBeDefined();
    expect((await mint({ sessionId: 's1', observationId: 'o1' })).tokens[idOf(THUMB)]).toBeDefined();
    expect((await mint(message(1), 'ben')).tokens[idOf(THUMB)]).toBeDefined();
    expect((await mint({ ...message(1), sessionId: 's2' })).tokens[idOf(THUMB)]).toBeUndefined();
  });

  it('is skipped by folds', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { tokens } = await mint(message(n));
      await answer(THUMB, tokens[idOf(THUMB)], message(n));
    }
    const { showTokens } = await boot();
    await answer(NPS, showTokens[idOf(NPS)], {});
    service.clock.advance(3 * DAY);
    await fold();
    const { surveys, times, unfolded } = await history();
    expect([[...surveys.keys()], times.length, unfolded]).toEqual([[idOf(NPS)], 1, []]);
  });

  it('is exported and erased with the person, who may then be asked about other messages', async () => {
    const { tokens } = await mint(message(1));
    await answer(THUMB, tokens[idOf(THUMB)], message(1));
    const query = { respondentId: 'ann' };
    const exported = await service.call(exportResponses, { secretKey: tenant.secretKey, query });
    expect(exported.body.responses).toMatchObject([{ surveyId: idOf(THUMB), ...message(1), linked: true }]);
    const erased = await service.call(erase, { secretKey: tenant.secretKey, query });
    expect(erased.body).toMatchObject({ responsesDeleted: 1, suppressionRetained: 0 });
    expect(codeOf(await answer(THUMB, tokens[idOf(THUMB)], message(1)))).toBe('409 token_used');
    expect((await mint(message(1))).tokens[idOf(THUMB)]).toBeUndefined();
    expect((await mint(message(2))).tokens[idOf(THUMB)]).toBeDefined();
    expect((await history()).surveys.size).toBe(0);
  });

  it('stays used after erasure as long as any of its tokens may live, including one of another hour', async () => {
    const { tokens: first } = await mint(message(1));
    service.clock.advance(DAY / 2);
    const { tokens: second } = await mint(message(1));
    await answer(THUMB, first[idOf(THUMB)], message(1));
    service.clock.advance(DAY / 2 + HOUR);
    const query = { respondentId: 'ann' };
    const erased = await service.call(erase, { secretKey: tenant.secretKey, query });
    expect(erased.body.responsesDeleted).toBe(1);
    expect(codeOf(await answer(THUMB, second[idOf(THUMB)], message(1)))).toBe('409 token_used');
    expect((await mint(message(1))).tokens[idOf(THUMB)]).toBeUndefined();
  });

  it('counts towards no quiet period and no cap after import and erasure', async () => {
    const target = { projectId: tenant.project.id, surveyId: idOf(THUMB), isBeside: true };
    const row = { respondentId: 'ann', rating: 1, at: service.clock.now() };
    expect(await imports(service.service).store(target, row, service.clock.now())).toBe('imported');
    expect(Object.keys((await boot()).showTokens)).toEqual([idOf(NPS)]);
    const query = { respondentId: 'ann' };
    const erased = await service.call(erase, { secretKey: tenant.secretKey, query });
    expect(erased.body).toMatchObject({ responsesDeleted: 1, suppressionRetained: 0 });
    expect((await history()).times).toEqual([]);
    expect(Object.keys((await boot()).showTokens)).toEqual([idOf(NPS)]);
  });

  it('is purged with its survey', async () => {
    const { tokens } = await mint(message(1));
    await answer(THUMB, tokens[idOf(THUMB)], message(1));
    const slug = tenant.surveys[THUMB]?.content.slug ?? '';
    const reply = await service.call(erase, { secretKey: tenant.secretKey, query: { surveySlug: slug } });
    expect(reply.body.responsesDeleted).toBe(1);
    const rows = await scanAll(service.table, tenant.project.id);
    expect(rows.filter(({ type }) => type === 'response')).toEqual([]);
  });

  it('costs mint one more read for each such survey, and bootstrap nothing', async () => {
    await mint(message(0));
    for (let n = 0; n < 30; n += 1) {
      const { tokens } = await mint(message(n));
      await answer(THUMB, tokens[idOf(THUMB)], message(n));
    }
    recording.take();
    await mint(message(100));
    const one = { operation: 'Query', units: { table: 1 } };
    const operations = () => recording.take().map(({ operation, units }) => ({ operation, units }));
    expect(operations()).toEqual([one, one]);
    await boot();
    expect(operations()).toEqual([one]);
  });
});
