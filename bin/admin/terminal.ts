import { fstatSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { writeMoment } from '../../pages/results/figures.ts';
import { visible } from '../../shared/domain/escapes.ts';
import { type AdminError, failure } from './admin-error.ts';

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Writable;
  readonly stderr: NodeJS.WriteStream;
}

/** Readers such as `head` stop before the end of the output. */
export function unwritten(error: Error): AdminError | undefined {
  if ('code' in error && error.code === 'EPIPE') return undefined;
  return failure(`The output could not be written: ${error.message}`);
}

interface Progress {
  /** @param done a share from 0 to 1 */
  show(done: number, text: string): void;
  clear(): void;
}

type Ask = (question: string) => Promise<string | undefined>;

export interface Terminal {
  /** With `--json`, stdout contains nothing else. */
  print(text: string): void;
  /** Returns false if the reader has stopped. @throws AdminError if the disk is full */
  write(text: string): Promise<boolean>;
  note(text: string): void;
  bold(text: string): string;
  readonly progress: Progress;
  readonly isInteractive: boolean;
  confirm(question: string): Promise<boolean>;
  /** An answer is undefined if the input ended. */
  converse<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
}

export function createTerminal({ stdin, stdout, stderr }: Streams, now: () => number): Terminal {
  const shown = shownOn(stdout);
  const write = (text: string) =>
    new Promise<boolean>((resolve, reject) => {
      stdout.write(shown(text), (error) => {
        const problem = error ? unwritten(error) : undefined;
        if (problem === undefined) resolve(!error);
        else reject(problem);
      });
    });
  async function converse<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    const prompt = createInterface({ input: stdin, output: stderr });
    const lines = prompt[Symbol.asyncIterator]();
    let isClosed = false;
    prompt.once('close', () => {
      isClosed = true;
    });
    try {
      return await work(async (question) => {
        prompt.setPrompt(question);
        // Lines that arrived before the input ended can still be read.
        if (isClosed) stderr.write(question);
        else prompt.prompt();
        const { value } = await lines.next();
        return value?.trim();
      });
    } finally {
      prompt.close();
    }
  }
  return {
    print: (text) => void stdout.write(`${outsideOf(BOLD, text, shown)}\n`),
    write,
    note: (text) => void stderr.write(`${shownOn(stderr)(text)}\n`),
    progress: createProgress(stderr, now),
    bold: (text) => styleText('bold', text, { stream: stdout }),
    isInteractive: stdin.isTTY === true,
    converse,
    confirm: (question) => converse(async (ask) => /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? '')),
  };
}

/** In files and pipes, control characters remain unchanged. */
export const shownOn =
  (stream: Writable & { readonly isTTY?: boolean }) =>
  (text: string): string =>
    stream.isTTY === true ? visible(text) : text;

const BOLD = ['\u001b[1m', '\u001b[22m'];

function outsideOf([mark, ...others]: readonly string[], text: string, change: typeof visible): string {
  if (mark === undefined) return change(text);
  return text
    .split(mark)
    .map((part) => outsideOf(others, part, change))
    .join(mark);
}

const BAR_WIDTH = 30;
const BAR_INTERVAL_MS = 100;

function createProgress(stream: NodeJS.WriteStream, now: () => number): Progress {
  if (stream.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(done, text) {
      if (now() - shownAt < BAR_INTERVAL_MS) return;
      shownAt = now();
      const filled = Math.round(Math.min(1, done) * BAR_WIDTH);
      const bar = '#'.repeat(filled) + '.'.repeat(BAR_WIDTH - filled);
      stream.write(`\r\x1b[K[${bar}] ${String(Math.floor(done * 100)).padStart(3)}%  ${text}`);
    },
    clear() {
      stream.write('\r\x1b[K');
    },
  };
}

export const timeText = (iso: string | null | undefined): string => (iso ? writeMoment(Date.parse(iso)) : '');

export const printable = (text: string): string => visible(text.replace(/(?:\r?\n|\t)+/g, ' '));

export function columns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { bold }: Pick<Terminal, 'bold'>,
): string {
  const cells = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [heading = '', ...lines] = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [bold(heading), ...lines].join('\n');
}

export function fields(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`)
    .join('\n');
}

/**
 * Node's stream to a file ignores short writes, so a full disk would truncate output silently
 * (lib/internal/fs/sync_write_stream.js of Node 24).
 */
export function standardOutput(): Writable {
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFile()) return process.stdout;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeFileSync(fd, chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
