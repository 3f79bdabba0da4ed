import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CsvError, parse } from 'csv-parse';
import { withoutGuard } from '../../../pages/results/write-csv.ts';
import { isOwnExport } from '../../../shared/domain/import/import-columns.ts';
import { misuse } from '../admin-error.ts';
import { printable } from '../terminal.ts';

export interface FileRecord {
  /** The number of the record's first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly bytes: number;
  /** Present on a header to which later lines can add cells. */
  readonly grows?: true;
}

const DELIMITERS = [',', ';', '\t'] as const;
const FIRST_LINE_BYTES = 65_536;

const unreadable = (file: string, reason: string) => misuse(`${printable(file)} cannot be read: ${reason}.`);

async function readStart(file: string): Promise<Buffer> {
  try {
    return await buffer(createReadStream(file, { end: FIRST_LINE_BYTES - 1 }));
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

/** The line with which Excel names the delimiter of a file. */
const SEPARATOR = /^"?sep=(\\t|[^"\r\n])"?[,;\t ]*(?:\r\n?|\n|$)/i;

function optionsFor(start: string) {
  // JSON escapes this delimiter, so a record is a line.
  if (start.trimStart().startsWith('{'))
    return { isJson: true, parsing: { delimiter: '\u001f', quote: null, escape: null } };
  const named = SEPARATOR.exec(start)?.[1];
  if (named === undefined) return { isJson: false, parsing: { delimiter: guessDelimiter(start) } };
  const delimiter = named === '\\t' ? '\t' : named;
  // The line may end in another way than the lines of the table.
  return { isJson: false, parsing: { delimiter, from_line: 2, record_delimiter: ['\r\n', '\n', '\r'] } };
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

/** Skips blank lines. @throws AdminError */
async function* readLines(
  file: string,
  encoding: string,
  { isJson, parsing }: ReturnType<typeof optionsFor>,
): AsyncGenerator<FileRecord> {
  const source = createReadStream(file);
  const parser = parse({ ...parsing, info: true, relax_column_count: true, max_record_size: 1_000_000 });
  // An error ends the parser, and with it the loop below.
  pipeline(
    source,
    (bytes) => decode(bytes, encoding),
    parser,
    () => undefined,
  );
  let previous = (parsing.from_line ?? 1) - 1;
  try {
    for await (const { record, info } of parser) {
      const isBlank = record.length === 1 && record[0].trim() === '';
      if (!isBlank) yield { line: previous + 1, cells: record, bytes: source.bytesRead };
      previous = info.lines;
    }
  } catch (error) {
    if (isNoText(error)) throw unreadable(file, 'it is not UTF-8 text');
    if (!(error instanceof CsvError)) throw error;
    const format = isJson ? 'JSON lines' : 'CSV';
    throw misuse(`${file} is not valid ${format} from line ${previous + 1} on: ${printable(error.message)}`);
  } finally {
    source.destroy();
  }
}

function parseLine(
  file: string,
  { line, cells: [text = ''] }: FileRecord,
): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw misuse(`${file} is not valid JSON lines: line ${line} is not a JSON object.`);
}

function cellOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value ?? '');
}

const FIRST_LINES = 1_000;
const FIRST_CELLS_BYTES = 1_048_576;

/**
 * Reads CSV or JSON lines. Yields the header first. The header of JSON lines has the keys of the first lines, and grows
 * by keys that later lines add.
 * @param keys the first keys of a header of JSON lines
 * @throws AdminError
 */
export async function* readRecords(file: string, keys: readonly string[] = []): AsyncGenerator<FileRecord> {
  const start = await readStart(file);
  const encoding = encodingOf(start);
  const options = optionsFor(new TextDecoder(encoding).decode(start));
  const lines = readLines(file, encoding, options);
  if (options.isJson) {
    const header = [...keys];
    const known = new Set(keys);
    const cellsOf = (each: FileRecord): FileRecord => {
      const values = parseLine(file, each);
      for (const key of Object.keys(values)) if (!known.has(key)) header.push(key);
      for (const key of header) known.add(key);
      return { ...each, cells: header.map((key) => cellOf(values[key])) };
    };
    const first: FileRecord[] = [];
    for (let bytes = 0; first.length < FIRST_LINES && bytes < FIRST_CELLS_BYTES; ) {
      const { value, done } = await lines.next();
      if (done === true) break;
      bytes += value.cells[0]?.length ?? 0;
      first.push(cellsOf(value));
    }
    yield { line: 1, cells: header, bytes: 0, grows: true };
    yield* first;
    for await (const each of lines) yield cellsOf(each);
    return;
  }
  let isGuarded: boolean | undefined;
  for await (const { cells, ...place } of lines) {
    isGuarded ??= isOwnExport(cells);
    yield { ...place, cells: isGuarded ? cells.map(withoutGuard) : cells };
  }
}
