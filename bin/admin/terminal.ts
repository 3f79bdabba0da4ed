/** What an operator sees: aligned columns, colour on a terminal only, and one question. */

import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { createProgress, type Progress } from './progress.ts';

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface Terminal {
  /** The result; with `--json` nothing else may go there. */
  print(text: string): void;
  /** Everything else. */
  note(text: string): void;
  bold(text: string): string;
  /** Shows how far something is, from 0 to 1. */
  readonly progress: Progress;
  /** Whether somebody is there to be asked. */
  readonly isInteractive: boolean;
  /** True for `y` or `yes`; anything else, the end of input too, is no. */
  confirm(question: string): Promise<boolean>;
}

export function createTerminal({ stdin, stdout, stderr }: Streams): Terminal {
  const line = (stream: NodeJS.WriteStream) => (text: string) => {
    stream.write(`${text}\n`);
  };
  return {
    print: line(stdout),
    note: line(stderr),
    progress: createProgress(stderr),
    bold: (text) => styleText('bold', text, { stream: stdout }),
    isInteractive: stdin.isTTY === true,
    async confirm(question) {
      const prompt = createInterface({ input: stdin, output: stderr });
      const end = new AbortController();
      prompt.once('close', () => end.abort());
      try {
        const answer = await prompt.question(`${question} [y/N] `, { signal: end.signal });
        return /^y(es)?$/i.test(answer.trim());
      } catch {
        return false;
      } finally {
        prompt.close();
      }
    },
  };
}

const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** Text on one line: what others wrote must not move the cursor. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, ' ');
}

/** Columns as wide as their widest cell, two blanks apart. */
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

/** Names to the left, values to the right. */
export function fields(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`)
    .join('\n');
}
