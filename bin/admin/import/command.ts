import { type Command, InvalidArgumentError, Option } from 'commander';
import { imports } from '../../../functions/runtime/parts/answers.ts';
import type { ImportOutcome } from '../../../shared/data/answers/import-store.ts';
import { inFlight } from '../../../shared/data/table/retry.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import {
  IMPORT_FIELDS,
  type ImportColumns,
  type ImportField,
  importColumns,
} from '../../../shared/domain/import/import-columns.ts';
import { type DateOrder, type ImportedRow, importedRow } from '../../../shared/domain/import/import-row.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { failure, misuse } from '../admin-error.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { printable } from '../terminal.ts';
import { type CsvRecord, readCsv, sizeOfFile } from './read-csv.ts';

type ChosenColumns = Readonly<Partial<Record<ImportField, string>>>;

interface ImportFlags {
  readonly project: string;
  readonly survey: string;
  readonly file: string;
  readonly column?: ChosenColumns;
  readonly dates?: DateOrder;
  readonly json?: boolean;
}

const MOST_REJECTED_SHOWN = 20;

function parseColumn(text: string, before: ChosenColumns = {}): ChosenColumns {
  const [, name, heading] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const field = IMPORT_FIELDS.find((known) => known === name);
  if (field === undefined || heading === undefined) {
    throw new InvalidArgumentError(`Write FIELD=HEADING. The fields are ${IMPORT_FIELDS.join(', ')}.`);
  }
  return { ...before, [field]: heading };
}

async function importAnswers(session: Session, flags: ImportFlags): Promise<Report> {
  const { now, terminal } = session;
  const { project: projectId, survey: slug } = flags;
  const readSurvey = async () => namedSurvey(await session.record(projectId), slug);
  const { project } = await session.record(projectId);
  if (project.probe === true)
    throw failure('The probe project accepts no imports, because its answers are not kept.');
  const survey = await readSurvey();
  let settings = await session.settings(projectId);
  const { redact } = project;
  const target = { projectId, surveyId: survey.id, isBeside: survey.repeat === 'observation', redact };
  const result = await importFile({
    file: flags.file,
    surveyType: survey.content.type,
    columns: flags.column ?? {},
    dateOrder: flags.dates,
    now,
    store: (row) => {
      const first = completeFrom(settings, survey.id, now());
      return imports(session.service).store({ ...target, completeFrom: first }, row, now());
    },
    assertNotPurged: async () => {
      const { id } = await readSurvey();
      settings = await session.settings(projectId);
      if (id !== survey.id) throw failure(`The survey ${slug} is being purged. The import stopped.`);
    },
    onProgress: terminal.progress.show,
  }).finally(terminal.progress.clear);

  const { imported, skipped, expired, rejected, redacted } = result;
  const shown = rejected.slice(0, MOST_REJECTED_SHOWN).map(({ line, message }) => `line ${line} ${message}`);
  if (rejected.length > shown.length)
    shown.push(`and ${rejected.length - shown.length} more (use --json to see all)`);
  const ofThem = redacted === 0 ? '' : ` (${redacted} redacted)`;
  const gone = expired === 0 ? '' : `${expired} past their retention period, `;
  const summary = `${imported} imported${ofThem}, ${skipped} skipped (duplicates or erased people), ${gone}${rejected.length} rejected.`;
  return { json: result, text: [summary, ...shown].join('\n') };
}

export function addImportCommand(program: Command, perform: Perform): void {
  const command = program
    .command('import')
    .description('import answers from a CSV file; answers that were imported before are skipped')
    .option(
      '--column <field=heading>',
      'maps a column whose heading is not recognized; repeatable',
      parseColumn,
    )
    .addOption(
      new Option('--dates <order>', 'order of day and month in dates such as 03/04/2026').choices([
        'mdy',
        'dmy',
      ]),
    );
  requireProject(
    command,
    new Option('--survey <slug>', 'slug of the survey that people answered'),
    new Option('-f, --file <file>', 'the CSV file'),
  ).action(perform(importAnswers));
}

interface ImportSettings {
  readonly file: string;
  readonly surveyType: SurveyType;
  readonly columns: ChosenColumns;
  readonly dateOrder?: DateOrder | undefined;
  readonly now: () => number;
  readonly store: (row: ImportedRow) => Promise<ImportOutcome>;
  /** Throws when the survey or project is being purged. */
  readonly assertNotPurged: () => Promise<void>;
  readonly onProgress: (done: number, text: string) => void;
}

const BATCH = 500;
const IN_FLIGHT = 25;

/** A purge waits far longer than this before its first sweep. */
const PURGE_CHECK_MS = 10 * SECOND;

/** Qualtrics adds two header rows: one with questions, one with JSON. */
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

async function check(file: string, chosen: ChosenColumns): Promise<ImportColumns> {
  const { header, rows } = await open(file);
  const columns = importColumns(header.cells, chosen);
  if ('problem' in columns) throw misuse(`${file}: ${printable(columns.problem)}.`);
  // The whole file must be readable before anything is stored.
  for await (const _ of rows());
  return columns;
}

/** @throws AdminError with exit status 2 if the file is unusable; nothing has been imported then */
export async function importFile(settings: ImportSettings) {
  const { file, surveyType, dateOrder, now, store, assertNotPurged, onProgress } = settings;
  const size = sizeOfFile(file);
  const columns = await check(file, settings.columns);
  // Duplicates and answers of erased people are skipped. Expired answers count for quiet periods but are not stored.
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
