import { readFileSync } from 'node:fs';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTokenRingStore } from '../../../bin/admin/session.ts';
import { createFolderSecrets, secretsFile } from '../../../local/local-secrets.ts';
import { findKey, rotateTokenRing } from '../../../shared/crypto/token-ring.ts';
import { MINUTE } from '../../../shared/domain/duration.ts';
import { createAdminCli, folderWithSecrets } from '../../support/admin-cli.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('token-key', () => {
  it('rotate adds a key that becomes active ten minutes later, and list shows the ring without secrets', async () => {
    const folder = folderWithSecrets();
    const clock = createTestClock();
    const admin = createAdminCli({ table: await createTestTable(), clock }, { folder });
    const source = createFolderSecrets(folder);
    const [first] = await source.readTokenRing();
    const rotated = await admin.json('token-key', 'rotate');
    expect(rotated).toEqual([
      { keyId: first?.id, state: 'active', activeFrom: '1970-01-01T00:00:00.000Z', uselessFrom: null },
      {
        keyId: expect.stringMatching(/^[0-9a-f]{8}$/),
        state: 'next',
        activeFrom: new Date(clock.now() + 10 * MINUTE).toISOString(),
        uselessFrom: null,
      },
    ]);
    expect(await admin.json('token-key', 'list')).toEqual(rotated);

    const ring = await source.readTokenRing();
    expect(ring.map(({ id }) => id)).toEqual(rotated.map(({ keyId }: { keyId: string }) => keyId));
    expect(findKey(ring, first?.id ?? '')).toEqual(first);
    const stored = JSON.parse(JSON.parse(readFileSync(secretsFile(folder), 'utf8')).tokenRing);
    for (const { secret } of stored.keys) expect(JSON.stringify(rotated)).not.toContain(secret);
  });

  it('fails in one line when an instance keeps its secrets in memory', async () => {
    const folder = temporaryFolder();
    const admin = createAdminCli({ table: await createTestTable(), clock: createTestClock() }, { folder });
    const { status, stderr } = await admin.run('token-key', 'list');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: There are no secrets in .* --memory .*\n$/);
  });

  describe('of a stack', () => {
    const secretsManager = mockClient(SecretsManagerClient);
    afterEach(() => secretsManager.reset());
    afterAll(() => secretsManager.restore());

    it('rotates the generated ring, whose first key is made of its random text', async () => {
      const generated = JSON.stringify({ keys: [], initial: 'x'.repeat(64) });
      secretsManager.on(GetSecretValueCommand, { SecretId: 'ring' }).resolves({ SecretString: generated });
      secretsManager.on(PutSecretValueCommand).resolves({});
      const output = (name: string) => (name === 'TokenRingName' ? 'ring' : '');
      const store = createTokenRingStore({ kind: 'stack', output, optional: output });
      const before = await store.read();
      expect(before.map(({ id }) => id)).toEqual(['00000000']);
      await store.write(rotateTokenRing(before, { id: 'abcdef01', secret: new Uint8Array(32) }, Date.now()));
      const [call] = secretsManager.commandCalls(PutSecretValueCommand);
      const { SecretId, SecretString = '' } = call?.args[0].input ?? {};
      expect(SecretId).toBe('ring');
      expect(JSON.parse(SecretString).keys).toEqual([
        { id: '00000000', secret: Buffer.from(before[0]?.secret ?? []).toString('base64'), activeFrom: 0 },
        { id: 'abcdef01', secret: Buffer.alloc(32).toString('base64'), activeFrom: expect.any(Number) },
      ]);
    });
  });
});
