/** `results show|compare|comments|export|report|digest|recount|link`. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { resultsLink } from '../../../pages/person-links.ts';
import { BUCKETS } from '../../../shared/domain/days.ts';
import { misuse } from '../admin-error.ts';
import { type Perform, type Report, requireOptions, requireProject } from '../command.ts';
import { addLinkFlags, type LinkFlags, linkPerson } from '../console/person-link.ts';
import type { Session } from '../session.ts';
import { columns } from '../terminal.ts';
import { type DigestFlags, digestResults } from './digest.ts';
import { EXPORT_FORMATS, EXPORTED, type ExportFlags, exportResults } from './export.ts';
import { assertReplaceable } from './output-file.ts';
import {
  askComments,
  askResults,
  type CommentFlags,
  noteUncounted,
  type ResultsFlags,
  type SpanFlags,
} from './query.ts';
import { type RecountFlags, recountResults } from './recount.ts';
import { type ReportFlags, reportResults } from './report.ts';
import { comparedText, resultsText } from './view.ts';

const DEFAULT_COMMENTS = 50;
const MOST_COMMENTS = 1_000;

export function parseLimit(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_COMMENTS) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_COMMENTS}.`);
}

async function show(session: Session, flags: ResultsFlags, [slug = '']: readonly string[]): Promise<Report> {
  const results = await askResults(session, flags, slug);
  noteUncounted(session);
  return { json: results, text: resultsText(results, flags, session.terminal) };
}

interface CompareFlags extends SpanFlags {
  readonly segment: string;
  readonly values: readonly string[];
}

async function compare(
  session: Session,
  { values, ...flags }: CompareFlags,
  [slug = '']: readonly string[],
): Promise<Report> {
  const [value, against, ...more] = values;
  if (value === undefined || against === undefined || more.length > 0)
    throw misuse('--values: two values of the segment, such as --values free pro.');
  const results = await askResults(session, { ...flags, value, against }, slug);
  noteUncounted(session);
  return { json: results, text: comparedText(results, { segment: flags.segment, value }, session.terminal) };
}

async function listComments(
  session: Session,
  flags: CommentFlags,
  [slug = '']: readonly string[],
): Promise<Report> {
  const reply = await askComments(session, flags, slug);
  const isReasoned = reply.comments.some(({ reasons }) => reasons !== null);
  const rows = reply.comments.map(({ at, rating, respondentId, identityKind, contact, reasons, text }) => [
    at,
    String(rating),
    respondentId,
    identityKind ?? '',
    contact ?? '',
    ...(isReasoned ? [(reasons ?? []).join(' ')] : []),
    text ?? '',
  ]);
  const named = isReasoned ? ['REASONS'] : [];
  const more = reply.nextCursor === undefined ? '' : `\nThere may be more: --cursor ${reply.nextCursor}`;
  const table =
    rows.length === 0
      ? 'There are no comments.'
      : columns(['AT', 'RATING', 'RESPONDENT', 'KIND', 'CONTACT', ...named, 'TEXT'], rows, session.terminal);
  return { json: reply, text: table + more };
}

const everyCell = () =>
  new Option(
    '--every-cell',
    'small numbers, too, which a project with a smallest cell does not show to everybody',
  );

function assertOutput(_: Command, acting: Command): void {
  const { output } = acting.opts<{ readonly output?: string }>();
  if (output !== undefined) assertReplaceable(output);
}

export function addResultsCommands(program: Command, perform: Perform): void {
  const results = program.command('results').description('what was answered to a survey');
  const ofSurvey = (name: string, description: string, slugs = '<slug>'): Command =>
    requireProject(results.command(`${name} ${slugs}`).description(description))
      .option('--from <day>', 'first day, UTC, as 2026-11-20')
      .option('--to <day>', 'last day, UTC, included');

  const bucket = new Option('--by <bucket>', 'what the trend is cut into').choices(BUCKETS);

  ofSurvey('show', 'score, distribution, trend and response rate; the last 90 days unless said')
    .addOption(bucket)
    .option('--segment <name>', 'a segment of the survey, or identityKind')
    .option('--value <value>', 'of the segment: the answers of that value alone; other, and null for none')
    .addOption(
      new Option('--compare <span>', 'with the days before: previous, as many as are shown').choices([
        'previous',
      ]),
    )
    .action(perform<ResultsFlags>(show));

  requireOptions(
    ofSurvey('compare', 'two values of a segment, with the interval of their difference'),
    new Option('--segment <name>', 'a segment of the survey, or identityKind'),
    new Option('--values <values...>', 'two of its values; other, and null for none'),
  ).action(perform<CompareFlags>(compare));

  ofSurvey('comments', 'what people wrote, newest first; the last 90 days unless said')
    .option('--rating-min <rating>', 'lowest rating, included')
    .option('--rating-max <rating>', 'highest rating, included')
    .option('--segment <name>', 'a segment of the survey, or identityKind, of which --value is one')
    .option('--value <value>', 'of the segment: the answers of that value alone; other, and null for none')
    .option('--reason <code>', 'answers that name this reason')
    .addOption(new Option('--limit <count>', 'how many').argParser(parseLimit).default(DEFAULT_COMMENTS))
    .option('--cursor <cursor>', 'where an earlier list ended')
    .action(perform<CommentFlags>(listComments));

  requireOptions(
    ofSurvey('export', 'every answer, of all days unless said; or the days, the last 90 unless said')
      .addOption(new Option('--of <what>', 'what a line is').choices(EXPORTED).default('answers'))
      .addOption(bucket)
      .option('--rating-min <rating>', 'lowest rating, included')
      .option('--rating-max <rating>', 'highest rating, included')
      .option('--reason <code>', 'answers that name this reason')
      .option('--segment <name>', 'a segment of the survey, or identityKind, of which --value is one')
      .option('--value <value>', 'of the segment: that value alone; other, and null for none')
      .addOption(everyCell())
      .option('-o, --output <file>', 'a file, instead of the standard output'),
    new Option('--format <format>', 'CSV, or one JSON object a line').choices(EXPORT_FORMATS),
  )
    .hook('preAction', assertOutput)
    .action(perform<ExportFlags>(exportResults));

  ofSurvey('report', 'one HTML file to send on; the last 90 days unless said', '<slug...>')
    .addOption(bucket)
    .option('--no-comments', 'without what people wrote, and then without small numbers')
    .option('--contacts', 'with who asked to be contacted and still waits, and the addresses that they left')
    .addOption(everyCell())
    .option('-o, --output <file>', 'the file', 'report.html')
    .hook('preAction', assertOutput)
    .action(perform<ReportFlags>(reportResults));

  results
    .command('digest')
    .description(
      'a week in words, of every project but the probe’s; the last week that has ended unless said',
    )
    .option('--project <id>', 'one project')
    .option('--week <week>', 'of ISO 8601, in UTC, as 2026-W47')
    .action(perform<DigestFlags>(digestResults));

  requireProject(
    results
      .command('recount [slug]')
      .description('rebuild results from the stored answers, while more come in'),
  )
    .option('--all', 'every survey of the project')
    .action(perform<RecountFlags>(recountResults));

  addLinkFlags(
    requireProject(
      results
        .command('link')
        .description('make a reader key, and a link that opens the results in a browser'),
    ),
  ).action(perform<LinkFlags>((session, flags) => linkPerson(session, flags, resultsLink)));
}
