import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../shared/domain/duration.ts';
import { type AdminCli, createAdminCli, failed } from '../../support/admin-cli.ts';
import { aResponseRow, deliver } from '../../support/fixtures/a-stream.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

describe('results digest', () => {
  let admin: AdminCli;
  let tenant: Tenant;

  beforeAll(async () => {
    const service = await createTestService();
    admin = createAdminCli(service, { url: 'https://surveys.example.com' });
    tenant = await service.tenant({ name: 'Corner shop' });
    const [survey] = tenant.surveys;
    const at = new Date(service.clock.now() - 7 * DAY).toISOString();
    const row = { projectId: tenant.project.id, surveyId: survey?.id ?? '', at, rating: 3 };
    await deliver(service, [aResponseRow(row)]);
  });

  it("prints the last week of every project except the probe's", async () => {
    await admin.json('probe', 'create');
    const { status, stdout } = await admin.run('results', 'digest');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Corner shop: survey results for Nov 9 – 15, 2026 \(week 46, UTC\)$/m);
    expect(stdout).toContain('1 response (0 the week before), 1 low rating');
    expect(stdout).toContain(
      `https://surveys.example.com/results#project=${tenant.project.id}&from=2026-11-09&to=2026-11-15`,
    );
    expect(stdout.match(/: survey results/g)).toHaveLength(1);
  });

  it('prints one project and another week', async () => {
    const projectId = tenant.project.id;
    const digests = await admin.json('results', 'digest', '--project', projectId, '--week', '2026-W40');
    expect(digests).toEqual([expect.objectContaining({ projectId, week: '2026-W40', surveys: [] })]);
  });

  it.each(['2026-W47', '2026-W54', 'last'])('refuses %s, which is no complete week', async (week) => {
    expect(await admin.run('results', 'digest', '--week', week)).toEqual(failed(2, /such as 2026-W46/));
  });

  it('reports a project that does not exist', async () => {
    expect((await admin.run('results', 'digest', '--project', 'none')).status).toBe(1);
  });
});
