import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { WalkPosition, WalkStep } from '../../shared/data/answers/answer-walk.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { PAYLOAD_LIMIT_BYTES, type RawReply } from '../runtime/pipeline.ts';
import { dismissalRow, responseRow, showRow } from './export-row.ts';

/** Status, headers and punctuation around the body. */
const ENVELOPE_BYTES = 2_048;
const BODY_LIMIT_BYTES = PAYLOAD_LIMIT_BYTES - ENVELOPE_BYTES;
const GZIP_LIMIT_BYTES = Math.floor(BODY_LIMIT_BYTES / 4) * 3;

const HEADERS = { 'content-type': 'application/json', vary: 'accept-encoding' } as const;

export interface ExportBody {
  write(json: string): Promise<boolean>;
  end(): Promise<RawReply | undefined>;
}

const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - '""'.length;

export function createPlainBody(): ExportBody {
  const pieces: string[] = [];
  let bytes = 0;
  return {
    async write(json) {
      pieces.push(json);
      bytes += escapedBytes(json);
      return bytes <= BODY_LIMIT_BYTES;
    },
    async end() {
      return bytes <= BODY_LIMIT_BYTES ? { raw: pieces.join(''), headers: HEADERS } : undefined;
    },
  };
}

export function createGzipBody(): ExportBody {
  const gzip = createGzip();
  const compressed: Buffer[] = [];
  let bytes = 0;
  gzip.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= GZIP_LIMIT_BYTES) compressed.push(chunk);
  });
  return {
    async write(json) {
      if (!gzip.write(json)) await once(gzip, 'drain');
      return bytes <= GZIP_LIMIT_BYTES;
    },
    async end() {
      gzip.end();
      await once(gzip, 'end');
      if (bytes > GZIP_LIMIT_BYTES) return undefined;
      const raw = Buffer.concat(compressed).toString('base64');
      return { raw, headers: { ...HEADERS, 'content-encoding': 'gzip' }, isBase64Encoded: true };
    },
  };
}

interface ExportHead {
  readonly projectId: string;
  readonly exportedAt: string;
  readonly completeFrom?: Readonly<Record<string, string>>;
}

interface ExportOptions {
  readonly head: ExportHead;
  readonly surveys: ReadonlyMap<string, Survey>;
  readonly body: ExportBody;
  readonly withShows: boolean;
  readonly isOutOfTime: () => boolean;
}

export interface WrittenExport {
  readonly reply: RawReply | Refusal;
  readonly rows: number;
}

/** Leaves room for one more row within 6 MB, however its characters are escaped. */
const PAGE_TEXT_CHARACTERS = 1_500_000;

/**
 * Dismissals stay in memory until the responses are written. Larger exports never fit: each dismissal has a random id
 * of 32 bytes, which does not compress, and 6 MB of base64 hold 4.5 MB.
 */
const MOST_DISMISSALS = 140_000;

const showsText = (shows: readonly string[], { withShows }: ExportOptions): string =>
  withShows ? `,"shows":[${shows.join(',')}]` : '';

const tooLarge = (): Refusal =>
  refuse('export_too_large', { issues: [{ path: 'limit', message: 'set it to export page by page' }] });

export async function writeWhole(
  walked: AsyncIterable<WalkStep>,
  options: ExportOptions,
): Promise<WrittenExport> {
  const { head, surveys, body, isOutOfTime } = options;
  const refused = { reply: tooLarge(), rows: 1 };
  const dismissals: string[] = [];
  const told: string[] = [];
  let count = 0;
  await body.write(`${JSON.stringify(head).slice(0, -1)},"responses":[`);
  for await (const { answer, shows = [] } of walked) {
    if (isOutOfTime()) return refused;
    told.push(...shows.map((show) => JSON.stringify(showRow(show, surveys))));
    if (answer === undefined) continue;
    if (answer.kind === 'dismissal') {
      if (dismissals.length === MOST_DISMISSALS) return refused;
      dismissals.push(JSON.stringify(dismissalRow(answer, surveys)));
      continue;
    }
    const row = JSON.stringify(responseRow(answer, surveys, options.withShows));
    if (!(await body.write(count === 0 ? row : `,${row}`))) return refused;
    count += 1;
  }
  await body.write(`],"dismissals":[${dismissals.join(',')}]${showsText(told, options)},"count":${count}}`);
  const reply = await body.end();
  return reply === undefined ? refused : { reply, rows: count + dismissals.length };
}

export async function writePage(
  walked: AsyncIterable<WalkStep>,
  options: ExportOptions,
  limit: number,
  seal: (position: WalkPosition) => string,
): Promise<WrittenExport> {
  const { head, surveys, body, isOutOfTime } = options;
  const told: string[] = [];
  const responses: string[] = [];
  const dismissals: string[] = [];
  let characters = 0;
  let last: WalkPosition | undefined;
  let more = false;
  for await (const { answer, shows = [], position } of walked) {
    more = last !== undefined && isOutOfTime();
    if (more) break;
    if (answer !== undefined) {
      more = responses.length + dismissals.length >= limit || characters >= PAGE_TEXT_CHARACTERS;
      if (more) break;
      const isDismissal = answer.kind === 'dismissal';
      const text = JSON.stringify(
        isDismissal ? dismissalRow(answer, surveys) : responseRow(answer, surveys, options.withShows),
      );
      (isDismissal ? dismissals : responses).push(text);
      characters += text.length;
    }
    told.push(...shows.map((show) => JSON.stringify(showRow(show, surveys))));
    last = position;
  }
  const nextCursor = more && last !== undefined ? seal(last) : undefined;
  await body.write(
    `${JSON.stringify({ ...head, count: responses.length, nextCursor }).slice(0, -1)},"responses":[${responses.join(',')}],"dismissals":[${dismissals.join(',')}]${showsText(told, options)}}`,
  );
  const reply = await body.end();
  return { reply: reply ?? tooLarge(), rows: responses.length + dismissals.length };
}
