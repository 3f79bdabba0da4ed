import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = join(import.meta.dirname, '../../../bin/admin/results/output-file.ts');

/** A process that has written part of the file, and waits. */
async function writing(file: string): Promise<ChildProcess> {
  const script = `
    import { writeOutputFile } from ${JSON.stringify(MODULE)};
    await writeOutputFile(${JSON.stringify(file)}, async (write) => {
      await write('somebody');
      process.send('written');
      await new Promise(() => setInterval(() => undefined, 1000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'leaves no part of an unfinished file after %s',
  async (signal) => {
    const folder = temporaryFolder();
    const file = join(folder, 'answers.csv');
    writeFileSync(file, 'before');
    const child = await writing(file);
    expect(readdirSync(folder)).toEqual(['answers.csv', `answers.csv.${child.pid}`]);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual(['answers.csv']);
    expect(readFileSync(file, 'utf8')).toBe('before');
  },
);
