import { dismissalRow, responseRow } from '../../../functions/privacy/export-row.ts';
import { resolveSegment } from '../../../functions/results/asked.ts';
import { answerProblem, ratingBounds, responseFilter } from '../../../functions/results/query-comments.ts';
import { walks } from '../../../functions/runtime/parts/answers.ts';
import { results } from '../../../functions/runtime/parts/results.ts';
import { formatCount, shareOf, writeDay } from '../../../pages/results/figures.ts';
import { BYTE_ORDER_MARK, type Cell, csvLine, dayLines } from '../../../pages/results/write-csv.ts';
import { isRefusal } from '../../../shared/contract/errors.ts';
import { commentsInput } from '../../../shared/contract/results-schemas.ts';
import { countingOf } from '../../../shared/data/results/survey-counting.ts';
import type { Answer, Response } from '../../../shared/domain/answers/answer.ts';
import { fieldsIn } from '../../../shared/domain/answers/answer-fields.ts';
import { dayAt } from '../../../shared/domain/days.ts';
import { visibleJson } from '../../../shared/domain/escapes.ts';
import { goneAnswers } from '../../../shared/domain/gone-answers.ts';
import { answerCell, answerColumn, exportedQuestions } from '../../../shared/domain/import/answer-cells.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { type Write, writeOutputFile } from './output-file.ts';
import { askResults, type CommentFlags, check, commentFilters, errorOf, noteUncounted } from './query.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
type Format = (typeof EXPORT_FORMATS)[number];

export const EXPORTED = ['answers', 'days'] as const;

interface ExportFlags extends Omit<CommentFlags, 'limit' | 'cursor'> {
  readonly format: Format;
  readonly of: (typeof EXPORTED)[number];
  readonly by?: string;
  readonly output?: string;
  readonly json?: boolean;
  readonly everyCell?: boolean;
}

type Surveys = ReadonlyMap<string, Survey>;

const FIRST_COLUMNS = (
  'kind id at surveyId surveySlug surveyType rating text followUpRequested contact reasons ' +
  'respondentId verified identityKind traits taskType sessionId traceId observationId linked ' +
  'scoreState source revision revisedAt withdrawn handled'
).split(' ');
/** New columns are last, because readers may count them. */
const COLUMNS = [
  ...new Set([...FIRST_COLUMNS, ...fieldsIn('export').filter((name) => name !== 'answers')]),
  'choice',
];

type ExportedRow = { readonly kind: string } & Partial<ReturnType<typeof responseRow>>;

function exportedRow(answer: Answer, surveys: Surveys): ExportedRow {
  const { kind } = answer;
  if (kind === 'dismissal') return { kind, ...dismissalRow(answer, surveys) };
  return { kind: 'response', ...responseRow(answer, surveys) };
}

/** Each answer has other traits and labels, so all traits share one JSON cell, and so do all labels. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : visibleJson(value);
}

interface Lines {
  readonly head: string;
  readonly line: (row: ExportedRow) => string;
}

function csvLines(survey: Survey): Lines {
  const questions = exportedQuestions(survey);
  return {
    head: BYTE_ORDER_MARK + csvLine([...COLUMNS, ...questions.map(answerColumn)]),
    line: ({ answers, ...row }) => {
      const cells = new Map<string, unknown>(Object.entries(row));
      return csvLine([
        ...COLUMNS.map((column) => cellOf(cells.get(column))),
        ...questions.map(({ id }) => answerCell(answers?.[id])),
      ]);
    },
  };
}

const FORMATS: Readonly<Record<Format, (survey: Survey) => Lines>> = {
  csv: csvLines,
  jsonl: () => ({ head: '', line: (row) => `${visibleJson(row)}\n` }),
};

/** The number of characters in a write. */
const CHUNK = 64_000;

type IsWanted = (response: Response) => boolean;

/** Without filters, dismissals are exported too. @throws AdminError */
function filterOf(survey: Survey, flags: ExportFlags): IsWanted | undefined {
  const { from, to, reason } = flags;
  const input = check(commentsInput(), { surveyId: survey.id, ...commentFilters(flags) });
  if (from !== undefined && to !== undefined && from > to) throw misuse('--from must not be after --to.');
  const chosen = resolveSegment(survey, input);
  if (isRefusal(chosen)) throw errorOf(chosen);
  if (reason !== undefined && !survey.reasonCodes?.includes(reason))
    throw misuse('--reason: the survey has no such reason.');
  const problem = answerProblem(survey, input);
  if (problem !== undefined) throw errorOf(problem);
  const bounds = ratingBounds(survey, input);
  if (isRefusal(bounds)) throw errorOf(bounds);
  return responseFilter({ ...input, ...bounds, withText: false }, chosen);
}

async function writeAnswers(
  session: Session,
  survey: Survey,
  expected: number,
  flags: ExportFlags,
  isWanted: IsWanted | undefined,
  write: Write,
) {
  const { project: projectId, format, from, to } = flags;
  const { head, line } = FORMATS[format](survey);
  const surveys = new Map([[survey.id, survey]]);
  const counts = { responses: 0, dismissals: 0 };
  let text = head;
  const isGone = goneAnswers(await session.settings(projectId), session.now());
  const scope = { projectId, surveyId: survey.id, days: { from, to }, isGone };
  for await (const { answer } of walks(session.service).ofProject(scope)) {
    if (answer === undefined) continue;
    if (isWanted !== undefined && !(answer.kind === 'response' && isWanted(answer))) continue;
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

async function daysText(session: Session, flags: ExportFlags, slug: string) {
  const { format, ratingMin, ratingMax, reason, answers, segment, value } = flags;
  if ([ratingMin, ratingMax, reason, answers].some((flag) => flag !== undefined))
    throw misuse('--rating-min, --rating-max, --reason and --answers cannot be combined with --of days.');
  if (segment !== undefined && value === undefined) throw misuse('--value requires --segment.');
  const reply = await askResults(
    session,
    { ...flags, by: flags.by ?? 'day', isInCells: flags.everyCell !== true },
    slug,
  );
  const text =
    format === 'csv'
      ? BYTE_ORDER_MARK + dayLines(reply).map(csvLine).join('')
      : reply.series.map((point) => `${visibleJson(point)}\n`).join('');
  return { text, days: reply.series.length };
}

/** Also notes that older answers are gone, if they are. */
async function countKept(session: Session, projectId: string, survey: Survey): Promise<number> {
  const { service, terminal, now } = session;
  const settings = await session.settings(projectId);
  const first = completeFrom(settings, survey.id, now());
  if (first === '') return settings.totals.answered?.get(survey.id) ?? 0;
  terminal.note(
    `Answers before ${writeDay(first)} were deleted after their retention period. Their numbers are kept.`,
  );
  const { shown: generation } = countingOf(survey, settings).generations;
  const span = { projectId, surveyId: survey.id, generation, from: first, to: dayAt(now()) };
  const days = await results(service).days(span);
  return days.flatMap(({ ratings }) => [...ratings.values()]).reduce((sum, count) => sum + count, 0);
}

async function output<Counts extends object>(
  { terminal }: Session,
  file: string | undefined,
  write: (to: Write) => Promise<Counts>,
  summarise: (counts: Counts) => string,
): Promise<Report | undefined> {
  const counts = await (file === undefined ? write(terminal.write) : writeOutputFile(file, write)).finally(
    terminal.progress.clear,
  );
  if (file !== undefined) return { json: { file, ...counts }, text: summarise(counts) };
  terminal.note(summarise(counts));
  return undefined;
}

export async function exportResults(
  session: Session,
  flags: ExportFlags,
  [slug = '']: readonly string[],
): Promise<Report | undefined> {
  const { output: file, json, of } = flags;
  if (json && file === undefined)
    throw misuse('--json requires -o FILE, because otherwise the export itself is the output.');
  if (of === 'days') {
    const { text, days } = await daysText(session, flags, slug);
    noteUncounted(session);
    const write = async (to: Write) => {
      await to(text);
      return { days };
    };
    return output(session, file, write, (counts) => `Wrote ${formatCount(counts.days)} lines.`);
  }
  if (flags.by !== undefined) throw misuse('--by requires --of days.');
  if (flags.everyCell) throw misuse('--every-cell requires --of days.');
  const record = await session.record(flags.project);
  const survey = namedSurvey(record, slug);
  const isWanted = filterOf(survey, flags);
  const expected = await countKept(session, flags.project, survey);
  return output(
    session,
    file,
    (to) => writeAnswers(session, survey, expected, flags, isWanted, to),
    ({ responses, dismissals }) =>
      `Wrote ${formatCount(responses)} responses and ${formatCount(dismissals)} dismissals.`,
  );
}
