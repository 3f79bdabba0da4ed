/** JSON lines for the platform's log, metrics in them. Never carries text, traits, respondent ids, keys or tokens. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import {
  type Measures,
  metricDirectives,
  WATCHING_ALL,
  type Watching,
} from '../../shared/settings/metrics.ts';

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
  readonly watching?: Watching | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** @param write takes one line without its end; by default to stdout, where the platform reads */
export function createLogger(
  write: (line: string) => void = writeLine,
  { metricsNamespace, watching = WATCHING_ALL, clock = Date.now }: LoggerOptions = {},
): Logger {
  function embedded(measures: Measures, line: Pick<LogEntry, 'route' | 'code'>) {
    if (metricsNamespace === undefined) return {};
    const CloudWatchMetrics = metricDirectives(measures, { namespace: metricsNamespace, watching, line });
    return CloudWatchMetrics.length === 0 ? {} : { _aws: { Timestamp: clock(), CloudWatchMetrics } };
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
        ...embedded(measures, entry),
      }),
    );
  return { info: (entry) => log('info', entry), error: (entry) => log('error', entry) };
}

/** A line of a trace that is a frame; the others are messages, which may hold anything. */
const FRAME = /^[ \t]+at .*/gm;

/** File, line and column of a frame; only bundles are JavaScript. Bounded, as is the time that a long line takes. */
const PLACE = /(?:file:\/\/)?(\/[^\s():]{1,500}?\.[cm]?js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function readMap(file: string): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file);
  let map: SourceMap | undefined;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // Without a map, or with one that is broken, the trace stays as it is.
  }
  maps.set(file, map);
  return map;
}

function mappedFrame(frame: string): string {
  return frame.replace(PLACE, (place, file: string, line: string, column: string) => {
    const origin = readMap(file)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.?\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/**
 * The trace with every place in a bundle that has a map replaced by the place in the source, from the repository's root.
 * The map is read when the first error is logged: Node's own `--enable-source-maps` reads it at every cold start
 * (decision 41).
 */
export function mappedStack(stack: string): string {
  return stack.replace(FRAME, mappedFrame);
}
