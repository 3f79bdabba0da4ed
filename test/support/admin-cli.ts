/** The operator's command line as a process of its own, on a table of the test's. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretsFile } from '../../local/local-secrets.ts';
import { writePrivateFile } from '../../local/private-file.ts';
import { noteRunningInstance } from '../../local/running-instance.ts';
import { formatTokenRing } from '../../shared/crypto/token-ring-json.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TEST_HASH_SECRET, TEST_TOKEN_KEY } from './test-secrets.ts';
import type { TestTable } from './test-table.ts';

const ADMIN = fileURLToPath(new URL('../../bin/admin.ts', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the machine's own AWS settings gets in. */
function cleanEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|DYNAMODB_|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(own), AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nonexistent', ...more };
}

export function runAdminCli(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [ADMIN, ...args], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

/** The secrets of every test service, as a data folder keeps them. */
const STORED_SECRETS = {
  hashSecret: Buffer.from(TEST_HASH_SECRET).toString(),
  tokenRing: formatTokenRing([TEST_TOKEN_KEY]),
};

/** A data folder whose instance runs in this process, on the given table. */
export function folderOf({ endpoint, tableName }: TestTable): string {
  const folder = join(temporaryFolder(), '.canvass');
  const url = 'http://localhost:8787';
  noteRunningInstance(folder, { pid: process.pid, url, dynamodbEndpoint: endpoint, tableName });
  writePrivateFile(secretsFile(folder), JSON.stringify(STORED_SECRETS));
  return folder;
}

export interface AdminCli {
  /** Runs a command and expects it to succeed; returns its one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: a document of any command; tests read its fields.
  json(...args: string[]): Promise<any>;
  run(...args: string[]): Promise<Ended>;
}

export function createAdminCli(table: TestTable): AdminCli {
  const place = () => ['--local', '--data', folderOf(table)];
  return {
    run: (...args) => runAdminCli([...args, ...place()]),
    async json(...args) {
      const { status, stdout, stderr } = await runAdminCli([...args, ...place(), '--json']);
      if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
