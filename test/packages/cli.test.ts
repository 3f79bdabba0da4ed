import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../shared/settings/version.ts';
import { createTestTable } from '../support/service/test-table.ts';
import {
  type AwsStandIn,
  awsEnvironment,
  stackOutputs,
  stackSecrets,
  startAws,
} from '../support/stack/aws-stand-in.ts';
import { freshApp } from './support/fresh-app.ts';
import { NODES, OLDEST_NODE, versionOf } from './support/nodes.ts';

const app = freshApp({ packages: ['cli'], others: ['@dynoxide/linux-x64'] });
const PROGRAM = join(app, 'node_modules/@canvass-surveys/cli/dist/canvass.js');
/** Inherits nothing, so the program must find what it needs by itself. */
const BARE = { PATH: process.env.PATH ?? '', HOME: tmpdir() };

function start(node: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawn(node, [PROGRAM, ...args], { cwd: app, env: { ...BARE, ...environment } });
}

async function run(
  node: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = start(node, args, environment);
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, stdout, stderr };
}

describe.each(NODES.map((node) => [versionOf(node), node]))('Node %s', (_, node) => {
  it('shows every command, its version and its docs', async () => {
    const help = await run(node, ['--help']);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    for (const command of ['project', 'survey', 'results', 'dev', 'docs'])
      expect(help.stdout).toContain(`\n  ${command} `);
    expect((await run(node, ['--version'])).stdout).toBe(`${VERSION}\n`);
    expect((await run(node, ['docs', 'runbook'])).stdout).toMatch(/^## Runbook\n/);
    expect((await run(node, ['docs', 'changelog'])).stdout).toMatch(/^# Changelog\n/);
    expect((await run(node, ['docs', 'decision-23-destinations'])).stdout).toMatch(/^## Decision 23/);
  });

  it('refuses a mistyped command or flag with exit status 2', async () => {
    expect(await run(node, ['projct', 'list'])).toMatchObject({ status: 2, stdout: '' });
    expect(await run(node, ['dev', '--prot', '1'])).toMatchObject({ status: 2, stdout: '' });
  });

  describe('on a stack', () => {
    let aws: AwsStandIn;
    const outputs: Record<string, string> = { Version: VERSION, ApiUrl: 'https://api.example' };
    beforeAll(async () => {
      const table = await createTestTable();
      Object.assign(outputs, stackOutputs(table));
      aws = await startAws({ dynamodb: table.endpoint, outputs, secrets: stackSecrets() });
    });
    afterAll(() => aws.stop());

    const onStack = (...args: readonly string[]) =>
      run(node, ['--stack', 'canvass-prod', '--json', ...args], awsEnvironment(aws.url));

    it('creates a project, applies surveys, creates keys, reads results and rotates', async () => {
      const created = await onStack('project', 'create', '--name', 'Acme');
      expect(created.status).toBe(0);
      const { projectId } = JSON.parse(created.stdout);
      const file = join(app, 'surveys.yaml');
      writeFileSync(file, 'surveys: [{ slug: nps, type: nps, question: Well? }]');
      const of = ['--project', projectId];
      expect((await onStack('survey', 'apply', ...of, '-f', file, '--yes')).status).toBe(0);
      expect((await onStack('key', 'create', ...of, '--kind', 'secret', '--scopes', 'mint')).status).toBe(0);
      const results = await onStack('results', 'show', 'nps', ...of);
      expect(JSON.parse(results.stdout)).toMatchObject({ responses: 0 });
      const report = join(app, 'report.html');
      expect((await onStack('results', 'report', 'nps', ...of, '-o', report)).status).toBe(0);
      expect(readFileSync(report, 'utf8')).toContain('<!doctype html>');
      expect((await onStack('token-key', 'rotate')).status).toBe(0);
    });

    it('only reads if its minor version differs', async () => {
      outputs.Version = '0.999.0';
      expect((await onStack('project', 'list')).status).toBe(0);
      const refused = await onStack('project', 'create', '--name', 'Acme');
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      expect(refused.stderr).toContain('@canvass-surveys/cli@0.999.0');
    });
  });
});

describe('canvass dev', () => {
  const running: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'canvass-dev-'));
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints one line of JSON, serves demo and results page, accepts commands and stops on a signal', async () => {
    const child = start(process.execPath, ['dev', '--json', '--memory', '--port', '0', '--data', folder]);
    running.push(child);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const [line] = await new Promise<string[]>((resolve) =>
      createInterface(child.stdout).once('line', (first) => resolve([first])),
    );
    const { url, publishableKey: key, projectId } = JSON.parse(line ?? '');
    const body = JSON.stringify({ key, userId: 'ann' });
    const asked = await fetch(`${url}/v1/sdk/bootstrap`, { method: 'POST', body });
    expect(await asked.json()).toMatchObject({ showTokens: expect.anything() });
    for (const path of [
      '/',
      '/demo/shop.js',
      '/demo/shop.css',
      '/demo/canvass.js',
      '/results',
      '/openapi.yaml',
    ])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    for (const node of NODES) {
      const shown = await run(node, ['--local', '--data', folder, '--json', 'project', 'show', projectId]);
      expect(JSON.parse(shown.stdout)).toMatchObject({ id: projectId });
    }
    const file = join(folder, 'surveys.yaml');
    const of = ['--local', '--data', folder, '--json', '--project', projectId];
    for (const words of [
      ['survey', 'pull', '-f', file],
      ['survey', 'apply', '-f', file, '--yes'],
      ['key', 'create', '--kind', 'editor'],
      ['results', 'show', 'recommend'],
    ]) {
      const { status, stdout, stderr } = await run(process.execPath, [...words, ...of]);
      expect([words, status, status === 0 ? '' : stderr]).toEqual([words, 0, '']);
      expect(JSON.parse(stdout)).toBeTypeOf('object');
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.skipIf(NODES.length === 1)('names the required version on a Node without SQLite', async () => {
    expect(await run(OLDEST_NODE, ['dev', '--port', '0', '--data', folder])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('A local instance needs Node 22.13 or later'),
    });
  });
});
