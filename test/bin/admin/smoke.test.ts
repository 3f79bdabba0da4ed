import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { noteRunningInstance } from '../../../local/running-instance.ts';
import { routes } from '../../../shared/contract/routes.ts';
import {
  bringPlace,
  createAdminCli,
  failed,
  folderWithSecrets,
  runInProcess,
} from '../../support/admin-cli.ts';
import { scanAll } from '../../support/scan-all.ts';
import { serveInTest } from '../../support/serve.ts';
import { serveService } from '../../support/service/served-service.ts';
import { TEST_HASH_SECRET } from '../../support/service/test-secrets.ts';
import { createTestService, type TestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const STEPS = [
  ['create project', 'done'],
  ['bootstrap', 200],
  ['submit response', 201],
  ['submit it again', 409],
  ['bootstrap another', 200],
  ['submit dismissal', 201],
  ['mint token', 200],
  ['submit linked response', 201],
  ['list pending scores', 200],
  ['ack score', 200],
  ['export person', 200],
  ['erase person', 200],
  ['export erased person', 200],
  ['purge project', 'done'],
] as const;

const step = ([name, status]: readonly [string, unknown]) => ({ step: name, status, ms: expect.any(Number) });

async function serve(service: TestService): Promise<string> {
  const { url, stop } = await serveService(service);
  onTestFinished(() => stop(0));
  return url;
}

/** Forwards requests to the stage, except those for one path. */
async function serveBroken(url: string, path: string, answer: (response: ServerResponse) => void) {
  return serveInTest(async (request, response) => {
    const [requested] = (request.url ?? '').split('?');
    if (requested === path) return answer(response);
    const { authorization, 'content-type': type } = request.headers;
    const reply = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(type && { body: await text(request) }),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
}

const PURGE_RECORDS = [expect.objectContaining({ type: 'purge', state: 'done' })];

const service = await createTestService();

describe('smoke', () => {
  it('asks, answers, delivers, exports and erases, and leaves only the record of its purge', async () => {
    const url = await serve(service);
    const { status, stdout } = await runInProcess(['smoke', '--json'], bringPlace(service, { url }));
    const report = JSON.parse(stdout);
    expect(report).toEqual({ url, projectId: expect.any(String), passed: true, steps: STEPS.map(step) });
    expect(status).toBe(0);
    expect(await scanAll(service.table, report.projectId)).toEqual(PURGE_RECORDS);
  });

  it('shows each step with its status, aligned', async () => {
    const url = await serve(service);
    const { stdout, stderr } = await runInProcess(['smoke'], bringPlace(service, { url }));
    const [last, ...lines] = stdout.trimEnd().split('\n').reverse();
    expect(last).toBe(`${url} works.`);
    expect(lines.reverse().map((line) => line.replace(/ +\d+ ms$/, '').trimEnd())).toEqual(
      STEPS.map(([name, status]) => `${name.padEnd(22)}  ${status}`),
    );
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(stderr).not.toContain('error');
  });

  it('ends with status 1 when a step fails, and purges the project', async () => {
    const url = await serveBroken(await serve(service), routes.mintTokens.path, (response) =>
      response.writeHead(502).end('no such function'),
    );
    const { status, stdout, stderr } = await runInProcess(['smoke', '--json'], bringPlace(service, { url }));
    const report = JSON.parse(stdout);
    const problem = 'expected 200; the reply is no such function';
    expect(report).toMatchObject({
      passed: false,
      steps: [
        ...STEPS.slice(0, 6).map(step),
        { step: 'mint token', status: 502, problem },
        { step: 'purge project', status: 'done' },
      ],
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: The step "mint token" failed: expected 200/m);
    expect(await scanAll(service.table, report.projectId)).toEqual(PURGE_RECORDS);
  });

  it('fails a step when a reply has the right status but breaks the contract', async () => {
    const url = await serveBroken(await serve(service), routes.bootstrap.path, (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    );
    const { status, stderr } = await runInProcess(['smoke'], bringPlace(service, { url }));
    expect(status).toBe(1);
    expect(stderr).toContain(
      'error: The step "bootstrap" failed: the reply is not what the contract says.\n',
    );
  });

  it('fails when nothing answers, and leaves nothing', async () => {
    const brought = bringPlace(service, { url: 'http://127.0.0.1:1' });
    const { status, stdout, stderr } = await runInProcess(['smoke', '--json'], brought);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: The step "bootstrap" failed: fetch failed: .+\.$/m);
    const { projectId, steps } = JSON.parse(stdout);
    expect(steps.at(-1)).toEqual(step(['purge project', 'done']));
    expect(await scanAll(service.table, projectId)).toEqual(PURGE_RECORDS);
  });

  it('waits for an index that lags', async () => {
    let pauses = 0;
    const lagging = await createTestService({
      table: service.table,
      clock: service.clock,
      aroundIndex: (read) => (query) =>
        query.index === 'byScoreState' && pauses < 2
          ? Promise.resolve({ entries: [], more: false })
          : read(query),
    });
    const sleep = async () => ++pauses;
    const brought = { ...bringPlace(service, { url: await serve(lagging) }), sleep };
    expect(await runInProcess(['smoke'], brought)).toMatchObject({ status: 0 });
    expect(pauses).toBe(2);
  });

  it('does not purge a project that could not be created', async () => {
    const folder = temporaryFolder();
    const brought = bringPlace(service, { url: 'http://127.0.0.1:1', folder });
    const { status, stdout } = await runInProcess(['smoke', '--json'], brought);
    expect(status).toBe(1);
    const { projectId, steps } = JSON.parse(stdout);
    expect(steps).toMatchObject([{ step: 'create project' }, { step: 'purge project', status: 'none' }]);
    expect(await scanAll(service.table, projectId)).toEqual([]);
  });

  it('does not test an instance that is not running', async () => {
    expect(await runInProcess(['smoke'], bringPlace(service))).toEqual(
      failed(1, /^error: No local instance is running on .*\. Run "npm start" first\.\n$/),
    );
  });

  it('ends the running request on Ctrl-C, even twice, and purges the project before it ends', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serveBroken(await serve(service), routes.exportResponses.path, () => asked.resolve());
    const folder = folderWithSecrets();
    const { endpoint: dynamodbEndpoint, tableName } = service.table;
    const hashSecret = Buffer.from(TEST_HASH_SECRET).toString();
    onTestFinished(
      noteRunningInstance(folder, { pid: process.pid, url, dynamodbEndpoint, tableName, hashSecret }),
    );
    const admin = join(import.meta.dirname, '../../../bin/admin.ts');
    const child = spawn(process.execPath, [admin, 'smoke', '--local', '--data', folder, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([
      new Promise((resolve) => child.once('close', resolve)),
      text(child.stdout),
      text(child.stderr),
    ]);
    await Promise.race([asked.promise, ended]);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [status, stdout, stderr] = await ended;
    expect(status).toBe(1);
    expect(stderr.split('\n').filter((line) => line === 'Interrupted: cleaning up.')).toHaveLength(1);
    const { projectId, steps } = JSON.parse(stdout);
    expect(steps.slice(-2)).toMatchObject([
      { step: 'export person', problem: 'interrupted' },
      { step: 'purge project', status: 'done' },
    ]);
    expect(await scanAll(service.table, projectId)).toEqual(PURGE_RECORDS);
  });
});

const admin = createAdminCli(service);

it('probe create makes the project with one survey and one key, and prints the stage setting', async () => {
  const made = await admin.json('probe', 'create');
  expect(made).toEqual({
    projectId: expect.any(String),
    probe: { every: '15m', key: expect.stringMatching(new RegExp(`^svc_pk_${made.projectId}_.{48}$`)) },
  });
  expect(readSettings({ stage: 'prod', stages: { prod: { probe: made.probe } } }, [])).toMatchObject({
    probe: made.probe,
  });
  expect(await admin.json('project', 'show', made.projectId)).toMatchObject({
    name: 'probe',
    probe: true,
    impressions: 'off',
    quietPeriod: '0',
  });
  const { key } = made.probe;
  expect(await admin.json('key', 'list', '--project', made.projectId)).toMatchObject([
    { kind: 'publishable' },
  ]);
  const { body } = await service.call(bootstrap, { body: { key, userId: 'ann' } });
  const [[surveyId, showToken] = []] = Object.entries(body.showTokens);
  const answer = { key, surveyId, showToken, rating: 1 };
  expect(await service.call(submitResponse, { body: answer })).toMatchObject({ status: 201 });
});

it('prints a probe setting that can be copied into cdk.json', async () => {
  const { stdout } = await admin.run('probe', 'create');
  const [, setting = ''] = stdout.match(/^Settings of the stage +(.*)$/m) ?? [];
  expect(JSON.parse(`{${setting}}`)).toEqual({
    probe: { every: '15m', key: expect.stringMatching(/^svc_pk_/) },
  });
});

it('imports nothing into the probe project', async () => {
  const { projectId } = await admin.json('probe', 'create');
  const args = ['--project', projectId, '--survey', 'probe', '--file', 'answers.csv'];
  expect(await admin.run('import', ...args)).toEqual(failed(1, /The probe project accepts no imports/));
});
