/** The embedded DynamoDB as a process that cannot outlive this one. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { IS_PACKAGE } from './called-as.ts';
import { LocalError } from './local-error.ts';

const VERSION = '1.2.1';
/** How much of what it wrote to stderr is kept, in characters, the newest. */
const OUTPUT_LIMIT = 4_000;
const ADVICE = `${IS_PACKAGE ? 'Install with optional dependencies' : 'Run "npm ci"'}, or set DYNAMODB_ENDPOINT to a DynamoDB that is already running.`;

export interface DynoxideCommand {
  /** Program and leading arguments. */
  readonly command: readonly string[];
  /** For the person at the terminal: where the program comes from. */
  readonly description: string;
  /** How long it may take until it answers, in milliseconds; npx may have to download first. */
  readonly startTimeoutMs: number;
}

/** The installed binary where there is one for this platform, else npx, which downloads it. */
export function findDynoxide(): DynoxideCommand {
  try {
    const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
    return { command: [binary], description: `dynoxide ${VERSION} (installed)`, startTimeoutMs: 10_000 };
  } catch {
    const command = ['npx', '--yes', `dynoxide@${VERSION}`];
    return { command, description: `dynoxide ${VERSION} (through npx)`, startTimeoutMs: 120_000 };
  }
}

export interface DynoxideProcess {
  /** Settles when it has ended, with the reason. */
  readonly ended: Promise<LocalError>;
  readonly hasEnded: () => boolean;
  /** The last few thousand characters of what it wrote to stderr. */
  readonly output: () => string;
  /** Kills it and waits until it has ended: SQLite loses nothing committed. Calling it again is harmless. */
  stop(): Promise<void>;
}

/**
 * Starts a command in a process group of its own, so that Ctrl-C in the terminal does not end it before its owner has
 * finished with it.
 * @param temporaryFolder removed when the owner is gone before it could remove it
 */
export function startDynoxide(
  [program = '', ...parameters]: readonly string[],
  temporaryFolder = '',
): DynoxideProcess {
  const child = spawn(program, parameters, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const watch = child.pid === undefined ? undefined : killWithOwner(child.pid, temporaryFolder);
  let output = '';
  let hasEnded = false;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-OUTPUT_LIMIT);
  });
  const ended = new Promise<LocalError>((resolve) => {
    const end = (error: LocalError) => {
      hasEnded = true;
      watch?.kill('SIGKILL');
      resolve(error);
    };
    child.once('error', (cause) => end(binaryMissing(cause)));
    child.once('close', (status) => end(describeFailure(status, output)));
  });
  return {
    ended,
    hasEnded: () => hasEnded,
    output: () => output,
    async stop() {
      if (child.pid !== undefined && !hasEnded) killGroup(child.pid);
      await ended;
    },
  };
}

/**
 * A shell that waits at the reading end of a pipe whose writing end is ours: end-of-file means that we are gone, however
 * we ended, and then it kills the process group and removes what is temporary.
 */
function killWithOwner(pid: number, temporaryFolder: string): ChildProcess {
  const script = 'read -r _; kill -s KILL -- "-$1"; test -z "$2" || rm -rf -- "$2"';
  const shell = spawn('sh', ['-c', script, 'sh', String(pid), temporaryFolder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return shell.once('error', () => killGroup(pid));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

const binaryMissing = (cause?: unknown): LocalError =>
  new LocalError('binary_missing', `There is no embedded DynamoDB to start. ${ADVICE}`, { cause });

/** Names the reason from its exit status (null when it was killed) and what it wrote to stderr. */
function describeFailure(status: number | null, output: string): LocalError {
  if (output.includes('npm error')) return binaryMissing(output);
  const reason = (output.trim().split('\n').at(-1) ?? '').replace(/^error: /, '');
  if (/database|sqlite/i.test(reason))
    return new LocalError('database_unusable', `The database file cannot be used: ${reason}`);
  return new LocalError('emulator_failed', `The embedded DynamoDB ended: ${reason || `status ${status}`}`);
}
