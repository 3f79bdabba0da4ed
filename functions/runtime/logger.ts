/** JSON lines for the platform's log. Never carries text, traits, respondent ids, keys or tokens. */

export interface LogEntry {
  readonly message: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly projectId?: string;
  readonly status?: number;
  readonly code?: string;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

export interface Logger {
  info(entry: LogEntry): void;
  error(entry: LogEntry): void;
}

/** An error as a log line tells it: the SDK's own fields, but nothing of the request that failed. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause === undefined ? undefined : describe(error.cause);
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(cause !== undefined && { cause }),
  };
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @param write takes one line without its end; by default to stdout, where the platform reads */
export function createLogger(write: (line: string) => void = writeLine): Logger {
  const log = (level: string, { error, ...entry }: LogEntry) =>
    write(JSON.stringify({ level, ...entry, ...(error !== undefined && { error: describe(error) }) }));
  return { info: (entry) => log('info', entry), error: (entry) => log('error', entry) };
}
