/** How a project is told to want signed tokens, and what its server signs them with (docs/identity.md). */

import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { hs256, SOON } from '../../support/fixtures/user-tokens.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createTestService } from '../../support/service/test-service.ts';

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
      const { status, stderr } = await admin.run('identity', 'secret', ...rest, '--project', 'nobody');
      expect([status, stderr]).toEqual([1, 'error: There is no project nobody, or it is being purged.\n']);
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
