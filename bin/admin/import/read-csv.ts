import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { misuse } from '../admin-error.ts';
import { printable } from '../terminal.ts';

export interface CsvRecord {
  /** The number of the record's first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly bytes: number;
}

const DELIMITERS = [',', ';', '\t'] as const;
const FIRST_LINE_BYTES = 65_536;

const unreadable = (file: string, reason: string) => misuse(`${printable(file)} cannot be read: ${reason}.`);

function readStart(file: string): Buffer {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const start = Buffer.alloc(FIRST_LINE_BYTES);
      return start.subarray(0, readSync(descriptor, start));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

/** UTF-16 is detected only with a byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** In many countries, spreadsheets are saved with semicolons. */
function guessDelimiter(start: string): string {
  const [line = ''] = start.replaceAll(/"[^"]*"/g, '').split('\n');
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** @throws TypeError for invalid bytes */
async function* decode(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const isNoText = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';

export function sizeOfFile(file: string): number {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return stats.size;
  } catch {
    throw misuse(`There is no file ${printable(file)}.`);
  }
  throw misuse(`${printable(file)} is not a file.`);
}

/** Yields the header first and skips blank lines. @throws AdminError */
export async function* readCsv(file: string): AsyncGenerator<CsvRecord> {
  const start = readStart(file);
  const encoding = encodingOf(start);
  const source = createReadStream(file);
  const parser = parse({
    delimiter: guessDelimiter(new TextDecoder(encoding).decode(start)),
    info: true,
    relax_column_count: true,
    max_record_size: 1_000_000,
  });
  // An error ends the parser, and with it the loop below.
  pipeline(
    source,
    (bytes) => decode(bytes, encoding),
    parser,
    () => undefined,
  );
  let previous = 0;
  try {
    for await (const { record, info } of parser) {
      const isBlank = record.length === 1 && record[0].trim() === '';
      if (!isBlank) yield { line: previous + 1, cells: record, bytes: source.bytesRead };
      previous = info.lines;
    }
  } catch (error) {
    if (isNoText(error)) throw unreadable(file, 'it is not UTF-8 text');
    if (!(error instanceof CsvError)) throw error;
    throw misuse(`${file} is not valid CSV from line ${previous + 1} on: ${printable(error.message)}`);
  } finally {
    source.destroy();
  }
}
