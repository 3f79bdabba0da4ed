import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  findRunningInstance,
  LOCAL_TABLE_NAME,
  noteRunningInstance,
  readRunningInstance,
} from '../../local/running-instance.ts';
import { serveInTest } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const address = {
  url: 'http://localhost:8787',
  dynamodbEndpoint: 'http://127.0.0.1:1',
  tableName: LOCAL_TABLE_NAME,
};

/** The address of another server, which responds. */
const somebody = () => serveInTest((_request, reply) => reply.end());

test('stores the address of this process until it is removed', async () => {
  const folder = join(temporaryFolder(), 'new', 'folder');
  const instance = { ...address, pid: process.pid };
  expect(readRunningInstance(folder)).toBeUndefined();
  const forget = noteRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  expect(readdirSync(folder)).toEqual(['instance.json']);
  await forget();
  expect(readRunningInstance(folder)).toBeUndefined();
  await forget();
});

describe('a second instance on the same folder', () => {
  it('is found while it runs, and the first again afterwards', async () => {
    const folder = temporaryFolder();
    const first = { ...address, pid: process.ppid, dynamodbEndpoint: await somebody() };
    const second = { ...address, pid: process.pid };
    noteRunningInstance(folder, first);
    const forget = noteRunningInstance(folder, second);
    expect(readRunningInstance(folder)).toEqual(second);
    await forget();
    expect(readRunningInstance(folder)).toEqual(first);
  });

  it('is still found after the first stops', async () => {
    const folder = temporaryFolder();
    const forget = noteRunningInstance(folder, { ...address, pid: process.ppid });
    const second = { ...address, pid: process.pid };
    noteRunningInstance(folder, second);
    await forget();
    expect(readRunningInstance(folder)).toEqual(second);
  });
});

describe('the address of a process whose pid was reused', () => {
  it('is ignored if nothing responds there', async () => {
    const folder = temporaryFolder();
    noteRunningInstance(folder, { ...address, pid: process.ppid });
    expect(await findRunningInstance(folder)).toBeUndefined();
    const answering = { ...address, pid: process.ppid, dynamodbEndpoint: await somebody() };
    noteRunningInstance(folder, answering);
    expect(await findRunningInstance(folder)).toEqual(answering);
  });

  it.each([process.ppid, process.pid])('is not restored by the next instance (%i)', async (pid) => {
    const folder = temporaryFolder();
    const isOwn = pid === process.pid;
    const dynamodbEndpoint = isOwn ? await somebody() : address.dynamodbEndpoint;
    noteRunningInstance(folder, { ...address, pid, dynamodbEndpoint });
    await noteRunningInstance(folder, { ...address, pid: process.pid })();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('ignores the address of a killed process', async () => {
  const folder = temporaryFolder();
  const child = spawn('sleep', ['60']);
  const instance = { ...address, pid: child.pid ?? 0 };
  noteRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readRunningInstance(folder)).toBeUndefined();
});

test.each(['', 'no JSON', '{"pid":1}', 'null'])('ignores a file that contains %j', (content) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'instance.json'), content);
  expect(readRunningInstance(folder)).toBeUndefined();
});
