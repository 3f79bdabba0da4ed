import { expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { locateResponse } from '../../shared/crypto/ids.ts';
import { createScoreStore } from '../../shared/data/scores/score-store.ts';
import { answerKey } from '../../shared/data/table/schema.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import { TEST_SHARDS } from '../support/fixtures/seed-answers.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const ack = ({ secretKey }: Tenant, ...results: object[]) =>
  service.call(ackScores, { secretKey, body: { results } });
const open = async ({ secretKey }: Tenant) =>
  (await service.call(listPendingScores, { secretKey, query: { includeFailed: 'true' } })).body.scores;

const rowOf = ({ project }: Tenant, id: string) => {
  const { respondentHash = '', tokenId = '' } = locateResponse(TEST_HASH_SECRET, project.id, id) ?? {};
  return service.table.table.get(answerKey(project.id, respondentHash, tokenId));
};

it('200 when delivered: it leaves the index, and a later acknowledgement neither changes nor counts anything', async () => {
  const tenant = await service.tenant();
  const { id } = await linkedAnswer(service, tenant);
  const reply = await ack(tenant, { id, state: 'delivered' });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ ok: true, updated: 1 });
  const row = await rowOf(tenant, id);
  expect(row).toMatchObject({ scoreState: 'delivered', attempts: 0, rating: 5 });
  expect(row).not.toHaveProperty('scoreShard');

  expect((await ack(tenant, { id, state: 'delivered' })).body.updated).toBe(0);
  expect((await ack(tenant, { id, state: 'failed', error: 'late' })).body.updated).toBe(0);
  expect((await rowOf(tenant, id))?.scoreState).toBe('delivered');
  expect(await open(tenant)).toEqual([]);
});

it('200 when failed: attempts are counted and the last error is kept; a failed score can still become delivered', async () => {
  const tenant = await service.tenant();
  const { id } = await linkedAnswer(service, tenant);
  expect((await ack(tenant, { id, state: 'failed', error: 'one' })).body.updated).toBe(1);
  expect(await open(tenant)).toMatchObject([{ id, state: 'failed', attempts: 1, lastError: 'one' }]);
  expect((await ack(tenant, { id, state: 'failed', error: null })).body.updated).toBe(1);
  expect(await open(tenant)).toMatchObject([{ id, state: 'failed', attempts: 2, lastError: null }]);
  expect((await ack(tenant, { id, state: 'delivered' })).body.updated).toBe(1);
  expect(await open(tenant)).toEqual([]);
});

it('200 when a request contains an id twice: the last one counts, once', async () => {
  const tenant = await service.tenant();
  const { id } = await linkedAnswer(service, tenant);
  const twice = [
    { id, state: 'delivered' },
    { id, state: 'failed', error: 'after all' },
  ];
  expect((await ack(tenant, ...twice)).body.updated).toBe(1);
  expect(await open(tenant)).toMatchObject([{ state: 'failed', attempts: 1, lastError: 'after all' }]);
});

it('200 for foreign and unknown ids: they are ignored and create no row', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()];
  const { id: foreign } = await linkedAnswer(service, other);
  const { id: own } = await linkedAnswer(service, tenant);
  const unknown = [foreign, 'x', '', Buffer.alloc(32, 7).toString('base64url'), `${own}A`];
  const reply = await ack(tenant, ...unknown.map((id) => ({ id, state: 'delivered' })), {
    id: own,
    state: 'delivered',
  });
  expect(reply.body).toEqual({ ok: true, updated: 1 });
  expect(await open(other)).toMatchObject([{ id: foreign, state: 'pending' }]);
  for (const id of unknown) expect(await rowOf(tenant, id)).toBeUndefined();
});

it('200 when the service repeats its own write: it counts once and adds one attempt', async () => {
  const tenant = await service.tenant();
  const { id } = await linkedAnswer(service, tenant);
  const projectId = tenant.project.id;
  for (const state of ['failed', 'delivered'] as const) {
    const results = [{ id, state }];
    const { table, readIndex } = service.table;
    const retried = createScoreStore({
      table,
      readIndex,
      secrets: { hashSecret: async () => TEST_HASH_SECRET },
      shards: TEST_SHARDS,
      ackId: () => `ack-${state}`,
      clock: service.clock.now,
    });
    expect(await retried.acknowledge(projectId, results)).toBe(1);
    expect(await retried.acknowledge(projectId, results)).toBe(1);
  }
  expect(await rowOf(tenant, id)).toMatchObject({ scoreState: 'delivered', attempts: 1 });
});

it('200 when there is nothing to acknowledge', async () => {
  expect((await ack(await service.tenant())).body).toEqual({ ok: true, updated: 0 });
});

it('200 for an error of 500 characters of any width', async () => {
  const tenant = await service.tenant();
  const { id } = await linkedAnswer(service, tenant);
  const error = '😀'.repeat(500);
  expect((await ack(tenant, { id, state: 'failed', error })).body.updated).toBe(1);
  expect(await open(tenant)).toMatchObject([{ lastError: error }]);
});

it.each([
  ['results missing', {}],
  ['more than 100', { results: Array.from({ length: 101 }, () => ({ id: 'x', state: 'delivered' })) }],
  ['another state', { results: [{ id: 'x', state: 'pending' }] }],
  ['no id', { results: [{ state: 'delivered' }] }],
  ['an error that is too long', { results: [{ id: 'x', state: 'failed', error: 'x'.repeat(501) }] }],
])('400 for %s', async (_name, body) => {
  const { secretKey } = await service.tenant();
  expect(codeOf(await service.call(ackScores, { secretKey, body }))).toBe('400 invalid_request');
});
