import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../../functions/bootstrap.ts';
import { mintTokens } from '../../../../functions/mint-tokens.ts';
import { createLogger } from '../../../../functions/runtime/logger.ts';
import { hashAccessKey } from '../../../../shared/crypto/access-key.ts';
import { createKeyUse, createKeyUseStore } from '../../../../shared/data/projects/key-use-store.ts';
import { aKey } from '../../../support/fixtures/builders.ts';
import { createRecordedService } from '../../../support/service/recorded-service.ts';
import { START } from '../../../support/service/test-clock.ts';

const { service, recording } = await createRecordedService();

describe('the last use of a key', () => {
  it('is recorded by day: one write per key, day and instance, and none for a publishable key', async () => {
    const { project, secretKey, publishableKey } = await service.tenant();
    const store = createKeyUseStore(service.table.table);
    const hash = hashAccessKey(secretKey);
    const lastUse = async () => (await store.read(project.id, [hash])).get(hash);
    const body = { respondentId: 'ann', sessionId: 'session' };
    const mint = async () => (await service.call(mintTokens, { secretKey, body })).status;
    const writes = () => recording.take().filter(({ isCounting }) => isCounting).length;

    await service.call(bootstrap, { body: { key: publishableKey } });
    expect(await lastUse()).toBeUndefined();
    for (let request = 0; request < 3; request++) expect(await mint()).toBe(200);
    expect(writes()).toBe(1);
    expect(await lastUse()).toBe('2026-11-20');
    service.clock.advance(24 * 3_600_000);
    expect(await mint()).toBe(200);
    expect(writes()).toBe(1);
    expect(await lastUse()).toBe('2026-11-21');
  });

  it('is not recorded for an unknown key', async () => {
    const { project } = await service.tenant();
    recording.take();
    const { text } = aKey('secret', project.id);
    const body = { respondentId: 'ann', sessionId: 'session' };
    expect((await service.call(mintTokens, { secretKey: text, body })).status).toBe(401);
    expect(recording.take().filter(({ isCounting }) => isCounting)).toEqual([]);
  });

  it('fails no request, and is retried', async () => {
    const logs: string[] = [];
    let tries = 0;
    const record = async () => {
      if (++tries === 1) throw new Error('the table does not answer');
    };
    const keyUse = createKeyUse(
      { record },
      createLogger((line) => logs.push(line)),
    );
    const { kind, hash } = aKey('secret', 'p').stored;
    const key = { kind, hash, projectId: 'p' };
    for (let request = 0; request < 3; request++) await keyUse.note(key, START);
    expect(tries).toBe(2);
    expect(logs).toHaveLength(1);
  });
});
