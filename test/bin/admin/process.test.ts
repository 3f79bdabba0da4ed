import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { noteRunningInstance } from '../../../local/running-instance.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADMIN = join(import.meta.dirname, '../../../bin/admin.ts');

async function spawnAdmin(...args: string[]) {
  const child = spawn(process.execPath, [ADMIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, stdout, stderr };
}

it('prints help on stdout; without a command on stderr, with exit status 2', async () => {
  const help = { status: 0, stdout: expect.stringContaining('survey'), stderr: '' };
  expect(await spawnAdmin('--help')).toEqual(help);
  const usage = expect.stringContaining('Usage');
  expect(await spawnAdmin()).toEqual({ status: 2, stdout: '', stderr: usage });
});

it('prints one JSON document on stdout and exits with the status of the command', async () => {
  const { endpoint: dynamodbEndpoint, tableName } = await createTestTable();
  const data = join(temporaryFolder(), '.canvass');
  const url = 'http://localhost:8787';
  noteRunningInstance(data, {
    pid: process.pid,
    url,
    dynamodbEndpoint,
    tableName,
    hashSecret: 'x'.repeat(64),
  });
  const place = ['--local', '--data', data, '--json'];

  const created = await spawnAdmin('project', 'create', '--name', 'Acme', ...place);
  expect(created).toMatchObject({ status: 0, stderr: '' });
  const { projectId } = JSON.parse(created.stdout);

  const file = join(data, 'surveys.yaml');
  writeFileSync(file, 'surveys: [{ slug: a, type: nps, question: Q? }]');
  const applied = await spawnAdmin('survey', 'apply', '--project', projectId, '-f', file, '--yes', ...place);
  expect(applied).toMatchObject({ status: 0, stderr: '+ a  create (nps, active)\n' });
  expect(JSON.parse(applied.stdout)).toMatchObject({ created: ['a'] });

  expect(await spawnAdmin('project', 'show', 'other', ...place)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: There is no project other, or it is being purged.\n',
  });
});
