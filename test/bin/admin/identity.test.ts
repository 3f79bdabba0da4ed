import { readFileSync } from 'node:fs';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenRingStore } from '../../../bin/admin/session.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createFolderSecrets, secretsFile } from '../../../local/local-secrets.ts';
import { findKey, rotateTokenRing } from '../../../shared/crypto/token-ring.ts';
import { MINUTE } from '../../../shared/domain/duration.ts';
import { createAdminCli, failed, folderWithSecrets } from '../../support/admin-cli.ts';
import { hs256, SOON } from '../../support/fixtures/user-tokens.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROVIDER = {
  jwks: 'https://issuer.example/.well-known/jwks.json',
  issuer: 'https://issuer.example',
  audience: 'shop',
};
const PROVIDER_FLAGS = Object.entries(PROVIDER).flatMap(([name, value]) => [`--${name}`, value]);

let projectId: string;
let key: string;
const service = await createTestService();
const admin = createAdminCli(service);
beforeEach(async () => {
  ({ projectId, publishableKey: key } = await admin.json('project', 'create', '--name', 'Shop'));
});

const secretCommand = (verb: string, ...rest: string[]) => [
  ...['identity', 'secret', verb, ...rest, '--project', projectId],
];

describe('identity secret', () => {
  it('creates, lists and revokes secrets whose tokens are accepted', async () => {
    const { secretId, secret } = await admin.json(...secretCommand('create'));
    expect(secretId).toMatch(/^[0-9a-f]{12}$/);
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    await admin.json('project', 'update', projectId, '--identity', 'required');
    const statusOf = async () => {
      service.clock.advance(31_000);
      const userToken = await hs256(secret, { sub: 'ann', exp: SOON + 1e6 });
      return (await service.call(bootstrap, { body: { key, userToken } })).status;
    };
    expect(await statusOf()).toBe(200);
    expect(await admin.json(...secretCommand('list'))).toEqual([
      { secretId, createdAt: expect.stringMatching(/Z$/) },
    ]);

    const revoked = await admin.run(...secretCommand('revoke', secretId), '--json');
    expect(JSON.parse(revoked.stdout)).toMatchObject({ secretId, revokedAt: expect.any(String) });
    expect(revoked.stderr).toBe(`warning: project ${projectId} has no identity secret left.\n`);
    expect(await statusOf()).toBe(401);
    expect(await admin.json(...secretCommand('list'))).toEqual([]);
    expect((await admin.run(...secretCommand('revoke', secretId))).stderr).toMatch(
      /^error: Project .* has no identity secret/,
    );
  });

  it('is stored sealed, and removed from the table when it is revoked', async () => {
    const { secretId, secret } = await admin.json(...secretCommand('create'));
    const sealed = async () => {
      const rows = await scanAll(service.table, projectId);
      expect(JSON.stringify(rows)).not.toContain(secret);
      return rows.filter((row) => row.sealed !== undefined).length;
    };
    expect(await sealed()).toBe(1);
    await admin.json(...secretCommand('revoke', secretId));
    expect(await sealed()).toBe(0);
  });

  it('exists at most twice in a project', async () => {
    await admin.json(...secretCommand('create'));
    await admin.json(...secretCommand('create'));
    const third = await admin.run(...secretCommand('create'));
    expect(third.status).toBe(1);
    expect(third.stderr).toBe(
      `error: Project ${projectId} already has two identity secrets. Revoke one first.\n`,
    );
  });

  it('exits with 1 for a project that does not exist', async () => {
    for (const rest of [['create'], ['list'], ['revoke', 'x']]) {
      expect(await admin.run('identity', 'secret', ...rest, '--project', 'nobody')).toEqual(
        failed(1, 'There is no project nobody, or it is being purged.'),
      );
    }
  });
});

describe('project settings of identity', () => {
  it('are off by default; a provider is set, replaced and removed as a whole', async () => {
    const update = (...flags: string[]) => admin.json('project', 'update', projectId, ...flags);
    expect(await admin.json('project', 'show', projectId)).toMatchObject({
      identity: 'off',
      identityProvider: null,
    });
    expect(await update('--identity', 'required', ...PROVIDER_FLAGS)).toMatchObject({
      identity: 'required',
      identityProvider: PROVIDER,
    });
    expect(await update('--monthly-cap', '5')).toMatchObject({ identityProvider: PROVIDER });
    expect(await update('--jwks', 'none')).toMatchObject({ identity: 'required', identityProvider: null });
    expect(await update('--identity', 'off')).toMatchObject({ identity: 'off' });
    const made = await admin.json(
      ...['project', 'create', '--name', 'x', '--identity', 'required', ...PROVIDER_FLAGS],
    );
    expect(await admin.json('project', 'show', made.projectId)).toMatchObject({
      identity: 'required',
      identityProvider: PROVIDER,
    });
  });

  it('warn when tokens are required and nobody can sign them', async () => {
    const update = ['project', 'update', projectId, '--identity', 'required'];
    expect((await admin.run(...update)).stderr).toMatch(/^warning: .*no identity secret and no provider/);
    await admin.json(...secretCommand('create'));
    expect((await admin.run(...update)).stderr).toBe('');
  });

  it.each([
    ['--jwks', PROVIDER.jwks],
    ['--jwks', PROVIDER.jwks, '--issuer', PROVIDER.issuer],
    ['--audience', 'shop'],
    ['--jwks', 'none', '--issuer', PROVIDER.issuer],
    ['--jwks', 'http://issuer.example/keys', '--issuer', 'x', '--audience', 'y'],
    ['--jwks', 'https://user:word@issuer.example/keys', '--issuer', 'x', '--audience', 'y'],
    ['--jwks', 'rubbish', '--issuer', 'x', '--audience', 'y'],
    ['--identity', 'maybe'],
  ])('exits with 2 for %s %s %s %s', async (...flags) => {
    const { status, stderr } = await admin.run('project', 'update', projectId, ...flags);
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  });
});

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

  describe('for a stack', () => {
    const secretsManager = mockClient(SecretsManagerClient);
    afterEach(() => secretsManager.reset());
    afterAll(() => secretsManager.restore());

    it('rotates the generated ring, whose first key is derived from its random text', async () => {
      const generated = JSON.stringify({ keys: [], initial: 'x'.repeat(64) });
      secretsManager.on(GetSecretValueCommand, { SecretId: 'ring' }).resolves({ SecretString: generated });
      secretsManager.on(PutSecretValueCommand).resolves({});
      const output = (name: string) => (name === 'TokenRingName' ? 'ring' : '');
      const store = createTokenRingStore({ kind: 'stack', stack: 'canvass-prod', output, optional: output });
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
