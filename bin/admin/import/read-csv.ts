/** Reads a CSV file line by line, however large it is. */

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { misuse } from '../admin-error.ts';
import { printable } from '../terminal.ts';

export interface CsvRecord {
  /** Where the record begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Bytes of the file read so far. */
  readonly bytes: number;
}

const DELIMITERS = [',', ';', '\t'] as const;
const FIRST_LINE_BYTES = 65_536;

/** The delimiter of which the first line has most: spreadsheets of many countries write semicolons. */
function guessDelimiter(file: string): string {
  const start = Buffer.alloc(FIRST_LINE_BYTES);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, start);
  closeSync(descriptor);
  const [line = ''] = start
    .toString('utf8', 0, length)
    .replaceAll(/"[^"]*"/g, '')
    .split('\n');
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Bytes of the file. @throws AdminError with exit status 2 when there is none to read */
export function sizeOfFile(file: string): number {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return stats.size;
  } catch {
    throw misuse(`There is no file ${printable(file)}.`);
  }
  throw misuse(`${printable(file)} is no file.`);
}

/**
 * The records of a file, the header first; blank lines are left out.
 * @throws AdminError with exit status 2 that names the line, where the file is not CSV
 */
export async function* readCsv(file: string): AsyncGenerator<CsvRecord> {
  const source = createReadStream(file);
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter: guessDelimiter(file),
      info: true,
      relax_column_count: true,
      max_record_size: 1_000_000,
    }),
  );
  source.once('error', (error) => parser.destroy(error));
  let previous = 0;
  try {
    for await (const { record, info } of parser) {
      const isBlank = record.length === 1 && record[0].trim() === '';
      if (!isBlank) yield { line: previous + 1, cells: record, bytes: source.bytesRead };
      previous = info.lines;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw misuse(`${file}: not CSV from line ${previous + 1} on: ${printable(error.message)}`);
  } finally {
    source.destroy();
  }
}
