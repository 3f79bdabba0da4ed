import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { listContacts } from '../../../functions/list-contacts.ts';
import { type AdminCli, createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { anAnswer } from '../../support/fixtures/revising.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

const service = await createTestService();

describe('contacts', () => {
  let tenant: Tenant;
  let admin: AdminCli;
  let project: readonly string[];

  beforeEach(async () => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({}, { slug: 'nps' })]);
    admin = createAdminCli(service);
    project = ['--project', tenant.project.id];
  });

  const wish = (fields = {}) => anAnswer({ service, tenant }, { followUpRequested: true, ...fields });
  const overHttp = async (query: Record<string, string> = {}) =>
    (await service.call(listContacts, { secretKey: tenant.secretKey, query })).body;

  /** Leaves the table as a release without the contact index would. */
  async function forget(): Promise<void> {
    for (const { pk, sk } of await scanAll(service.table, tenant.project.id)) {
      const [Key, TableName] = [{ pk: { S: String(pk) }, sk: { S: String(sk) } }, service.table.tableName];
      const UpdateExpression = 'REMOVE contactShard, contactOrder';
      await service.table.client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression }));
    }
  }

  it('list --json returns the reply of the route, for all surveys or one', async () => {
    await wish({ text: 'one' });
    await wish();
    expect(await admin.json('contacts', 'list', ...project)).toEqual(await overHttp());
    expect(await admin.json('contacts', 'list', 'nps', '--state', 'all', ...project)).toEqual(
      await overHttp({ surveySlug: 'nps', state: 'all' }),
    );
  });

  it('list shows whom to contact, and reports when there is nobody', async () => {
    expect((await admin.run('contacts', 'list', ...project)).stdout).toBe('No contacts found.\n');
    const { id } = await wish({ text: 'Please call', contact: 'ann@example.com' });
    const { stdout } = await admin.run('contacts', 'list', ...project);
    for (const shown of [id, 'nps', 'ann@example.com', 'Please call', 'open'])
      expect(stdout).toContain(shown);
  });

  it('handle records the operator, and reopens the contact', async () => {
    const { id } = await wish();
    expect(await admin.json('contacts', 'handle', id, '--note', 'Called', ...project)).toEqual({
      ok: true,
      id,
      handled: true,
    });
    const [{ handled }] = (await overHttp({ state: 'handled' })).contacts;
    expect(handled).toMatchObject({ by: 'operator', note: 'Called' });
    expect((await admin.run('contacts', 'handle', id, '--open', ...project)).stdout).toBe(
      `${id} is open again.\n`,
    );
    expect((await overHttp()).contacts).toHaveLength(1);
  });

  it.each([
    [['handle', 'none'], 1, /has no answer none/],
    [['handle', 'none', '--note', 'x'.repeat(501)], 2, /--note: must be at most 500 characters/],
    [['list', 'npss'], 1, /npss/],
    [['list', '--from', 'today'], 2, /--from: must be a day/],
    [['list', '--cursor', 'none'], 2, /--cursor: not issued for this query/],
  ])('refuses %j', async (args, status, words) => {
    const ended = await admin.run('contacts', ...args, ...project);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(words);
  });

  it('sweep adds older answers to the list, removes deleted ones, and writes nothing twice', async () => {
    const [asking, handled] = [await wish(), await wish()];
    await anAnswer({ service, tenant });
    await admin.json('contacts', 'handle', handled.id, ...project);
    const before = await overHttp({ state: 'all' });
    await forget();
    expect((await overHttp({ state: 'all' })).contacts).toEqual([]);
    expect(await admin.json('contacts', 'sweep', ...project)).toEqual({ rows: 3, contacts: 2, changed: 2 });
    expect(await overHttp({ state: 'all' })).toEqual(before);
    expect((await overHttp()).contacts).toMatchObject([{ id: asking.id }]);
    expect((await admin.run('contacts', 'sweep', ...project)).stdout).toBe(
      'Checked 3 answers: 2 ask to be contacted, 0 corrected.\n',
    );
  });

  it('handle finds people who are not on the list yet', async () => {
    const { id } = await wish();
    await forget();
    await admin.json('contacts', 'handle', id, ...project);
    expect((await overHttp({ state: 'handled' })).contacts).toMatchObject([{ id }]);
  });
});
