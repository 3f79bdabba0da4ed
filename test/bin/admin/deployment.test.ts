import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDeployment } from '../../../bin/admin/deployment.ts';
import { createTable } from '../../../local/create-table.ts';
import { startEmbeddedDynamodb } from '../../../local/embedded-dynamodb.ts';
import { createFolderSecrets } from '../../../local/local-secrets.ts';
import { LOCAL_TABLE_NAME, noteRunningInstance } from '../../../local/running-instance.ts';
import { checkAccessKey, parseAccessKey } from '../../../shared/crypto/access-key.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createAdminCli, failed, runInProcess } from '../../support/admin-cli.ts';
import { createCrashingClient } from '../../support/faults/failing-client.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { stackOutputs, startAws, stubAws } from '../../support/stack/aws-stand-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Isolates the tests from this machine's AWS settings. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(AWS_|DYNAMODB_|KEY_ABB)/.test(name)) vi.stubEnv(name, undefined);
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('HOME', '/nonexistent');
  return () => vi.unstubAllEnvs();
});

/** A data folder of an instance that ran and was stopped. */
async function stoppedFolder(): Promise<string> {
  const folder = join(temporaryFolder(), '.canvass');
  const dynamodb = await startEmbeddedDynamodb({ dataFolder: folder });
  const client = createDynamodbClient({ endpoint: dynamodb.endpoint });
  await createTable(client, LOCAL_TABLE_NAME);
  createFolderSecrets(folder);
  client.destroy();
  await dynamodb.stop();
  return folder;
}

const CREATE = ['project', 'create', '--name', 'Acme', '--json', '--local', '--data'];
const LIST = ['project', 'list', '--json', '--local', '--data'];

describe('--local', () => {
  it('reads the data of a stopped instance, keeps it, and releases it', async () => {
    const folder = await stoppedFolder();
    const created = await runInProcess([...CREATE, folder]);
    expect(created).toMatchObject({ status: 0, stderr: '' });
    const { projectId } = JSON.parse(created.stdout);
    const listed = await runInProcess([...LIST, folder]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: projectId, name: 'Acme' }]);
    await (await startEmbeddedDynamodb({ dataFolder: folder })).stop();
  });

  it('ignores a note whose process ID belongs to another process', async () => {
    const folder = await stoppedFolder();
    const gone = { url: 'http://localhost:1', dynamodbEndpoint: 'http://127.0.0.1:1', tableName: 'x' };
    onTestFinished(noteRunningInstance(folder, { ...gone, pid: process.pid }));
    expect(await runInProcess([...LIST, folder])).toMatchObject({ status: 0, stdout: '[]\n' });
  });

  it('expects outdated settings only from a running instance', async () => {
    const folder = await stoppedFolder();
    const cacheLifetime = async () => {
      const { origin, close } = await openDeployment({ local: true, data: folder });
      await close();
      return origin.kind === 'local' && origin.cacheLifetimeMs;
    };
    expect(await cacheLifetime()).toBe(0);
    const { endpoint: dynamodbEndpoint, tableName } = await createTestTable();
    const running = { url: 'http://localhost:1', dynamodbEndpoint, tableName };
    onTestFinished(noteRunningInstance(folder, { ...running, pid: process.pid }));
    expect(await cacheLifetime()).toBe(3_000);
  });

  it('runs two commands at once in turns', async () => {
    const folder = await stoppedFolder();
    const created = await Promise.all([runInProcess([...CREATE, folder]), runInProcess([...CREATE, folder])]);
    expect(created).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(JSON.parse((await runInProcess([...LIST, folder])).stdout)).toHaveLength(2);
  });

  it('uses DYNAMODB_ENDPOINT whatever the folder contains', async () => {
    const dynamodb = await startEmbeddedDynamodb();
    onTestFinished(dynamodb.stop);
    const client = createDynamodbClient({ endpoint: dynamodb.endpoint });
    const folder = join(temporaryFolder(), 'new');
    vi.stubEnv('DYNAMODB_ENDPOINT', dynamodb.endpoint);
    const list = () => runInProcess([...LIST, folder]);
    expect(await list()).toEqual(failed(1, /^error: ResourceNotFoundException[^\n]*\n$/));
    await createTable(client, LOCAL_TABLE_NAME);
    client.destroy();
    expect(await list()).toMatchObject({ status: 0, stdout: '[]\n' });
  });

  it('fails in one line with status 1 when there is no instance, and creates no folder', async () => {
    const folder = join(temporaryFolder(), 'nothing');
    expect(await runInProcess([...LIST, folder])).toEqual(
      failed(
        1,
        `There is no local instance in ${folder}. Run "npm start" first, or give its folder with --data.`,
      ),
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('fails in one line with status 1 when the database cannot be used', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'dynamodb.db'), 'no database at all, but long enough to look at'.repeat(100));
    const { status, stdout, stderr } = await runInProcess([...LIST, folder]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: The database file [^\n]* cannot be used[^\n]*\n$/);
  });

  it.skipIf(process.getuid?.() === 0)(
    'fails in one line with status 1 when the folder cannot be written',
    async () => {
      const folder = await stoppedFolder();
      chmodSync(folder, 0o500);
      onTestFinished(() => chmodSync(folder, 0o700));
      expect(await runInProcess([...LIST, folder])).toEqual(
        failed(1, `The data folder ${folder} cannot be written to.`),
      );
    },
  );

  it('fails when the folder cannot be locked, or is a file', async () => {
    const folder = await stoppedFolder();
    rmSync(join(folder, 'instance.lock'));
    mkdirSync(join(folder, 'instance.lock'));
    expect(await runInProcess([...LIST, folder])).toEqual(
      failed(1, `The data folder ${folder} cannot be written to.`),
    );
    const file = join(folder, 'dynamodb.db');
    expect(await runInProcess([...LIST, file])).toEqual(
      failed(1, /^error: There is no local instance in [^\n]*\n$/),
    );
  });

  it.each(['before', 'after'] as const)(
    'completes an apply that was killed %s a write when apply runs again',
    async (when) => {
      const service = await createTestService();
      const { project } = await service.tenant({}, []);
      const admin = createAdminCli(service);
      const surveys = Array.from({ length: 120 }, (_, n) => ({ slug: `s${n}`, type: 'nps', question: 'Q?' }));
      const file = join(temporaryFolder(), 's.json');
      writeFileSync(file, JSON.stringify({ surveys }));
      const apply = ['survey', 'apply', '--project', project.id, '-f', file, '--yes'];
      const countNow = async () => (await admin.json('survey', 'list', '--project', project.id)).length;

      // Reads and writes alternate, so the fourth call is the second write.
      const { client, hasCrashed } = createCrashingClient(service.table.endpoint, { call: 4, when });
      await expect(createAdminCli(service, { client }).run(...apply)).rejects.toThrow();
      expect(hasCrashed()).toBe(true);
      const made = await countNow();
      expect(made).toBe(when === 'before' ? 49 : 98);

      const { created, unchanged, updated, archived } = await admin.json(...apply);
      expect([created.length, unchanged.length, updated, archived]).toEqual([120 - made, made, [], []]);
      expect(await countNow()).toBe(120);
    },
  );
});

const HASH_SECRET = 'x9'.repeat(32);

async function startStack(
  stack: string,
  outputs: Readonly<Record<string, string>>,
  dynamodb = '',
): Promise<string> {
  const { url, stop } = await startAws({ stack, outputs, dynamodb, secrets: { 'hash-secret': HASH_SECRET } });
  onTestFinished(stop);
  return url;
}

describe('--stack', () => {
  it('finds the table and the key abbreviation in the outputs of the stack', async () => {
    const table = await createTestTable();
    stubAws(await startStack('Canvass', { ...stackOutputs(table), KeyAbbreviation: 'acme' }, table.endpoint));
    const place = ['--stack', 'Canvass', '--json'];
    const created = await runInProcess(['project', 'create', '--name', 'Acme', ...place]);
    expect(created).toMatchObject({ status: 0, stderr: '' });
    const { projectId, secretKey } = JSON.parse(created.stdout);
    expect(secretKey).toMatch(new RegExp(`^acme_sk_${projectId}_`));
    const claimed = parseAccessKey('acme', secretKey);
    expect(claimed && checkAccessKey(Buffer.from(HASH_SECRET), claimed)).toMatchObject({ projectId });
    const shown = await runInProcess(['project', 'show', projectId, ...place]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'Acme' });

    expect(await runInProcess(['project', 'list', '--stack', 'Canvas'])).toEqual(
      failed(
        1,
        'There is no stack Canvas in this account and region (eu-west-1). For another region, set AWS_REGION.',
      ),
    );
  });

  describe('an app with the construct', () => {
    /** Names outputs like the CDK: the construct's path, followed by a hash. */
    const outputsOf = (construct: string, table: { tableName: string; erasureLogTableName: string }) => {
      const outputs = { ...stackOutputs(table), KeyAbbreviation: construct.toLowerCase() };
      return Object.fromEntries(
        Object.entries(outputs).map(([name, value], index) => [`${construct}${name}0AF7D1C${index}`, value]),
      );
    };
    const own = { TableName: 'orders', ApiUrl: 'https://team.example.com' };
    const create = (...more: string[]) =>
      runInProcess(['project', 'create', '--name', 'Acme', '--stack', 'Team', '--json', ...more]);

    it('finds the only deployment, whatever its ID and the other outputs of the stack', async () => {
      const table = await createTestTable();
      stubAws(await startStack('Team', { ...own, ...outputsOf('Surveys', table) }, table.endpoint));
      const { status, stdout } = await create();
      expect([status, JSON.parse(stdout).secretKey.split('_')[0]]).toEqual([0, 'surveys']);
    });

    it('uses the named one of several deployments, and otherwise asks for a name', async () => {
      const table = await createTestTable();
      const outputs = { ...own, ...outputsOf('Surveys', table), ...outputsOf('Beta', table) };
      stubAws(await startStack('Team', outputs, table.endpoint));
      const { status, stdout } = await create('--construct', 'Beta');
      expect([status, JSON.parse(stdout).secretKey.split('_')[0]]).toEqual([0, 'beta']);
      expect(await create()).toEqual(
        failed(1, 'The stack Team has several deployments: Beta, Surveys. Choose one with --construct.'),
      );
      expect(await create('--construct', 'Gamma')).toEqual(
        failed(1, 'The stack Team has no deployment Gamma. It has: Beta, Surveys.'),
      );
    });

    it('accepts --construct only with --stack', async () => {
      expect(await runInProcess(['project', 'list', '--local', '--construct', 'Surveys'])).toEqual(
        failed(2, '--construct requires --stack.'),
      );
    });
  });

  it('fails in one line with status 1 for another stack, and without credentials', async () => {
    stubAws(await startStack('Other', {}));
    const list = () => runInProcess(['project', 'list', '--stack', 'Other']);
    expect(await list()).toEqual(
      failed(1, 'The stack Other has no output TableName: it is not a Canvass deployment.'),
    );
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, '');
    const { status, stdout, stderr } = await list();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]*credentials[^\n]*\n$/);
  });

  it.each(['project list --stack Other', 'iam operate --stage prod'])(
    'reports where to set the region: %s',
    async (command) => {
      stubAws('');
      for (const region of [undefined, '']) {
        vi.stubEnv('AWS_REGION', region);
        expect(await runInProcess(command.split(' '))).toEqual(
          failed(1, 'No AWS region is set. Set AWS_REGION, or add a region to your AWS profile.'),
        );
      }
    },
  );
});
