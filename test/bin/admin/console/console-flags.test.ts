import { beforeEach, describe, expect, it } from 'vitest';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createAdminCli, failed } from '../../../support/admin-cli.ts';
import { providerAt } from '../../../support/fixtures/signed-in.ts';
import { serveInTest } from '../../../support/serve.ts';
import { createTestClock } from '../../../support/service/test-clock.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const table = await createTestTable();
const admin = createAdminCli({ table, clock: createTestClock() });

let projectId: string;
beforeEach(async () => {
  projectId = (await admin.json('project', 'create', '--name', 'Shop')).projectId;
});

const update = (...flags: string[]) => admin.json('project', 'update', projectId, ...flags);
const refused = async (expected: number, ...flags: string[]) => {
  const { status, stderr } = await admin.run('project', 'update', projectId, ...flags);
  expect(await admin.json('project', 'show', projectId)).toMatchObject({ console: null });
  expect(status).toBe(expected);
  return stderr;
};

/** A provider whose discovery document has these fields. Undefined fields are left out. */
async function describedAs(more: object = {}): Promise<string> {
  const issuer: string = await serveInTest(({ url }, response) => {
    const description = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      scopes_supported: ['openid', 'email', 'profile', 'phone', 'groups', 'offline_access'],
      response_types_supported: ['code', 'id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...more,
    };
    response.statusCode = url === '/.well-known/openid-configuration' ? 200 : 404;
    response.end(JSON.stringify(description));
  });
  return issuer;
}

const signIn = (issuer: string, ...more: string[]) =>
  ['--console-issuer', issuer, '--console-client-id', 'console'].concat(more);

describe('console sign-in', () => {
  it("reads and shows the provider's metadata, and stores lists in the form used for comparison", async () => {
    const issuer = await describedAs();
    const viewers = ['--console-viewers', 'group:Research, *@Example.com,*@example.com'];
    const editors = ['--console-editors', 'Boss@example.org'];
    const { console } = await update(...signIn(issuer, ...viewers, ...editors));
    expect(console).toEqual({
      ...providerAt(`${issuer}/keys`, issuer),
      scope: 'openid email profile groups',
      viewers: ['group:Research', '*@example.com'],
      editors: ['boss@example.org'],
      groupsClaim: 'groups',
      comments: 'editors',
    });
    const { stdout } = await admin.run('project', 'show', projectId);
    expect(stdout).toMatch(/console sign-in +http:\/\/127\.0\.0\.1:\d+ \(client console\)/);
    expect(stdout).toMatch(/console viewers +group:Research, \*@example\.com/);
  });

  it('keeps settings that are not named, changes settings one by one, and removes them all together', async () => {
    const issuer = await describedAs();
    await update(
      ...signIn(issuer, '--console-viewers', 'group:a', '--console-groups-claim', 'cognito:groups'),
    );
    expect((await update('--monthly-cap', '5')).console).toMatchObject({ issuer, viewers: ['group:a'] });
    expect((await update('--console-editors', 'group:b', '--console-comments', 'all')).console).toMatchObject(
      {
        viewers: ['group:a'],
        editors: ['group:b'],
        groupsClaim: 'cognito:groups',
        comments: 'all',
      },
    );
    expect((await update('--console-viewers', 'none')).console).toMatchObject({ viewers: [] });
    expect((await update('--console-issuer', 'none')).console).toBeNull();
    const again = await update(...signIn(issuer));
    expect(again.console).toMatchObject({
      viewers: [],
      editors: [],
      groupsClaim: 'groups',
      comments: 'editors',
    });
  });

  it('warns when nobody may use the console', async () => {
    const { stderr } = await admin.run('project', 'update', projectId, ...signIn(await describedAs()));
    expect(stderr).toMatch(/^warning: nobody may use the console/);
  });

  it('uses the OpenID Connect defaults for fields that the metadata omits', async () => {
    const little = Object.fromEntries(
      ['scopes', 'response_types', 'id_token_signing_alg_values', 'code_challenge_methods'].map((name) => [
        `${name}_supported`,
        undefined,
      ]),
    );
    const { console } = await update(...signIn(await describedAs(little)));
    expect(console).toMatchObject({ scope: 'openid email profile' });
    const few = await update(
      ...signIn(await describedAs({ scopes_supported: ['openid', 'offline_access'] })),
    );
    expect(few.console).toMatchObject({ scope: 'openid' });
  });
});

describe('a provider that cannot be used', () => {
  it.each([
    [{ issuer: 'https://issuer.example' }, /its issuer is "https:\/\/issuer\.example"/],
    [{ issuer: 'http://127.0.0.1/{tenantid}/v2.0' }, /its issuer is/],
    [{ jwks_uri: undefined }, /jwks_uri/],
    [{ token_endpoint: 'http://issuer.example/token' }, /token_endpoint is not an https address/],
    [{ token_endpoint: "https://evil.example'unsafe-inline'/" }, /token_endpoint is not an https address/],
    [{ jwks_uri: 'https://user:word@issuer.example/keys' }, /jwks_uri is not an https address/],
    [{ authorization_endpoint: 'javascript:alert(1)' }, /authorization_endpoint is not an https address/],
    [{ response_types_supported: ['id_token'] }, /does not support the authorization code flow/],
    [{ code_challenge_methods_supported: ['plain'] }, /does not support PKCE/],
    [{ id_token_signing_alg_values_supported: ['HS256', 'none'] }, /RS256 nor ES256/],
    [{ padding: 'x'.repeat(300_000) }, /more than 262144 bytes/],
  ])('refuses metadata with %j', async (more, problem) => {
    const said = await refused(1, ...signIn(await describedAs(more)));
    expect(said).toMatch(/^error: The provider cannot be used: /);
    expect(said).toMatch(problem);
  });

  it('refuses a provider that redirects, does not return JSON, or cannot be reached', async () => {
    const other = await describedAs();
    const pointing = await serveInTest((_request, response) =>
      response.writeHead(302, { location: `${other}/.well-known/openid-configuration` }).end(),
    );
    const page = await serveInTest((_request, response) => response.end('<html>'));
    for (const issuer of [pointing, page, 'http://127.0.0.1:1', `${other}/none`])
      expect(await refused(1, ...signIn(issuer))).toMatch(/^error: .*cannot be read/);
  });

  it.each([
    ['http://issuer.example', /https address/],
    ['https://user:word@issuer.example', /https address/],
    ['https://issuer.example/?tenant=a', /https address/],
    ['https://issuer.example/#a', /https address/],
    ['rubbish', /https address/],
    ['https://accounts.google.com', /Use Cognito, Entra or Okta/],
  ])('refuses the address %s', async (issuer, problem) => {
    expect(await refused(2, ...signIn(issuer))).toMatch(problem);
  });
});

describe('flags that cannot be combined', () => {
  it.each([
    [['--console-issuer', 'https://issuer.example'], /must be given together/],
    [['--console-client-id', 'console'], /must be given together/],
    [['--console-viewers', 'group:a'], /Sign-in is not set up yet/],
    [['--console-comments', 'all'], /Sign-in is not set up yet/],
    [['--console-issuer', 'none', '--console-viewers', 'group:a'], /turns sign-in off/],
    [['--console-comments', 'viewers'], /Allowed choices/],
    [['--console-viewers', ''], /must be group:NAME/],
    [['--console-viewers', 'research'], /must be group:NAME/],
    [['--console-viewers', '*@*.example.com'], /must be group:NAME/],
    [['--console-viewers', Array.from({ length: 51 }, (_, i) => `group:${i}`).join(',')], /At most 50/],
    [['--console-groups-claim', 'custom:groups'], /set "custom:groups" themselves/],
    [['--console-groups-claim', 'email'], /set "email" themselves/],
    [['--console-groups-claim', 'nickname'], /set "nickname" themselves/],
    [['--console-groups-claim', ''], /name of a claim/],
  ])('exits with 2 for %j', async (flags, problem) => {
    expect(await refused(2, ...flags)).toMatch(problem);
  });

  it("refuses a client that the product's own users sign in with, whichever is set first", async () => {
    const issuer = await describedAs();
    const known = ['--jwks', 'https://issuer.example/keys', '--issuer', 'https://issuer.example'];
    const users = (audience: string) => [...known, '--audience', audience];
    expect(await refused(2, ...signIn(issuer), ...users('console'))).toMatch(/must differ/);
    await update(...users('console'));
    expect(await refused(2, ...signIn(issuer))).toMatch(/must differ/);
    await update(...signIn(issuer), '--jwks', 'none');
    expect(await admin.run('project', 'update', projectId, ...users('console'))).toEqual(
      failed(2, /must differ/),
    );
    const ensured = await admin.run('project', 'ensure', '--project', projectId, ...users('console'));
    expect(ensured.status).toBe(2);
    expect(await update(...users('shop'))).toMatchObject({ console: { clientId: 'console' } });
  });

  it('refuses e-mail addresses with Entra, given or stored, because Entra does not verify them', async () => {
    const issuer = 'https://login.microsoftonline.com/1f2e/v2.0';
    const store = createProjectStore(table.table, table.readIndex);
    const consoleProvider = providerAt(`${issuer}/keys`, issuer);
    await store.updateProject(projectId, { consoleProvider });
    const run = (...flags: string[]) => admin.run('project', 'update', projectId, ...flags);
    expect(await run('--console-viewers', 'group:a,*@example.com')).toEqual(
      failed(2, /groups or app roles instead of \*@example\.com/),
    );
    expect((await run('--console-viewers', 'group:a', '--console-groups-claim', 'roles')).status).toBe(0);
    await store.updateProject(projectId, { consoleEditors: ['ann@example.com'] });
    expect((await run('--console-comments', 'all')).stderr).toMatch(/instead of ann@example\.com/);
  });
});
