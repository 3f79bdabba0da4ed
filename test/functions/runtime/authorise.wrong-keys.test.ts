/** See docs/contract.md §4.2 and §12. */

import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { aKey, anId } from '../../support/fixtures/builders.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { createRecordingClient } from '../../support/stand-ins/recording-client.ts';

const RATE = 5;
const BURST = 2 * RATE;

let service: TestService;
let tenant: Tenant;
const table = await createTestTable();
const recording = createRecordingClient(table.endpoint);
beforeEach(async () => {
  service = await createTestService({
    table,
    client: recording.client,
    config: { defaultAddressRate: RATE },
    sharedRateLimits: true,
  });
  tenant = await service.tenant();
  recording.take();
});

const madeUp = (projectId: string, marker = 'pk') => `svc_${marker}_${projectId}_${'x'.repeat(48)}`;

const ask = (key: unknown, sourceIp = '192.0.2.1') =>
  service.call(bootstrap, { body: { key, userId: 'ann' }, sourceIp });

describe('a key that does not exist', () => {
  it('costs no call on any route, whether or not its project exists', async () => {
    for (const projectId of [tenant.project.id, anId()]) {
      const secretKey = madeUp(projectId, 'sk');
      await ask(madeUp(projectId));
      await service.call(mintTokens, { body: { respondentId: 'ann', sessionId: 's' }, secretKey });
      await service.call(exportResponses, { query: { respondentId: 'ann' }, secretKey });
      await service.call(erase, { query: { respondentId: 'ann' }, secretKey });
    }
    expect(recording.take()).toEqual([]);
  });

  it('gets 429 instead of 401 beyond the rate of its address, and 401 again later', async () => {
    const codes: string[] = [];
    for (let request = 0; request < BURST + 2; request++) codes.push(codeOf(await ask(madeUp(anId()))));
    expect(codes).toEqual([
      ...new Array(BURST).fill('401 invalid_key'),
      '429 rate_limited',
      '429 rate_limited',
    ]);
    const refused = await ask('rubbish');
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(codeOf(await ask('rubbish', '192.0.2.2'))).toBe('401 invalid_key');
    service.clock.advance(1_000);
    expect(codeOf(await ask('rubbish'))).toBe('401 invalid_key');
    expect(recording.take()).toEqual([]);
  });

  it('does not affect valid keys of the same address', async () => {
    for (let request = 0; request < BURST + 1; request++) await ask(madeUp(anId()));
    expect((await ask(tenant.publishableKey)).status).toBe(200);
    expect((await ask(tenant.publishableKey)).status).toBe(200);
  });

  it('gets 401 and never 429 on a route without a rate limit', async () => {
    for (let request = 0; request < BURST + 2; request++) {
      const secretKey = madeUp(anId(), 'sk');
      expect(codeOf(await service.call(exportResponses, { secretKey }))).toBe('401 invalid_key');
      const query = { respondentId: 'ann' };
      expect(codeOf(await service.call(erase, { query, secretKey }))).toBe('401 invalid_key');
    }
  });
});

describe('a revoked key', () => {
  it('is not looked up again beyond the rate of its address', async () => {
    const store = createProjectStore(service.table.table, service.table.readIndex);
    const revoked = aKey('publishable', tenant.project.id);
    await store.addKey(tenant.project.id, revoked.stored);
    await store.revokeKey(tenant.project.id, revoked.stored.hash, '2026-11-20T00:00:00.000Z');
    recording.take();
    for (let request = 0; request < BURST; request++) {
      expect(codeOf(await ask(revoked.text))).toBe('401 invalid_key');
    }
    recording.take();
    expect(codeOf(await ask(revoked.text))).toBe('429 rate_limited');
    expect(recording.take()).toEqual([]);
  });
});
