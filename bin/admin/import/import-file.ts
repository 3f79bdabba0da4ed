import type { ImportOutcome } from '../../../shared/data/answers/import-store.ts';
import { inFlight } from '../../../shared/data/table/retry.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import {
  type ImportColumns,
  type ImportField,
  importColumns,
} from '../../../shared/domain/import/import-columns.ts';
import { type DateOrder, type ImportedRow, importedRow } from '../../../shared/domain/import/import-row.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { misuse } from '../admin-error.ts';
import { printable } from '../terminal.ts';
import { type CsvRecord, readCsv, sizeOfFile } from './read-csv.ts';

export interface ImportSettings {
  readonly file: string;
  readonly surveyType: SurveyType;
  readonly columns: Readonly<Partial<Record<ImportField, string>>>;
  readonly dateOrder?: DateOrder | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly store: (row: ImportedRow) => Promise<ImportOutcome>;
  /** Called at intervals. Throws when the survey or its project is being purged. */
  readonly assertNotPurged: () => Promise<void>;
  readonly onProgress: (done: number, text: string) => void;
}

export interface ImportResult {
  readonly imported: number;
  /** How many imported texts were redacted. */
  readonly redacted: number;
  /** Duplicates, and answers of erased people. */
  readonly skipped: number;
  /** Past their retention period: they count for quiet periods and are not stored. */
  readonly expired: number;
  readonly rejected: readonly { readonly line: number; readonly message: string }[];
}

const BATCH = 500;
const IN_FLIGHT = 25;

/** Far shorter than a purge waits before it sweeps. */
const PURGE_CHECK_MS = 10 * SECOND;

/** Qualtrics files have two more header lines: the questions, and JSON with import ids. */
const isImportIds = ({ cells }: CsvRecord): boolean => cells.some((cell) => cell.startsWith('{"ImportId"'));

async function open(file: string): Promise<{ header: CsvRecord; rows: () => AsyncGenerator<CsvRecord> }> {
  const records = readCsv(file);
  const first: CsvRecord[] = [];
  for (let taken = 0; taken < 3; taken += 1) {
    const { value, done } = await records.next();
    if (done === true) break;
    first.push(value);
  }
  const [header, ...below] = first;
  if (header === undefined) throw misuse(`${file} is empty.`);
  const [, third] = below;
  return {
    header,
    async *rows() {
      if (third === undefined || !isImportIds(third)) yield* below;
      yield* records;
    },
  };
}

/** Checks the whole file before anything is stored. */
async function check(file: string, chosen: ImportSettings['columns']): Promise<ImportColumns> {
  const { header, rows } = await open(file);
  const columns = importColumns(header.cells, chosen);
  if ('problem' in columns) throw misuse(`${file}: ${printable(columns.problem)}.`);
  for await (const _ of rows());
  return columns;
}

/** @throws AdminError with exit status 2, before anything is imported, when the file is unusable */
export async function importFile(settings: ImportSettings): Promise<ImportResult> {
  const { file, surveyType, dateOrder, now, store, assertNotPurged, onProgress } = settings;
  const size = sizeOfFile(file);
  const columns = await check(file, settings.columns);
  const counts = { imported: 0, redacted: 0, skipped: 0, expired: 0 };
  const rejected: { line: number; message: string }[] = [];
  let batch: ImportedRow[] = [];

  let checked = { at: Number.NEGATIVE_INFINITY, result: Promise.resolve() };
  async function storeUnlessPurged(row: ImportedRow): Promise<ImportOutcome> {
    if (now() - checked.at >= PURGE_CHECK_MS) checked = { at: now(), result: assertNotPurged() };
    await checked.result;
    return store(row);
  }

  async function flush(bytes: number): Promise<void> {
    const outcomes = await inFlight(batch, IN_FLIGHT, storeUnlessPurged);
    for (const outcome of outcomes) {
      const isStored = outcome === 'imported' || outcome === 'redacted';
      counts[isStored ? 'imported' : outcome === 'expired' ? 'expired' : 'skipped'] += 1;
      if (outcome === 'redacted') counts.redacted += 1;
    }
    batch = [];
    onProgress(
      bytes / size,
      `${counts.imported} imported, ${counts.skipped} skipped, ${rejected.length} rejected`,
    );
  }

  const { rows } = await open(file);
  let bytes = 0;
  for await (const record of rows()) {
    bytes = record.bytes;
    const row = importedRow(record.cells, columns, { surveyType, dateOrder, now: now() });
    if ('problem' in row) rejected.push({ line: record.line, message: row.problem });
    else batch.push(row);
    if (batch.length === BATCH) await flush(bytes);
  }
  await flush(bytes);
  return { ...counts, rejected };
}
