/** JSON lines for the platform's log, metrics in them. Never carries text, traits, respondent ids, keys or tokens. */

import { type Measures, metricDirectives } from '../../shared/settings/metrics.ts';
import { mappedStack } from './mapped-stack.ts';

export interface LogEntry {
  readonly message: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly projectId?: string;
  readonly status?: number;
  readonly code?: string;
  readonly error?: unknown;
  readonly measures?: Measures;
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
    ...(error.stack !== undefined && { stack: mappedStack(error.stack) }),
    ...(cause !== undefined && { cause }),
  };
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface LoggerOptions {
  /** Where CloudWatch keeps the measures; without one they are fields of the line and nothing more. */
  readonly metricsNamespace?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** @param write takes one line without its end; by default to stdout, where the platform reads */
export function createLogger(
  write: (line: string) => void = writeLine,
  { metricsNamespace, clock = Date.now }: LoggerOptions = {},
): Logger {
  function embedded(measures: Measures) {
    if (metricsNamespace === undefined || Object.keys(measures).length === 0) return {};
    const CloudWatchMetrics = metricDirectives(metricsNamespace, measures);
    return { _aws: { Timestamp: clock(), CloudWatchMetrics } };
  }
  const log = (level: string, { error, measures = {}, ...entry }: LogEntry) =>
    write(
      JSON.stringify({
        // Without one Lambda takes every line for INFO, whatever its level (Lambda, "Setting log levels": JSON logs).
        timestamp: new Date(clock()).toISOString(),
        level,
        ...entry,
        ...measures,
        ...(error !== undefined && { error: describe(error) }),
        ...embedded(measures),
      }),
    );
  return { info: (entry) => log('info', entry), error: (entry) => log('error', entry) };
}
