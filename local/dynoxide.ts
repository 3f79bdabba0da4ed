import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { IS_PACKAGE } from './called-as.ts';
import { sqliteDatabase } from './data-folder.ts';
import { LocalError } from './local-error.ts';

const VERSION = '1.2.1';
const OUTPUT_LIMIT = 4_000;
const ADVICE = `${IS_PACKAGE ? 'Install with optional dependencies' : 'Run "npm ci"'}, or set DYNAMODB_ENDPOINT to a DynamoDB that is already running.`;

export type DynoxideCommand = ReturnType<typeof findDynoxide>;

/** The timeout is long enough for npx to download it. */
export function findDynoxide() {
  try {
    const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
    return { command: [binary], description: `dynoxide ${VERSION} (installed)`, startTimeoutMs: 10_000 };
  } catch {
    const command = ['npx', '--yes', `dynoxide@${VERSION}`];
    return { command, description: `dynoxide ${VERSION} (through npx)`, startTimeoutMs: 120_000 };
  }
}

/**
 * Starts the emulator in its own process group, which protects it from Ctrl-C.
 * @param temporaryFolder deleted if the owner dies
 */
export function startDynoxide([program = '', ...parameters]: readonly string[], temporaryFolder = '') {
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
    /** Resolves with the reason when the emulator ends. */
    ended,
    hasEnded: () => hasEnded,
    /** The last part of stderr. */
    output: () => output,
    /** Kills it and waits for its end. SQLite keeps everything committed. May be called again. */
    async stop() {
      if (child.pid !== undefined && !hasEnded) killGroup(child.pid);
      await ended;
    },
  };
}

/** However this process ends, its pipe is closed. A shell then kills the group and deletes the folder. */
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
    // The process has already ended.
  }
}

const binaryMissing = (cause?: unknown): LocalError =>
  new LocalError('binary_missing', `There is no embedded DynamoDB to start. ${ADVICE}`, { cause });

function describeFailure(status: number | null, output: string): LocalError {
  if (output.includes('npm error')) return binaryMissing(output);
  const reason = (output.trim().split('\n').at(-1) ?? '').replace(/^error: /, '');
  if (/database|sqlite/i.test(reason))
    return new LocalError('database_unusable', `The database file cannot be used: ${reason}`);
  return new LocalError('emulator_failed', `The embedded DynamoDB ended: ${reason || `status ${status}`}`);
}

/** Rewriting the file blocks for about 11 ms per megabyte. Larger files are rewritten only when the service stops. */
const REWRITTEN_WHILE_RUNNING_BYTES = 64 * 1024 * 1024;

/** Opens the database file of a running Dynoxide 1.2.1. */
export function openDatabase(file: string) {
  const database = new (sqliteDatabase())(file, { timeout: 1_000 });
  // Without this index, each write reads all stream records, which takes 7 ms for 40,000 of them.
  database.exec(`
    PRAGMA secure_delete = ON;
    CREATE INDEX IF NOT EXISTS canvass_stream_sequence
      ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`);
  database.exec('PRAGMA busy_timeout = 50');
  let forgotten = '';
  let isLogStale = true;
  /** A killed process may have left erased words behind. */
  let hasErasedWords = true;

  function deleteRecords(tableName: string, sequenceNumber: string): void {
    const upTo = 'table_name = ? AND CAST(sequence_number AS INTEGER) <= CAST(? AS INTEGER)';
    const where = [tableName, sequenceNumber] as const;
    const shrinks = `event_name = 'REMOVE' OR length(new_image) < length(old_image)`;
    const shrunk = database.prepare(`SELECT 1 FROM _stream_records WHERE ${upTo} AND (${shrinks}) LIMIT 1`);
    hasErasedWords ||= shrunk.get(...where) !== undefined;
    // The emulator continues its numbering from the newest record, so that record stays, without content.
    const empty = `UPDATE _stream_records SET keys_json = '{}', new_image = NULL, old_image = NULL`;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.prepare(`${empty} WHERE table_name = ? AND sequence_number = ?`).run(...where);
      database
        .prepare(`DELETE FROM _stream_records WHERE ${upTo} AND sequence_number <> ?`)
        .run(...where, sequenceNumber);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    isLogStale = true;
  }

  function cleanUp(largestBytes: number): void {
    const size = database.prepare(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    );
    if (hasErasedWords && Number(size.get()?.bytes) <= largestBytes) {
      database.exec('VACUUM');
      hasErasedWords = false;
      isLogStale = true;
    }
    if (isLogStale) isLogStale = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
  }

  return {
    /**
     * Deletes stream records. If `isResting`, also removes erased text from the file, which the emulator only unlinks.
     * If something fails, a later call repeats it.
     */
    forget(tableName: string, sequenceNumber: string, isResting: boolean): void {
      try {
        if (forgotten !== sequenceNumber) deleteRecords(tableName, sequenceNumber);
        forgotten = sequenceNumber;
        if (isResting) cleanUp(REWRITTEN_WHILE_RUNNING_BYTES);
      } catch {
        // The emulator is writing, or the disk is full.
      }
    },
    /** Removes erased text. Call after the emulator ended. */
    close(): void {
      try {
        if (forgotten !== '') cleanUp(Number.POSITIVE_INFINITY);
      } catch {
        // The disk is full. The next run removes the text.
      }
      database.close();
    },
  };
}
export type DynoxideDatabase = ReturnType<typeof openDatabase>;
