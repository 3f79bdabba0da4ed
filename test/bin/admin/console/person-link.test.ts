import { beforeAll, describe, expect, it } from 'vitest';
import { getResults } from '../../../../functions/get-results.ts';
import { listComments } from '../../../../functions/list-comments.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { createAdminCli, failed } from '../../../support/admin-cli.ts';
import { createTestService, type Tenant, type TestService } from '../../../support/service/test-service.ts';

const LINKS = [
  ['results link', ['results', 'link'], () => '/results'],
  ['console link', ['console', 'link'], (projectId: string) => `/console/${projectId}`],
] as const;

describe.each(LINKS)('%s', (_, command, pathOf) => {
  let service: TestService;
  let tenant: Tenant;
  let project: readonly string[];

  beforeAll(async () => {
    service = await createTestService();
    tenant = await service.tenant();
    project = ['--project', tenant.project.id];
  });

  async function link(...flags: string[]): Promise<{ url: string; keyId: string; secretKey: string }> {
    const admin = createAdminCli(service, { url: 'https://surveys.example.com' });
    const { url, keyId, ...more } = await admin.json(...command, ...project, ...flags);
    expect(more).toEqual({});
    // Cached settings do not contain the key yet.
    service.clock.advance(31_000);
    const [page, secretKey = ''] = url.split('#key=');
    expect(page).toBe(`https://surveys.example.com${pathOf(tenant.project.id)}`);
    expect(secretKey).toMatch(/^svc_rk_/);
    return { url, keyId, secretKey };
  }

  const query = () => ({ surveyId: tenant.surveys[0]?.id ?? '' });

  it('opens numbers, and with --comments also comments and people', async () => {
    const numbers = await link();
    expect((await service.call(getResults, { secretKey: numbers.secretKey, query: query() })).status).toBe(
      200,
    );
    expect((await service.call(listComments, { secretKey: numbers.secretKey, query: query() })).status).toBe(
      401,
    );
    const words = await link('--comments');
    expect((await service.call(listComments, { secretKey: words.secretKey, query: query() })).status).toBe(
      200,
    );
  });

  it('expires with --expires, or when its key is revoked', async () => {
    const { secretKey } = await link('--expires', '90d');
    service.clock.advance(89 * DAY);
    expect((await service.call(getResults, { secretKey, query: query() })).status).toBe(200);
    service.clock.advance(DAY);
    expect((await service.call(getResults, { secretKey, query: query() })).status).toBe(401);

    const other = await link();
    await createAdminCli(service).json('key', 'revoke', other.keyId, ...project);
    service.clock.advance(31_000);
    expect((await service.call(getResults, { secretKey: other.secretKey, query: query() })).status).toBe(401);
  });

  it('creates no key when no service answers', async () => {
    const admin = createAdminCli(service);
    const before = await admin.json('key', 'list', ...project);
    expect(await admin.run(...command, ...project)).toEqual(failed(1, /Run "npm start" first/));
    expect(await admin.json('key', 'list', ...project)).toEqual(before);
  });

  it('prints what the link shows and how to revoke it', async () => {
    const admin = createAdminCli(service, { url: 'http://localhost:8787' });
    const { stdout } = await admin.run(...command, ...project, '--expires', '12h');
    expect(stdout).toMatch(/^link +http:\/\/localhost:8787\/\S+#key=svc_rk_/);
    expect(stdout).toContain('key revoke');
  });
});
