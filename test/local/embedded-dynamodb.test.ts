import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { findDynoxide } from '../../local/dynoxide.ts';
import {
  type EmbeddedDynamodbOptions,
  emulatorClientConfig,
  startEmbeddedDynamodb,
} from '../../local/embedded-dynamodb.ts';
import { isListening } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { createPlainTable } from './plain-table.ts';

async function start(options: EmbeddedDynamodbOptions = {}) {
  const dynamodb = await startEmbeddedDynamodb(options);
  const client = new DynamoDBClient(emulatorClientConfig(dynamodb.endpoint));
  onTestFinished(async () => {
    client.destroy();
    await dynamodb.stop();
  });
  return { ...dynamodb, client };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A command that writes its process id into a file and then runs the given one. */
function leavingPid(pidFile: string, command: readonly string[]) {
  return { ...findDynoxide(), command: ['sh', '-c', `echo $$ > '${pidFile}'; exec "$@"`, 'sh', ...command] };
}

/** A command that writes its arguments into a file and then runs the given one. */
function leavingArguments(file: string) {
  const { command } = findDynoxide();
  return { ...findDynoxide(), command: ['sh', '-c', `echo "$@" > '${file}'; exec "$@"`, 'sh', ...command] };
}

/** The emulator's database file, from its arguments. */
const databaseIn = (file: string) => / --db-path (\S+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

const pidIn = (file: string) => Number(readFileSync(file, 'utf8'));

test('responds until it is stopped, and can be stopped twice', async () => {
  const { endpoint, client, stop } = await start();
  await createPlainTable(client, 'items');
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['items']);
  await stop();
  expect(await isListening(endpoint)).toBe(false);
  await stop();
});

test('deletes its temporary file, which has an index of stream records, when it stops', async () => {
  const arguments_ = join(temporaryFolder(), 'arguments');
  const { client, stop } = await start({ dynoxide: leavingArguments(arguments_) });
  await createPlainTable(client, 'items');
  const file = databaseIn(arguments_);
  const database = new DatabaseSync(file, { readOnly: true });
  // The emulator's query before each write. Without the index, it reads every record of the table.
  const plan = database
    .prepare(
      `EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'items'`,
    )
    .all();
  database.close();
  expect(plan.map(({ detail }) => detail).join()).toContain('USING COVERING INDEX canvass_stream_sequence');
  await stop();
  expect(existsSync(dirname(file))).toBe(false);
});

test('leaves no temporary data of a killed owner', async () => {
  const arguments_ = join(temporaryFolder(), 'arguments');
  const script = `import { startEmbeddedDynamodb } from ${JSON.stringify(join(import.meta.dirname, '../../local/embedded-dynamodb.ts'))};
    await startEmbeddedDynamodb({ dynoxide: ${JSON.stringify(leavingArguments(arguments_))} });
    console.log('started');
    setInterval(() => undefined, 1_000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  const folder = dirname(databaseIn(arguments_));
  expect(existsSync(folder)).toBe(true);
  owner.kill('SIGKILL');
  await until(() => !existsSync(folder));
});

test('keeps data in a folder across restarts', async () => {
  const dataFolder = join(temporaryFolder(), 'new', 'folder');
  const first = await start({ dataFolder });
  await createPlainTable(first.client, 'items');
  await first.stop();
  const second = await start({ dataFolder });
  expect((await second.client.send(new ListTablesCommand({}))).TableNames).toEqual(['items']);
});

test('reports when the emulator dies, but not when it is stopped', async () => {
  const pidFile = join(temporaryFolder(), 'pid');
  const { died, stop } = await start({ dynoxide: leavingPid(pidFile, findDynoxide().command) });
  process.kill(pidIn(pidFile), 'SIGKILL');
  expect(await died).toMatchObject({ code: 'emulator_failed' });
  await stop();
});

test('creates a folder and files that only their owner can read', async () => {
  const dataFolder = join(temporaryFolder(), 'new');
  await start({ dataFolder });
  const mode = (path: string) => statSync(path).mode & 0o777;
  expect(mode(dataFolder)).toBe(0o700);
  const files = readdirSync(dataFolder);
  expect(files).toContain('dynamodb.db');
  expect(files.filter((file) => mode(join(dataFolder, file)) !== 0o600)).toEqual([]);
});

test('makes an existing folder private unless it contains other files', async () => {
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  for (const folder of folders) {
    writeFileSync(join(folder, 'dynamodb.db'), '', { mode: 0o644 });
    chmodSync(folder, 0o755);
  }
  writeFileSync(join(folders[1], 'notes.txt'), '', { mode: 0o644 });
  for (const dataFolder of folders) await (await startEmbeddedDynamodb({ dataFolder })).stop();
  const modes = (...paths: string[]) => paths.map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes(folders[0], join(folders[0], 'dynamodb.db'))).toEqual(['700', '600']);
  expect(modes(folders[1], join(folders[1], 'dynamodb.db'))).toEqual(['755', '600']);
  expect(modes(join(folders[1], 'notes.txt'))).toEqual(['644']);
});

test('reports a folder that cannot be written to', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const dataFolder of [file, join(file, 'below'), '/proc/canvass']) {
    await expect(startEmbeddedDynamodb({ dataFolder })).rejects.toMatchObject({
      code: 'folder_unwritable',
      message: expect.stringContaining(dataFolder),
    });
  }
});

test('locks the folder for one instance at a time', async () => {
  const dataFolder = temporaryFolder();
  const first = await start({ dataFolder });
  await expect(startEmbeddedDynamodb({ dataFolder })).rejects.toMatchObject({ code: 'folder_in_use' });
  await first.stop();
  await start({ dataFolder });
});

test('reports an invalid database file, and releases the folder', async () => {
  const dataFolder = temporaryFolder();
  const file = join(dataFolder, 'dynamodb.db');
  await (await start({ dataFolder })).stop();
  writeFileSync(join(dataFolder, 'secrets.json'), '{}');
  const sound = readFileSync(file);
  const noisy = Buffer.from(sound).fill(0xa5, 4_096, 12_288);
  const attempt = () => startEmbeddedDynamodb({ dataFolder });
  for (const damaged of ['no database at all'.repeat(200), noisy, '']) {
    writeFileSync(file, damaged);
    await expect(attempt()).rejects.toMatchObject({
      code: 'database_unusable',
      message: expect.stringContaining('Restore a copy of the whole folder'),
    });
  }
  writeFileSync(file, sound);
  await start({ dataFolder });
});

test.each([
  ['the binary is missing', ['/nowhere/dynoxide']],
  ['the binary is not executable', ['/dev/null']],
  ['npx cannot download it', ['sh', '-c', 'echo npm error code ENOTFOUND >&2; exit 1']],
])('explains when %s', async (_, command) => {
  const failure = startEmbeddedDynamodb({ dynoxide: { ...findDynoxide(), command } });
  await expect(failure).rejects.toMatchObject({
    code: 'binary_missing',
    message: expect.stringMatching(/^[^\n]*DYNAMODB_ENDPOINT[^\n]*$/),
  });
});

test('kills an emulator that never responds, even if it ignores SIGTERM', async () => {
  const pidFile = join(temporaryFolder(), 'pid');
  const stubborn = leavingPid(pidFile, ['sh', '-c', 'trap "" TERM; exec cat /dev/zero >/dev/null']);
  const failure = startEmbeddedDynamodb({ dynoxide: { ...stubborn, startTimeoutMs: 100 } });
  await expect(failure).rejects.toMatchObject({ code: 'emulator_not_ready' });
  expect(existsSync(pidFile) && isRunning(pidIn(pidFile))).toBe(false);
});

test('tries another port if another process took the first', async () => {
  const marker = join(temporaryFolder(), 'tried');
  const loser = `if [ ! -e '${marker}' ]; then : > '${marker}'; echo 'error: port 1 is already in use' >&2; exit 1; fi; exec "$@"`;
  const command = ['sh', '-c', loser, 'sh', ...findDynoxide().command];
  const { client } = await start({ dynoxide: { ...findDynoxide(), command } });
  expect(existsSync(marker)).toBe(true);
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
});

test('uses a given DYNAMODB_ENDPOINT, starts nothing, and leaves it running', async () => {
  const running = await start();
  const { endpoint, description, stop } = await startEmbeddedDynamodb({
    endpoint: running.endpoint,
    dynoxide: { ...findDynoxide(), command: ['/nowhere/dynoxide'] },
  });
  expect(endpoint).toBe(running.endpoint);
  expect(description).toContain('DYNAMODB_ENDPOINT');
  await stop();
  expect(await isListening(endpoint)).toBe(true);
});

test('reports a DYNAMODB_ENDPOINT that does not respond', async () => {
  const gone = await start();
  await gone.stop();
  await expect(
    startEmbeddedDynamodb({ endpoint: gone.endpoint, endpointTimeoutMs: 50 }),
  ).rejects.toMatchObject({
    code: 'emulator_not_ready',
    message: expect.stringContaining(gone.endpoint),
  });
});
