import { IMPORT_FIELDS, type ImportColumns, type ImportField, NO_COLUMN } from './import-columns.ts';
import {
  formOf,
  type ImportedRow,
  type importedRow,
  looksLikeTime,
  looksLikeUnixTime,
} from './import-row.ts';

/** Cells of a column that are examined. */
const SAMPLE = 1_000;

const TIME_HEADING = /\b(?:date|time|timestamp|submitted|created|completed|answered|responded|at)\b/;
const TEXT_HEADING = /\b(?:comments?|feedback|verbatims?|remarks?|suggestions?|explanation)\b/;
const NO_WORDS = /^(?:[{[]|https?:|mozilla\/|\S+@\S+$)/i;
const PROSE = /^(?=.{20})\S+(?:\s+\S+){4}/s;

interface Unused {
  readonly index: number;
  readonly heading: string;
  /** The first ones that are not empty. */
  readonly cells: string[];
}

const isNamed = ({ heading }: Unused, pattern: RegExp): boolean =>
  pattern.test(heading.toLowerCase().replaceAll('_', ' '));

function holdsTimes(column: Unused): boolean {
  const { cells } = column;
  const times = cells.filter(looksLikeTime).length;
  return (
    times * 2 > cells.length ||
    (isNamed(column, TIME_HEADING) && times + cells.filter(looksLikeUnixTime).length > 0)
  );
}

/** Labels, such as `Very satisfied`, repeat; comments rarely do. */
function holdsComments(column: Unused): boolean {
  const { cells } = column;
  const words = cells.filter((cell) => /\p{L}/u.test(cell) && !NO_WORDS.test(cell) && !looksLikeTime(cell));
  const prose = words.filter((cell) => PROSE.test(cell));
  const isVaried = new Set(cells).size * 2 > cells.length;
  const isComment = isNamed(column, TEXT_HEADING) && words.length * 2 > cells.length;
  return isVaried && (isComment || prose.length * 4 >= cells.length);
}

const MISSED = [
  { field: 'at', holds: holdsTimes, is: 'the time', has: 'holds times', none: 'dates all answers to now' },
  { field: 'text', holds: holdsComments, is: 'the comment', has: 'holds text', none: 'imports no comments' },
] as const;

/**
 * @param header may grow
 * @param zone of times without a zone, if the file names it
 */
export function createReading(header: readonly string[], columns: ImportColumns, zone: string | null = null) {
  const used = new Set([
    ...IMPORT_FIELDS.map((field) => columns[field]),
    ...Object.values(columns.answers ?? {}),
    columns.allAnswers,
  ]);
  const headingAt = (index: number): string | undefined => header[index]?.trim();
  const unused: Unused[] = [];
  let width = 0;
  const problems = new Map<string, number>();
  const dropped = new Map<string, number>();
  const incomplete = new Set<string>();
  const skipped = { dismissals: 0, withdrawn: 0 };
  let [rows, untimed, first, last] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  const isoTime = (time: number) => (last < first ? null : new Date(time).toISOString());

  function takeIn(): void {
    for (; width < header.length; width += 1)
      if (!used.has(width)) unused.push({ index: width, heading: headingAt(width) ?? '', cells: [] });
  }
  takeIn();

  return {
    skipped,
    add(cells: readonly string[], row: ReturnType<typeof importedRow>): void {
      rows += 1;
      takeIn();
      for (const { index, cells: sample } of unused) {
        const cell = cells[index]?.trim() ?? '';
        if (cell !== '' && sample.length < SAMPLE) sample.push(cell);
      }
      if ('skipped' in row) skipped[row.skipped] += 1;
      else if ('problem' in row) problems.set(row.problem, (problems.get(row.problem) ?? 0) + 1);
      else {
        for (const path of row.dropped ?? []) dropped.set(path, (dropped.get(path) ?? 0) + 1);
        if (row.at === undefined) untimed += 1;
        else [first, last] = [Math.min(first, row.at), Math.max(last, row.at)];
        if (row.id === undefined && (row.at === undefined || row.text === undefined))
          incomplete.add(formOf(row));
      }
    },
    /** True if the file itself has a line of this form. */
    hasForm: (row: ImportedRow): boolean => incomplete.has(formOf(row)),
    /** Why the file needs a decision of the operator. */
    findMissed(chosen: Readonly<Partial<Record<ImportField, string>>>): string | undefined {
      for (const { field, holds, is, has, none } of MISSED) {
        if (columns[field] !== undefined || chosen[field] !== undefined) continue;
        const heading = unused.find((column) => column.cells.length > 0 && holds(column))?.heading;
        if (heading !== undefined)
          return `no column is ${is}, but "${heading}" ${has}; name it with --column ${field}="${heading}" (--column ${field}=${NO_COLUMN} ${none})`;
      }
      return undefined;
    },
    /** Columns are null if the file has none for the field. `untimed` counts valid rows without a time. Times are in ISO 8601 UTC. */
    result: () => ({
      columns: Object.fromEntries<string | null>(
        IMPORT_FIELDS.map((field) => [field, headingAt(columns[field] ?? -1) ?? null]),
      ),
      unused: unused.map(({ heading }) => heading),
      rows,
      untimed,
      problems: [...problems].map(([message, count]) => ({ message, rows: count })),
      dropped: [...dropped].map(([path, count]) => ({ path, rows: count })),
      first: isoTime(first),
      last: isoTime(last),
      zone,
    }),
  };
}

/** How a file was read, before anything is stored. */
export type ImportReading = ReturnType<ReturnType<typeof createReading>['result']>;
