import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processStart } from '../../local/process-start.ts';
import {
  LOCAL_TABLE_NAME,
  readRunningInstance,
  removeRunningInstance,
  writeRunningInstance,
} from '../../local/running-instance.ts';
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
  writeRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  expect(readdirSync(folder)).toEqual(['instance.json']);
  removeRunningInstance(folder);
  expect(readRunningInstance(folder)).toBeUndefined();
  removeRunningInstance(folder);
});

test('the note of a process that was killed does not count', async () => {
  const folder = temporaryFolder();
  const child = spawn('sleep', ['60']);
  const instance = { ...address, pid: child.pid ?? 0 };
  writeRunningInstance(folder, instance);
  expect(readRunningInstance(folder)).toEqual(instance);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readRunningInstance(folder)).toBeUndefined();
});

test('nor does one whose process id belongs to another process now', () => {
  const folder = temporaryFolder();
  writeRunningInstance(folder, { ...address, pid: process.pid });
  const file = join(folder, 'instance.json');
  const started = processStart(process.pid);
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"${started}"`, `"before ${started}"`));
  expect(readRunningInstance(folder)).toBeUndefined();
});

test.each(['', 'no JSON', '{"pid":1}', 'null'])('nor does a file that holds %j', (content) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'instance.json'), content);
  expect(readRunningInstance(folder)).toBeUndefined();
});
