/** Log lines never contain text, traits, respondent ids, keys or tokens. */

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
  /** Without a namespace, measures are plain log fields. */
  readonly metricsNamespace?: string | undefined;
  readonly watching?: Watching | undefined;
  readonly clock?: () => number;
}

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
        // Without this field Lambda treats every line as INFO (Lambda, "Setting log levels": JSON logs).
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

/** Matches the frames of a stack. Its other lines are messages, which may contain anything. */
const FRAME = /^[ \t]+at .*/gm;

/** The length limit bounds the matching time. */
const PLACE = /(?:file:\/\/)?(\/[^\s():]{1,500}?\.[cm]?js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function readMap(file: string): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file);
  let map: SourceMap | undefined;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // Without a valid source map, the stack trace does not change.
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

/** `--enable-source-maps` would read the map at every cold start (decision 41). */
export function mappedStack(stack: string): string {
  return stack.replace(FRAME, mappedFrame);
}
