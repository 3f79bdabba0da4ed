import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { LOCAL_TABLE_NAME, noteRunningInstance, readRunningInstance } from '../../local/running-instance.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const address = {
  url: 'http://localhost:8787',
  dynamodbEndpoint: 'http://127.0.0.1:4000',
  tableName: LOCAL_TABLE_NAME,
};

test('the address of this process, until it is removed', () => {
  const folder = join(temporaryFolder(), 'new', 'folder');
  const instance = { ...address, pid: process.pid };
  expect(readRunningInstance(folder)).toBeUndefined();
  const forget = noteRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  expect(readdirSync(folder)).toEqual(['instance.json']);
  forget();
  expect(readRunningInstance(folder)).toBeUndefined();
  forget();
});

describe('an instance beside another on the same folder', () => {
  it('is found while it runs, and the other again afterwards', () => {
    const folder = temporaryFolder();
    const first = { ...address, pid: process.ppid };
    const second = { ...address, pid: process.pid };
    noteRunningInstance(folder, first);
    const forget = noteRunningInstance(folder, second);
    expect(readRunningInstance(folder)).toEqual(second);
    forget();
    expect(readRunningInstance(folder)).toEqual(first);
  });

  it('stays found when the other stops', () => {
    const folder = temporaryFolder();
    const forget = noteRunningInstance(folder, { ...address, pid: process.ppid });
    const second = { ...address, pid: process.pid };
    noteRunningInstance(folder, second);
    forget();
    expect(readRunningInstance(folder)).toEqual(second);
  });
});

test('the note of a process that was killed does not count', async () => {
  const folder = temporaryFolder();
  const child = spawn('sleep', ['60']);
  const instance = { ...address, pid: child.pid ?? 0 };
  noteRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readRunningInstance(folder)).toBeUndefined();
});

test.each(['', 'no JSON', '{"pid":1}', 'null'])('nor does a file that holds %j', (content) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'instance.json'), content);
  expect(readRunningInstance(folder)).toBeUndefined();
});
