import { type Command, InvalidArgumentError, Option } from 'commander';
import { imports } from '../../../functions/runtime/parts/answers.ts';
import { formatCount } from '../../../pages/results/figures.ts';
import {
  type ImportedLine,
  type ImportOutcome,
  LINES_AT_ONCE,
} from '../../../shared/data/answers/import-store.ts';
import { chunk, inFlight } from '../../../shared/data/table/retry.ts';
import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import {
  headingsBelow,
  IMPORT_FIELDS,
  type ImportColumns,
  type ImportField,
  importColumns,
  NO_COLUMN,
} from '../../../shared/domain/import/import-columns.ts';
import { createReading, type ImportReading } from '../../../shared/domain/import/import-reading.ts';
import {
  clockOf,
  type DateOrder,
  earlierForms,
  type ImportedRow,
  importedRow,
} from '../../../shared/domain/import/import-row.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import { isBeside } from '../../../shared/domain/surveys/eligibility.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { failure, misuse } from '../admin-error.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { printable } from '../terminal.ts';
import { type FileRecord, readRecords, sizeOfFile } from './read-records.ts';

type ChosenColumns = Readonly<Partial<Record<ImportField, string>>>;

interface ImportFlags {
  readonly project: string;
  readonly survey: string;
  readonly file: string;
  readonly column?: ChosenColumns;
  readonly dates?: DateOrder;
  readonly dryRun?: boolean;
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

const quoted = (heading: string | null): string => (heading === null ? 'none' : `"${printable(heading)}"`);

function describe(
  { columns, unused, rows, untimed, problems, dropped, first, last, zone }: ImportReading,
  skipped: Skipped,
): string {
  const entries = [
    ...Object.entries(columns).map(([field, heading]) => [field, quoted(heading)]),
    ['unused', unused.map(quoted).join(', ') || 'none'],
    ['rows', formatCount(rows)],
    ['times', first === null || last === null ? 'none' : `${first} to ${last}`],
    ...(zone === null ? [] : [['time zone', printable(zone)]]),
    ...(untimed === 0 ? [] : [['without time', `${formatCount(untimed)} (get the time of the import)`]]),
    ...problems.map(({ message, rows: count }) => ['rejected', `${formatCount(count)} (${message})`]),
    ...dropped.map(({ path, rows: count }) => ['dropped', `${printable(path)} (${formatCount(count)} rows)`]),
    ...Object.entries(skipped)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => ['skipped', `${formatCount(count)} (${kind})`]),
  ];
  return entries.map(([name = '', value]) => `${name.padEnd(14)}${value}`).join('\n');
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
  const target = () => ({
    ...{ projectId, surveyId: survey.id, isBeside: isBeside(survey), redact },
    completeFrom: completeFrom(settings, survey.id, now()),
  });
  const onInterrupt = () => {
    terminal.progress.clear();
    terminal.note('Interrupted. To resume the import, run the same command again.');
    process.exit(130);
  };
  process.once('SIGINT', onInterrupt);
  const result = await importFile({
    file: flags.file,
    survey,
    columns: flags.column ?? {},
    dateOrder: flags.dates,
    now,
    isDryRun: flags.dryRun,
    onReading: (reading, skipped) => {
      terminal.progress.clear();
      if (flags.json !== true && flags.dryRun !== true) terminal.note(describe(reading, skipped));
    },
    storeMany: (lines) => imports(session.service).storeMany(target(), lines, now()),
    store: (row, earlier) => imports(session.service).store(target(), row, now(), earlier),
    assertNotPurged: async () => {
      const { id } = await readSurvey();
      settings = await session.settings(projectId);
      if (id !== survey.id) throw failure(`The survey ${slug} is being purged. The import stopped.`);
    },
    onProgress: terminal.progress.show,
  }).finally(() => {
    process.off('SIGINT', onInterrupt);
    terminal.progress.clear();
  });

  const { imported, completed, skipped, expired, rejected, redacted, dismissals, withdrawn, read } = result;
  const shown = rejected.slice(0, MOST_REJECTED_SHOWN).map(({ line, message }) => `line ${line} ${message}`);
  if (rejected.length > shown.length)
    shown.push(`and ${rejected.length - shown.length} more (use --json to see all)`);
  const ofThem = redacted === 0 ? '' : ` (${redacted} redacted)`;
  const gone = expired === 0 ? '' : `${expired} past their retention period, `;
  if (flags.dryRun === true) {
    const text = [describe(read, { dismissals, withdrawn }), ...shown, 'Nothing was imported (--dry-run).'];
    return { json: result, text: text.join('\n') };
  }
  const added = completed === 0 ? '' : `${completed} completed, `;
  const summary = `${imported} imported${ofThem}, ${added}${skipped} skipped (duplicates or erased people), ${gone}${rejected.length} rejected.`;
  return { json: result, text: [summary, ...shown].join('\n') };
}

export function addImportCommand(program: Command, perform: Perform): void {
  const command = program
    .command('import')
    .description('import answers from CSV or JSON lines; answers that were imported before are skipped')
    .option(
      '--column <field=heading>',
      `maps a column whose heading is not recognized, or "${NO_COLUMN}"; repeatable`,
      parseColumn,
    )
    .option('--dry-run', 'shows how the file is read, and imports nothing')
    .addOption(
      new Option('--dates <order>', 'order of day and month in dates such as 03/04/2026').choices([
        'mdy',
        'dmy',
      ]),
    );
  requireProject(
    command,
    new Option('--survey <slug>', 'slug of the survey that people answered'),
    new Option('-f, --file <file>', 'the CSV or JSON lines file'),
  ).action(perform(importAnswers));
}

/** The numbers of dismissals and withdrawn answers in our own export. */
type Skipped = ReturnType<typeof createReading>['skipped'];

interface ImportSettings {
  readonly file: string;
  readonly survey: Survey;
  readonly columns: ChosenColumns;
  readonly dateOrder?: DateOrder | undefined;
  readonly now: () => number;
  /** Undefined for lines that are left to `store`. */
  readonly storeMany: (lines: readonly ImportedLine[]) => Promise<readonly (ImportOutcome | undefined)[]>;
  /** @param earlier forms of the row that the file does not have */
  readonly store: (row: ImportedRow, earlier: readonly ImportedRow[]) => Promise<ImportOutcome>;
  readonly isDryRun?: boolean | undefined;
  /** Called before anything is stored. */
  readonly onReading?: (reading: ImportReading, skipped: Skipped) => void;
  /** Throws when the survey or project is being purged. */
  readonly assertNotPurged: () => Promise<void>;
  readonly onProgress: (done: number, text: string) => void;
}

const COUNTED = {
  imported: 'imported',
  redacted: 'imported',
  completed: 'completed',
  'completed and redacted': 'completed',
  known: 'skipped',
  erased: 'skipped',
  expired: 'expired',
} as const satisfies Readonly<Record<ImportOutcome, string>>;

const BATCH = 500;
const IN_FLIGHT = 25;
const GROUPS_IN_FLIGHT = 5;

/** A purge waits far longer than this before its first sweep. */
const PURGE_CHECK_MS = 10 * SECOND;

async function open(file: string, keys?: readonly string[]) {
  const records = readRecords(file, keys);
  const first = [await records.next(), await records.next(), await records.next()];
  const [header, ...below] = first.flatMap(({ value, done }) => (done === true ? [] : [value]));
  if (header === undefined) throw misuse(`${file} is empty.`);
  const headings = headingsBelow(
    header.cells,
    below.map(({ cells }) => cells),
  );
  return {
    ...headings,
    header: header.cells,
    grows: header.grows,
    async *rows(): AsyncGenerator<FileRecord> {
      yield* below.slice(headings.rows);
      yield* records;
    },
  };
}

function clockIn(zone: string | undefined, file: string) {
  try {
    return zone === undefined ? undefined : clockOf(zone);
  } catch {
    throw misuse(`${file}: the time zone ${quoted(zone ?? null)} is unknown.`);
  }
}

const textOf = ({ own, ...columns }: ImportColumns): string =>
  canonicalText({ ...columns, isOwn: own !== undefined });

/**
 * Reads the whole file. It is read again only if a later line of JSON has a key that changes the columns.
 * @throws AdminError with exit status 2 if the file is unusable
 */
async function readFile(settings: ImportSettings, keys?: readonly string[]) {
  const { file, survey, columns: chosen, dateOrder, now, onProgress } = settings;
  const size = sizeOfFile(file);
  const { header, grows, questions, zones, rows } = await open(file, keys);
  let width = header.length;
  const columns = importColumns(header, chosen, survey, questions);
  if ('problem' in columns) {
    if (grows) for await (const _ of rows());
    if (header.length > width) return readFile(settings, header);
    throw misuse(`${file}: ${printable(columns.problem)}.`);
  }
  const zone = zones[columns.at ?? -1];
  const rules = { survey, dateOrder, inUtc: clockIn(zone, file), now: now() };
  const parse = (cells: readonly string[]) => importedRow(cells, columns, rules);
  const reading = createReading(header, columns, zone);
  const rejected: { line: number; message: string }[] = [];
  let count = 0;
  for await (const { cells, line, bytes } of rows()) {
    if (header.length > width) {
      width = header.length;
      const wider = importColumns(header, chosen, survey);
      if ('problem' in wider || textOf(wider) !== textOf(columns)) return readFile(settings, header);
    }
    const row = parse(cells);
    reading.add(cells, row);
    if ('problem' in row) rejected.push({ line, message: row.problem });
    count += 1;
    if (count % BATCH === 0) onProgress(bytes / size, `${formatCount(count)} read`);
  }
  const missed = reading.findMissed(chosen);
  if (missed !== undefined) throw misuse(`${file}: ${printable(missed)}.`);
  return { size, parse, reading, rejected, header };
}

/**
 * Everything that a repeated import finds is skipped or completed, so an interrupted import is resumed by repeating it.
 * @throws AdminError with exit status 2 if the file is unusable; nothing has been imported then
 */
export async function importFile(settings: ImportSettings) {
  const { file, now, store, storeMany, assertNotPurged, onProgress, onReading, isDryRun = false } = settings;
  const { size, parse, reading, rejected, header } = await readFile(settings);
  const read = reading.result();
  onReading?.(read, reading.skipped);
  // Duplicates and answers of erased people are skipped. Expired answers count for quiet periods but are not stored.
  const counts = { imported: 0, completed: 0, redacted: 0, skipped: 0, expired: 0 };
  const report = () => ({ ...counts, ...reading.skipped, rejected, read });
  if (isDryRun) return report();
  let batch: ImportedRow[] = [];

  let checked = { at: Number.NEGATIVE_INFINITY, result: Promise.resolve() };
  async function unlessPurged<T>(work: () => Promise<T>): Promise<T> {
    if (now() - checked.at >= PURGE_CHECK_MS) checked = { at: now(), result: assertNotPurged() };
    await checked.result;
    return work();
  }

  async function storeGroup(rows: readonly ImportedRow[]): Promise<readonly ImportOutcome[]> {
    const lines = rows.map((row) => ({
      row,
      earlier: earlierForms(row).filter((form) => !reading.hasForm(form)),
    }));
    const outcomes = await unlessPurged(() => storeMany(lines));
    return inFlight(
      [...lines.entries()],
      IN_FLIGHT / GROUPS_IN_FLIGHT,
      async ([index, { row, earlier }]) => outcomes[index] ?? unlessPurged(() => store(row, earlier)),
    );
  }

  async function flush(bytes: number): Promise<void> {
    const outcomes = await inFlight(chunk(batch, LINES_AT_ONCE), GROUPS_IN_FLIGHT, storeGroup);
    for (const outcome of outcomes.flat()) {
      counts[COUNTED[outcome]] += 1;
      if (outcome === 'redacted' || outcome === 'completed and redacted') counts.redacted += 1;
    }
    batch = [];
    onProgress(
      bytes / size,
      `${counts.imported} imported, ${counts.skipped} skipped, ${rejected.length} rejected`,
    );
  }

  const { rows } = await open(file, header);
  let bytes = 0;
  for await (const record of rows()) {
    bytes = record.bytes;
    const row = parse(record.cells);
    if (!('problem' in row || 'skipped' in row)) batch.push(row);
    if (batch.length === BATCH) await flush(bytes);
  }
  await flush(bytes);
  return report();
}
