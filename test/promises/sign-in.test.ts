import { describe, expect, it, onTestFinished } from 'vitest';
import { SECOND } from '../../shared/domain/duration.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { headersOf } from '../support/fixtures/signed-in.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { createTestService } from '../support/service/test-service.ts';
import { startOpenidProvider } from '../support/stand-ins/openid-provider.ts';

const PEOPLE = {
  ann: { groups: ['research'] },
  bob: { groups: ['product', 'sales'] },
  cy: { groups: ['Research', 'research-interns'] },
  dora: { email: 'Dora@Example.com', email_verified: true },
  eve: { email: 'eve@example.com', email_verified: false },
  fay: { email: 'fay@sub.example.com', email_verified: true, roles: ['product'] },
};

async function aStage(lifetime?: number) {
  const provider = await startOpenidProvider(PEOPLE, lifetime);
  // The provider uses the machine's clock.
  const clock = createTestClock(Date.now());
  const service = await createTestService({ clock });
  const admin = createAdminCli({ table: service.table, clock });
  const { projectId } = await admin.json('project', 'create', '--name', 'Shop');
  const update = (...flags: string[]) => admin.json('project', 'update', projectId, ...flags);
  const { console: shown } = await update(
    ...['--console-issuer', provider.issuer, '--console-client-id', 'console'],
    ...['--console-viewers', 'group:research,*@example.com', '--console-editors', 'group:product'],
  );
  const gateway = await serveService(service);
  onTestFinished(() => gateway.stop());
  const ask = async (token: string, path = '/v1/surveys', method = 'GET') => {
    const body = method === 'GET' ? null : '{"handled":true}';
    const reply = await fetch(gateway.url + path, { method, body, headers: headersOf(projectId, token) });
    const { error } = JSON.parse(await reply.text());
    return `${reply.status} ${error?.code ?? 'open'}`;
  };
  return { provider, clock, admin, projectId, update, shown, gateway, ask };
}

const WRONG = '401 invalid_key';
const NOT_PERMITTED = '403 not_permitted';

describe('signing in at a real provider', () => {
  it('describes the provider and tells the page what it needs', async () => {
    const { provider, projectId, shown, gateway } = await aStage();
    const reply = await fetch(`${gateway.url}/v1/console/sign-in?project=${projectId}`);
    expect(JSON.parse(await reply.text())).toEqual({
      project: { id: projectId, name: 'Shop', accent: null },
      issuer: provider.issuer,
      clientId: 'console',
      authorizationEndpoint: `${provider.issuer}/auth`,
      tokenEndpoint: `${provider.issuer}/token`,
      scope: 'openid email profile groups',
    });
    expect(shown.jwks).toBe(`${provider.issuer}/jwks`);
  });

  it('gives each person what the lists grant, by exact groups and verified addresses', async () => {
    const { provider, ask } = await aStage();
    const may = async (sub: string) => {
      const token = await provider.signIn(sub);
      return [
        await ask(token),
        await ask(token, '/v1/contacts'),
        await ask(token, '/v1/contacts/none', 'PUT'),
      ];
    };
    const missing = '404 response_not_found';
    expect(await may('ann')).toEqual(['200 open', NOT_PERMITTED, NOT_PERMITTED]);
    expect(await may('bob')).toEqual(['200 open', '200 open', missing]);
    expect(await may('dora')).toEqual(['200 open', NOT_PERMITTED, NOT_PERMITTED]);
    for (const sub of ['cy', 'eve', 'fay'])
      expect(await may(sub)).toEqual([NOT_PERMITTED, NOT_PERMITTED, NOT_PERMITTED]);
  });

  it('uses another claim after it is configured, and no list after it is emptied', async () => {
    const { provider, clock, update, ask } = await aStage();
    const [ann, fay] = [await provider.signIn('ann'), await provider.signIn('fay')];
    await update('--console-groups-claim', 'roles', '--console-viewers', 'none');
    clock.advance(30 * SECOND);
    expect([await ask(ann), await ask(fay)]).toEqual([NOT_PERMITTED, '200 open']);
    await update('--console-issuer', 'none');
    clock.advance(30 * SECOND);
    expect(await ask(fay)).toBe(WRONG);
  });

  it('accepts either algorithm with the keys published by the provider', async () => {
    const { provider, update, ask, clock } = await aStage();
    await update('--console-issuer', provider.issuer, '--console-client-id', 'curve');
    clock.advance(30 * SECOND);
    expect(await ask(await provider.signIn('ann', 'curve'))).toBe('200 open');
  });
});

it('a page of another origin cannot send a token because CORS allows neither header', async () => {
  const { gateway } = await aStage();
  const reply = await fetch(`${gateway.url}/v1/surveys`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,x-canvass-project',
    },
  });
  const allowed = reply.headers.get('access-control-allow-headers');
  expect(allowed).toContain('content-type');
  expect(allowed).not.toContain('authorization');
});
