import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS, toSettings } from '../../../bin/admin/project-settings.ts';
import { timeText } from '../../../bin/admin/terminal.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { createTestService } from '../../support/service/test-service.ts';

const service = await createTestService();
const admin = createAdminCli(service);

const ALL_SCOPES = ['mint', 'scores', 'results', 'comments', 'privacy', 'account'];
const refresh = () => service.clock.advance(31_000);

describe('project', () => {
  it('create prints keys that the service accepts at once', async () => {
    const made = await admin.json('project', 'create', '--name', ' Acme ');
    expect(made).toEqual({
      projectId: expect.stringMatching(/^[a-z0-9]{12,32}$/),
      publishableKey: expect.stringMatching(new RegExp(`^svc_pk_${made.projectId}_.{48}$`)),
      secretKey: expect.stringMatching(new RegExp(`^svc_sk_${made.projectId}_.{48}$`)),
    });
    const asked = await service.call(bootstrap, { body: { key: made.publishableKey, userId: 'ann' } });
    expect(asked).toMatchObject({ status: 200, body: { surveys: [] } });
    const session = { respondentId: 'ann', sessionId: 's' };
    expect(await service.call(mintTokens, { body: session, secretKey: made.secretKey })).toMatchObject({
      status: 200,
    });
    expect(await admin.json('project', 'show', made.projectId)).toEqual({
      id: made.projectId,
      name: 'Acme',
      displayName: 'Acme',
      accent: null,
      status: 'active',
      allowedOrigins: [],
      quietPeriod: '7d',
      quietAfterDismissal: '7d',
      monthlyCap: 3,
      monthlyQuota: null,
      maxShows: 3,
      showWindow: '30d',
      impressions: 'on',
      redact: 'off',
      typesUnlessSaid: 'first-four',
      tokenLifetime: '3d',
      linkLifetime: '7d',
      rates: { publishable: 200, secret: 100, address: null, genuine: 1000, genuineAddress: 100 },
      identity: 'off',
      identityProvider: null,
      retention: { period: null, next: null },
      smallestCell: 5,
      console: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      purgedAt: null,
    });
  });

  it('create and update accept every setting; update changes only what is named, and clears settings', async () => {
    const origins = 'https://Shop.Example:443,https://shop.example,http://localhost:3000';
    const given = `--name Shop --allowed-origins ${origins} --accent #0A7 --quiet-period 12h
      --quiet-after-dismissal 3d --monthly-cap 5 --monthly-quota 1000 --max-shows 0 --show-window 14d
      --impressions off --redact on --types-unless-said all --token-lifetime 30d --link-lifetime 2d
      --rate-publishable 7 --rate-secret 0 --rate-address 9 --rate-genuine 70 --rate-genuine-address 0`;
    const named = ['--display-name', ' Corner shop ', ...given.split(/\s+/)];
    const { projectId } = await admin.json('project', 'create', ...named);
    const settings = {
      name: 'Shop',
      displayName: 'Corner shop',
      accent: '#00aa77',
      allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
      quietPeriod: '12h',
      quietAfterDismissal: '3d',
      monthlyCap: 5,
      monthlyQuota: 1000,
      maxShows: 0,
      showWindow: '14d',
      impressions: 'off',
      redact: 'on',
      typesUnlessSaid: 'all',
      tokenLifetime: '30d',
      linkLifetime: '2d',
      rates: { publishable: 7, secret: 0, address: 9, genuine: 70, genuineAddress: 0 },
    };
    expect(await admin.json('project', 'show', projectId)).toMatchObject(settings);
    const cleared = `--quiet-period 0 --quiet-after-dismissal default --monthly-quota none --max-shows 10
      --impressions on --redact off --types-unless-said first-four --allowed-origins any --display-name default
      --accent default --rate-address default --rate-genuine default`;
    const changed = await admin.json('project', 'update', projectId, ...cleared.split(/\s+/));
    expect(changed).toMatchObject({
      ...settings,
      displayName: 'Shop',
      accent: null,
      allowedOrigins: [],
      quietPeriod: '0',
      quietAfterDismissal: '0',
      monthlyQuota: null,
      maxShows: 10,
      impressions: 'on',
      redact: 'off',
      typesUnlessSaid: 'first-four',
      rates: { publishable: 7, secret: 0, address: null, genuine: 1000, genuineAddress: 0 },
    });
    expect(await admin.json('project', 'show', projectId)).toEqual(changed);
  });

  it('suspend and resume reach the service', async () => {
    const { projectId, publishableKey: key } = await admin.json('project', 'create', '--name', 'x');
    const ask = async () => {
      refresh();
      return (await service.call(bootstrap, { body: { key, userId: 'ann' } })).status;
    };
    expect(await ask()).toBe(200);
    expect(await admin.json('project', 'suspend', projectId)).toMatchObject({ status: 'suspended' });
    expect(await ask()).toBe(403);
    expect(await admin.json('project', 'resume', projectId)).toMatchObject({ status: 'active' });
    expect(await ask()).toBe(200);
  });

  it('list prints JSON for programs, and aligned columns without color for people', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Listed');
    expect(await admin.json('project', 'list')).toContainEqual(
      await admin.json('project', 'show', projectId),
    );
    const { status, stdout, stderr } = await admin.run('project', 'list');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [heading = '', ...lines] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^ID +NAME +STATUS +CREATED$/);
    const line = lines.find((text) => text.startsWith(projectId)) ?? '';
    expect(line.indexOf('Listed')).toBe(heading.indexOf('NAME'));
  });

  it('exits with 1 for a project that does not exist, and creates nothing', async () => {
    for (const command of [
      'project show nobody',
      'project update nobody --monthly-cap 1',
      'project suspend nobody',
      'key list --project nobody',
      'key create --project nobody --kind secret',
      'survey list --project nobody',
    ]) {
      expect(await admin.run(...command.split(' '), '--json')).toEqual(
        failed(1, 'There is no project nobody, or it is being purged.'),
      );
    }
    expect((await admin.json('project', 'list')).map(({ id }: { id: string }) => id)).not.toContain('nobody');
  });
});

describe('key', () => {
  it('create, list and revoke work, and revoking the last key of a kind prints a warning', async () => {
    const { projectId, secretKey: first } = await admin.json('project', 'create', '--name', 'Keys');
    const inProject = ['--project', projectId];
    const made = await admin.json('key', 'create', ...inProject, '--kind', 'secret');
    expect(made).toEqual({
      keyId: expect.any(String),
      kind: 'secret',
      scopes: ALL_SCOPES,
      key: expect.stringMatching(/^svc_sk_/),
    });
    const statusOf = async (secretKey: string) => {
      refresh();
      return (await service.call(mintTokens, { body: { respondentId: 'a', sessionId: 's' }, secretKey }))
        .status;
    };
    expect(await statusOf(made.key)).toBe(200);

    const keys = await admin.json('key', 'list', ...inProject);
    expect(keys).toHaveLength(3);
    expect(keys).toContainEqual({
      keyId: made.keyId,
      kind: 'secret',
      scopes: ALL_SCOPES,
      createdAt: expect.any(String),
      revokedAt: null,
      lastUsed: new Date(service.clock.now()).toISOString().slice(0, 10),
    });
    expect(keys.filter(({ lastUsed }: { lastUsed: unknown }) => lastUsed === null)).toHaveLength(2);
    expect(JSON.stringify(keys)).not.toContain(made.key);

    const revoked = await admin.run('key', 'revoke', made.keyId, ...inProject, '--json');
    expect(revoked).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(revoked.stdout)).toMatchObject({ keyId: made.keyId, revokedAt: expect.any(String) });
    expect(await statusOf(made.key)).toBe(401);
    expect(await statusOf(first)).toBe(200);

    const again = await admin.json('key', 'revoke', made.keyId, ...inProject);
    expect(again).toEqual(JSON.parse(revoked.stdout));

    const other = keys.find(
      (key: { keyId: string; kind: string }) => key.kind === 'secret' && key.keyId !== made.keyId,
    );
    const last = await admin.run('key', 'revoke', other.keyId, ...inProject, '--json');
    expect(last.stderr).toBe(`warning: project ${projectId} has no secret key left.\n`);
    expect(await statusOf(first)).toBe(401);
  });

  it('create limits a secret key to its scopes', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Scopes');
    const create = (...flags: string[]) => ['key', 'create', '--project', projectId, ...flags];
    const made = await admin.json(...create('--kind', 'secret', '--scopes', 'scores, mint'));
    expect(made.scopes).toEqual(['mint', 'scores']);
    const listed = await admin.json('key', 'list', '--project', projectId);
    expect(listed.map(({ scopes }: { scopes: unknown }) => scopes)).toEqual(
      expect.arrayContaining([undefined, ALL_SCOPES, ['mint', 'scores']]),
    );
    const body = { respondentId: 'a', sessionId: 's' };
    expect((await service.call(mintTokens, { body, secretKey: made.key })).status).toBe(200);
    expect((await service.call(exportResponses, { secretKey: made.key })).status).toBe(401);

    const unknown = await admin.run(...create('--kind', 'secret', '--scopes', 'mint,everything'));
    expect(unknown).toEqual(failed(2, /"everything" is not a scope/));
    const publishable = await admin.run(...create('--kind', 'publishable', '--scopes', 'mint'));
    expect(publishable).toEqual(failed(2, '--scopes is only for secret keys.'));
  });

  it('create --kind reader makes a key that only opens results, without comments by default, until it expires', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Readers');
    const create = (...flags: string[]) => ['key', 'create', '--project', projectId, '--kind', ...flags];
    const made = await admin.json(...create('reader', '--comments', '--expires', '90d'));
    expect(made).toEqual({
      keyId: expect.any(String),
      kind: 'reader',
      scopes: ['results', 'comments'],
      expiresAt: new Date(service.clock.now() + 90 * 86_400_000).toISOString(),
      key: expect.stringMatching(/^svc_rk_/),
    });
    expect(await admin.json(...create('reader'))).toMatchObject({ scopes: ['results'], expiresAt: null });
    expect((await service.call(listSurveys, { secretKey: made.key })).status).toBe(200);
    expect((await service.call(exportResponses, { secretKey: made.key })).status).toBe(401);
    expect((await admin.run('key', 'list', '--project', projectId)).stdout).toContain(
      timeText(made.expiresAt),
    );
    for (const [flags, stderr] of [
      [['secret', '--comments'], 'error: --comments is only for reader and editor keys.\n'],
      [['secret', '--expires', '1d'], 'error: --expires is only for reader and editor keys.\n'],
      [['reader', '--scopes', 'privacy'], 'error: --scopes is only for secret keys.\n'],
      [['reader', '--expires', 'soon'], expect.stringContaining('Write a duration')],
    ] as const)
      expect(await admin.run(...create(...flags))).toMatchObject({ status: 2, stderr });
  });

  it('create --kind editor makes a key that opens results and handles contacts, for twelve hours by default', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Editors');
    const create = (...flags: string[]) => [
      ...['key', 'create', '--project', projectId, '--kind', 'editor'],
      ...flags,
    ];
    const inHours = (hours: number) => new Date(service.clock.now() + hours * 3_600_000).toISOString();
    const made = await admin.json(...create('--comments'));
    expect(made).toEqual({
      keyId: expect.any(String),
      kind: 'editor',
      scopes: ['results', 'comments', 'contacts', 'surveys'],
      expiresAt: inHours(12),
      key: expect.stringMatching(/^svc_ek_/),
    });
    expect(await admin.json(...create('--expires', '30d'))).toMatchObject({
      scopes: ['results', 'contacts', 'surveys'],
      expiresAt: inHours(720),
    });
    expect(await admin.run(...create('--expires', '31d'))).toEqual(
      failed(2, '--expires: an editor key expires after 30d at the latest.'),
    );
    refresh();
    expect((await service.call(listSurveys, { secretKey: made.key })).status).toBe(200);
    expect(await admin.json('key', 'list', '--project', projectId)).toContainEqual(
      expect.objectContaining({ keyId: made.keyId, kind: 'editor', expiresAt: made.expiresAt }),
    );
    await admin.run('key', 'revoke', made.keyId, '--project', projectId);
    refresh();
    expect((await service.call(listSurveys, { secretKey: made.key })).status).toBe(401);
  });

  it('create --any-origin makes a publishable key that ignores the allowed origins', async () => {
    const origins = ['--allowed-origins', 'https://shop.example'];
    const { projectId, publishableKey } = await admin.json('project', 'create', '--name', 'App', ...origins);
    const create = ['key', 'create', '--project', projectId, '--any-origin', '--kind'];
    const made = await admin.json(...create, 'publishable');
    expect(made).toEqual({
      keyId: expect.any(String),
      kind: 'publishable',
      anyOrigin: true,
      key: expect.stringMatching(/^svc_pk_/),
    });
    const statusOf = async (key: string, headers = {}) =>
      (await service.call(bootstrap, { body: { key, userId: 'ann' }, headers })).status;
    refresh();
    expect(await statusOf(made.key)).toBe(200);
    expect(await statusOf(made.key, { origin: 'https://other.example' })).toBe(200);
    expect(await statusOf(publishableKey)).toBe(403);
    const keys = await admin.json('key', 'list', '--project', projectId);
    expect(keys.filter(({ anyOrigin }: { anyOrigin?: boolean }) => anyOrigin)).toMatchObject([
      { keyId: made.keyId },
    ]);
    expect(await admin.run(...create, 'secret')).toEqual(
      failed(2, '--any-origin is only for publishable keys.'),
    );
  });

  it('revoke exits with 1 for an unknown key', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Keys');
    expect(await admin.run('key', 'revoke', 'nope', '--project', projectId)).toEqual(
      failed(1, `Project ${projectId} has no key nope. "key list" shows its keys.`),
    );
  });
});

describe('the settings in docs/admin.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/admin.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`--.*?)\|.*\|(.*?)\|$/gm)].flatMap(([, flags = '', initial = '']) => {
    const initials = initial.split(',').map((each) => each.replaceAll('`', '').trim());
    return [...flags.matchAll(/--[a-z-]+/g)].map(([flag], at) => [flag, initials[at]] as const);
  });
  const project = { id: 'p', createdAt: '', ...toSettings({ name: 'x' }, 0) };
  const optional = SETTINGS.flatMap((each) =>
    each.flag === undefined || each.name === 'name'
      ? []
      : [{ long: each.flag.option().long, parse: each.flag.parse, shown: each }],
  );

  it.each(optional)('include $long with its default', ({ long, parse, shown: { text, json } }) => {
    const initial = rows.find(([flag]) => flag === long)?.[1];
    if (initial === 'default') expect(parse('default')).toBeNull();
    else expect([text(project, 0), json(project, 0)].map(String)).toContain(initial);
  });
});
