import { PassThrough, Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Deployment } from '../../bin/admin/deployment.ts';
import { runAdmin } from '../../bin/admin/program.ts';
import { writePrivateFile } from '../../local/data-folder.ts';
import { secretsFile } from '../../local/local-secrets.ts';
import { DEFAULT_KEY_ABBREVIATION } from '../../shared/crypto/access-key.ts';
import { formatTokenRing } from '../../shared/crypto/token-ring.ts';
import { TEST_SHARDS } from './fixtures/seed-answers.ts';
import type { TestClock } from './service/test-clock.ts';
import { TEST_HASH_SECRET, TEST_TOKEN_KEY } from './service/test-secrets.ts';
import type { TestTable } from './service/test-table.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a command that fails and prints this problem, or one that matches. */
export const failed = (status: number, problem: string | RegExp): Ended => ({
  status,
  stdout: '',
  stderr: typeof problem === 'string' ? `error: ${problem}\n` : expect.stringMatching(problem),
});

type Streams = Parameters<typeof runAdmin>[1];
type Brought = Parameters<typeof runAdmin>[2];

function keepingStream(failing?: NodeJS.ErrnoException) {
  let kept = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (failing === undefined) kept += chunk;
      done(failing);
    },
  });
  return { stream, read: () => kept };
}

/** If `typed` is given, stdin and stdout are a terminal. */
export function captureStreams(typed?: string, failing?: NodeJS.ErrnoException) {
  const tty = typed === undefined ? {} : { isTTY: true };
  const stdin = Object.assign(new PassThrough(), tty);
  const stdout = keepingStream(failing);
  const stderr = keepingStream();
  Object.assign(stdout.stream, tty);
  stdin.end(typed);
  return {
    streams: { stdin, stdout: stdout.stream, stderr: stderr.stream } as unknown as Streams,
    written: () => ({ stdout: stdout.read(), stderr: stderr.read() }),
  };
}

export async function runInProcess(
  args: readonly string[],
  brought?: Brought,
  failing?: NodeJS.ErrnoException,
): Promise<Ended> {
  const { streams, written } = captureStreams(undefined, failing);
  const status = await runAdmin(args, streams, brought);
  return { status, ...written() };
}

const STORED_SECRETS = {
  hashSecret: Buffer.from(TEST_HASH_SECRET).toString(),
  tokenRing: formatTokenRing([TEST_TOKEN_KEY]),
};

export function folderWithSecrets(): string {
  const folder = temporaryFolder();
  writePrivateFile(secretsFile(folder), JSON.stringify(STORED_SECRETS));
  return folder;
}

interface Place {
  readonly table: TestTable;
  readonly clock: TestClock;
}

interface Replaced {
  readonly client?: TestTable['client'];
  /** Keeps secrets between commands. */
  readonly folder?: string;
  readonly url?: string;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

export function bringPlace(
  { table, clock }: Place,
  { client = table.client, folder, url, sleep }: Replaced = {},
) {
  const open = async (): Promise<Deployment> => ({
    client,
    tableName: table.tableName,
    erasureLogTableName: table.erasureLogTableName,
    shards: TEST_SHARDS,
    keyAbbreviation: DEFAULT_KEY_ABBREVIATION,
    origin: { kind: 'local', folder: folder ?? folderWithSecrets(), cacheLifetimeMs: 0, url },
    close: async () => undefined,
  });
  return { open, now: clock.now, ...(sleep && { sleep }) };
}

export interface AdminCli {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any command; tests read its fields.
  json(...args: string[]): Promise<any>;
  run(...args: string[]): Promise<Ended>;
}

export function createAdminCli(place: Place, replaced?: Replaced): AdminCli {
  const run = (...args: string[]) => runInProcess(args, bringPlace(place, replaced));
  return {
    run,
    async json(...args) {
      const { status, stdout, stderr } = await run(...args, '--json');
      if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
