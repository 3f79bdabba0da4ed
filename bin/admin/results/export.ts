/** `results export`: the answers to a survey as CSV or as lines of JSON, written while they are read. */

import { dismissalRow, responseRow } from '../../../functions/privacy/export-row.ts';
import { walks } from '../../../functions/runtime/compose.ts';
import { formatCount, shareOf } from '../../../pages/results/figures.ts';
import { BYTE_ORDER_MARK, type Cell, csvLine } from '../../../pages/results/write-csv.ts';
import type { Answer } from '../../../shared/domain/answers/answer.ts';
import { isDay } from '../../../shared/domain/days.ts';
import { visibleJson } from '../../../shared/domain/escapes.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { type Write, writeOutputFile } from './output-file.ts';
import type { SpanFlags } from './query.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
type Format = (typeof EXPORT_FORMATS)[number];

export interface ExportFlags extends SpanFlags {
  readonly format: Format;
  readonly output?: string;
  readonly json?: boolean;
}

type Surveys = ReadonlyMap<string, Survey>;

/** What both formats have, in this order; a dismissal has fewer. */
const COLUMNS = [
  'kind',
  'id',
  'at',
  'surveyId',
  'surveySlug',
  'surveyType',
  'rating',
  'text',
  'followUpRequested',
  'contact',
  'reasons',
  'respondentId',
  'verified',
  'identityKind',
  'traits',
  'taskType',
  'sessionId',
  'traceId',
  'observationId',
  'linked',
  'scoreState',
  'source',
  'revision',
  'revisedAt',
  'withdrawn',
  'handled',
  'labels',
  'channel',
] as const;

function exportedRow(answer: Answer, surveys: Surveys): Readonly<Record<string, unknown>> {
  const { kind } = answer;
  if (kind === 'dismissal') return { kind, ...dismissalRow(answer, surveys) };
  return { kind: 'response', ...responseRow(answer, surveys) };
}

/** Traits and labels are one cell of JSON each: every answer may have others. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : visibleJson(value);
}

const FORMATS: Readonly<
  Record<Format, { readonly head: string; readonly line: (row: Readonly<Record<string, unknown>>) => string }>
> = {
  csv: {
    head: BYTE_ORDER_MARK + csvLine(COLUMNS),
    line: (row) => csvLine(COLUMNS.map((column) => cellOf(row[column]))),
  },
  jsonl: { head: '', line: (row) => `${visibleJson(row)}\n` },
};

/** Characters written at once. */
const CHUNK = 64_000;

/**
 * How many responses and dismissals were written; fewer than there are when the reader stops.
 * @param expected responses there should be, all days together
 */
async function writeAnswers(
  session: Session,
  survey: Survey,
  expected: number,
  flags: ExportFlags,
  write: Write,
) {
  const { project: projectId, format, from, to } = flags;
  const { head, line } = FORMATS[format];
  const surveys = new Map([[survey.id, survey]]);
  const counts = { responses: 0, dismissals: 0 };
  let text = head;
  const scope = { projectId, surveyId: survey.id, days: { from, to } };
  for await (const { answer } of walks(session.service).ofProject(scope)) {
    if (answer === undefined) continue;
    text += line(exportedRow(answer, surveys));
    counts[answer.kind === 'dismissal' ? 'dismissals' : 'responses'] += 1;
    if (text.length < CHUNK) continue;
    if (!(await write(text))) return counts;
    text = '';
    const written = counts.responses + counts.dismissals;
    session.terminal.progress.show(shareOf(counts.responses, expected), `${formatCount(written)} answers`);
  }
  await write(text);
  return counts;
}

function assertDays({ from, to }: ExportFlags): void {
  for (const [flag, day] of Object.entries({ from, to })) {
    if (day !== undefined && !isDay(day))
      throw misuse(`--${flag}: must be a day that exists, from 1970 on, such as 2026-11-20.`);
  }
  if (from !== undefined && to !== undefined && from > to) throw misuse('--from: must not be after --to.');
}

export async function exportResults(
  session: Session,
  flags: ExportFlags,
  [slug = '']: readonly string[],
): Promise<Report | undefined> {
  assertDays(flags);
  const { output, json } = flags;
  if (json && output === undefined)
    throw misuse('--json goes with -o FILE: without it the answers are the output.');
  const record = await session.record(flags.project);
  const survey = namedSurvey(record, slug);
  const expected = record.totals.answered?.get(survey.id) ?? 0;
  const { terminal } = session;
  const write = (to: Write) => writeAnswers(session, survey, expected, flags, to);
  const counts = await (output === undefined
    ? write(terminal.write)
    : writeOutputFile(output, write)
  ).finally(terminal.progress.clear);
  const summary = `${formatCount(counts.responses)} responses and ${formatCount(counts.dismissals)} dismissals written.`;
  if (output !== undefined) return { json: { file: output, ...counts }, text: summary };
  terminal.note(summary);
  return undefined;
}
