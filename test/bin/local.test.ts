import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../local/running-instance.ts';
import { createCanvassClient } from '../../sdk/server/canvass-client.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { SURVEY_TYPES } from '../../shared/domain/surveys/survey.ts';
import { startWebhookStandIn } from '../support/stand-ins/webhook-stand-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/local.ts', import.meta.url));

interface Announcement {
  readonly url: string;
  readonly projectId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly surveys: readonly { readonly id: string; readonly slug: string; readonly type: string }[];
}

interface Run {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly exit: Promise<number | null>;
}

const running: ChildProcess[] = [];

function run(...flags: string[]): Run {
  const environment: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' };
  delete environment.DYNAMODB_ENDPOINT;
  const child = spawn(process.execPath, [PROGRAM, ...flags], { env: environment });
  running.push(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    exit: once(child, 'close').then(([code]) => code),
  };
}

async function serving(...flags: string[]): Promise<{ at: Announcement; run: Run }> {
  const started = run('--json', '--port', '0', '--empty', ...flags);
  await until(() => started.output().includes('\n') || started.process.exitCode !== null);
  return { at: JSON.parse(started.output()), run: started };
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any route; tests read its fields.
  readonly body: any;
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: reply.status, body: await reply.json() };
}

async function askAndAnswer({ url, publishableKey: key, surveys }: Announcement, userId: string) {
  const surveyId = surveys[0]?.id ?? '';
  const { body } = await post(`${url}/v1/sdk/bootstrap`, { key, userId });
  const submission = { key, surveyId, showToken: body.showTokens[surveyId], rating: 9 };
  return { submission, answer: await post(`${url}/v1/sdk/responses`, submission) };
}

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }
});

describe('npm start', () => {
  it('serves a demo project with surveys of each type, announced as one line of JSON', async () => {
    const { at, run: instance } = await serving('--memory', '--data', temporaryFolder());
    expect([...new Set(at.surveys.map(({ type }) => type))]).toEqual(SURVEY_TYPES);
    expect((await askAndAnswer(at, 'ann')).answer.status).toBe(201);
    const minted = await post(
      `${at.url}/v1/sdk/tokens`,
      { respondentId: 'bob', sessionId: 's' },
      { authorization: `Bearer ${at.secretKey}` },
    );
    expect(Object.keys(minted.body.tokens)).toHaveLength(8);
    const page = await fetch(at.url);
    expect(page.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page.text()).toContain(at.publishableKey);
    expect((await fetch(`${at.url}/openapi.yaml`)).headers.get('content-type')).toBe('application/yaml');
    instance.process.kill('SIGINT');
    expect(await instance.exit).toBe(0);
    expect(instance.output().trim().split('\n')).toHaveLength(1);
  });

  it('prints requests that work when pasted', async () => {
    const instance = run('--port', '0', '--memory', '--data', temporaryFolder());
    await until(() => instance.output().includes('Ctrl-C'));
    const lines = instance.output().match(/^curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    expect(instance.output()).toMatch(/^Canvass at /);
    const replies = await Promise.all(
      lines.map(async (line) => {
        const shell = spawn('sh', ['-c', line]);
        let text = '';
        shell.stdout.on('data', (chunk) => {
          text += chunk;
        });
        await once(shell, 'close');
        return JSON.parse(text);
      }),
    );
    expect(replies).toMatchObject([{ showTokens: {} }, { ok: true }, { tokens: {} }]);
  });

  it('serves although the demo project is suspended and its keys are revoked, and announces live keys', async () => {
    const folder = temporaryFolder();
    const { at: before, run: first } = await serving('--data', folder);
    const client = createDynamodbClient({ endpoint: readRunningInstance(folder)?.dynamodbEndpoint });
    const store = createProjectStore(
      createTable(client, { name: LOCAL_TABLE_NAME }),
      createIndexReader(client, LOCAL_TABLE_NAME),
    );
    await store.updateProject(before.projectId, { status: 'suspended' });
    for (const { hash } of (await store.read(before.projectId))?.keys ?? [])
      await store.revokeKey(before.projectId, hash, new Date().toISOString());
    first.process.kill('SIGINT');
    await first.exit;

    const second = run('--port', '0', '--data', folder);
    await until(() => second.output().includes('Ctrl-C') || second.process.exitCode !== null);
    expect(second.errors()).not.toContain('    at ');
    expect(second.output().match(/^curl .*$/gm) ?? []).toHaveLength(2);
    const [, url = ''] = /at (http:\S+)/.exec(second.output()) ?? [];
    const [, key = ''] = /publishable key +(\S+)/.exec(second.output()) ?? [];
    expect(key).not.toBe(before.publishableKey);
    expect((await post(`${url}/v1/sdk/bootstrap`, { key })).body.error.code).toBe('project_suspended');
  });

  it('loses no acknowledged answer when it is killed, and knows its project, keys and tokens afterwards', async () => {
    const folder = temporaryFolder();
    const { at: before, run: killed } = await serving('--data', folder);
    const { submission, answer } = await askAndAnswer(before, 'ann');
    expect(answer.status).toBe(201);
    killed.process.kill('SIGKILL');
    await killed.exit;

    const { at: after } = await serving('--data', folder);
    expect({ ...after, url: '' }).toEqual({ ...before, url: '' });
    const again = await post(`${after.url}/v1/sdk/responses`, submission);
    expect(again).toMatchObject({ status: 409, body: { error: { details: { id: answer.body.id } } } });
    const { body } = await post(`${after.url}/v1/sdk/bootstrap`, {
      key: after.publishableKey,
      userId: 'ann',
    });
    expect(body.suppression).toEqual([submission.surveyId]);
  });

  it('fails in one line with status 1 when the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = run('--memory', '--port', String(port), '--data', temporaryFolder());
    expect(await refused.exit).toBe(1);
    expect(refused.errors()).toBe(`Port ${port} is already in use.\n`);
    server.close();
  });

  it.each(['/proc/canvass', '/dev/null/canvass'])(
    'fails in one line with status 1 when %s cannot be written',
    async (folder) => {
      const refused = run('--data', folder, '--port', '0');
      expect(await refused.exit).toBe(1);
      expect(refused.errors().trim().split('\n')).toHaveLength(1);
    },
  );

  it('continues when the reader of its events disconnects, and keeps the events', async () => {
    const folder = temporaryFolder();
    const { at, run: instance } = await serving('--memory', '--data', folder, '--events', '-');
    instance.process.stdout?.destroy();
    expect((await askAndAnswer(at, 'ann')).answer.status).toBe(201);
    await until(() => /events not delivered/.test(instance.errors()) || instance.process.exitCode !== null);
    expect((await askAndAnswer(at, 'bob')).answer.status).toBe(201);
    instance.process.kill('SIGINT');
    expect(await instance.exit).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    // An empty folder would be the current one.
    ['--data', '', "option '--data <folder>' argument '' is invalid. It must name a folder."],
    ['--prot', '1', "unknown option '--prot'"],
  ])('exits with 2 and names the wrong flag: %s %j', async (flag, value, problem) => {
    const refused = run(flag, value, '--port', '0');
    expect(await refused.exit).toBe(2);
    expect(refused.errors()).toContain(problem);
  });
});

describe('npm start -- --push-scores FILE', () => {
  it('pushes a new score without waiting for the schedule, logs a line for the run, and stops on a signal', async () => {
    const receiver = await startWebhookStandIn();
    onTestFinished(() => receiver.stop());
    const folder = temporaryFolder();
    const file = join(folder, 'scores.json');
    writeFileSync(file, '[]');
    const { at, run: instance } = await serving('--data', folder, '--push-scores', file);
    const { url, projectId, secretKey, publishableKey: key } = at;
    writeFileSync(file, JSON.stringify([{ projectId, destination: receiver.destination }]));
    const surveyId = at.surveys[0]?.id ?? '';
    const canvass = createCanvassClient({ baseUrl: url, secretKey });
    const { tokens } = await canvass.mintTokens({ respondentId: 'ann', sessionId: 's-1', surveyId });
    const answer = { key, surveyId, showToken: tokens[surveyId], rating: 9, sessionId: 's-1' };
    await post(`${url}/v1/sdk/responses`, answer);
    // The next scheduled run is later than this test's timeout.
    const lineOfRun = () => /^.*"polled":1.*$(?=\n)/m.exec(instance.errors())?.[0];
    await until(() => lineOfRun() !== undefined);
    expect(JSON.parse(lineOfRun() ?? '')).toMatchObject({
      message: 'scores',
      delivered: 1,
      rejected: 0,
      left: 0,
    });
    expect([...receiver.scores.values()]).toMatchObject([{ data: { sessionId: 's-1', rating: 9 } }]);
    instance.process.kill('SIGTERM');
    expect(await instance.exit).toBe(0);
  });

  it('refuses to start with an invalid configuration, and prints why', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'scores.json');
    writeFileSync(file, '[{"serviceKey":"svc_pk_x"}]');
    const refused = run('--port', '0', '--data', folder, '--push-scores', file);
    expect(await refused.exit).toBe(1);
    expect(refused.errors()).toContain('0.serviceKey: must be a secret key');
  });
});
