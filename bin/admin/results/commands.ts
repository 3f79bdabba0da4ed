import { type Command, InvalidArgumentError, Option } from 'commander';
import { digestText } from '../../../functions/digest/digest-lines.ts';
import { type Digest, digestOf } from '../../../functions/digest/project-digest.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { resultsLink } from '../../../pages/person-links.ts';
import { BUCKETS, daysOfWeek, lastWeek } from '../../../shared/domain/days.ts';
import { misuse } from '../admin-error.ts';
import { type Perform, projectCommand, type Report, requireOptions } from '../command.ts';
import { addLinkFlags, type LinkFlags, linkPerson } from '../console/person-link.ts';
import { addressOf } from '../deployment.ts';
import type { Session } from '../session.ts';
import { columns, timeText } from '../terminal.ts';
import { EXPORT_FORMATS, EXPORTED, exportResults } from './export.ts';
import { assertReplaceable } from './output-file.ts';
import {
  askComments,
  askResults,
  type CommentFlags,
  noteUncounted,
  type ResultsFlags,
  type SpanFlags,
} from './query.ts';
import { recountResults } from './recount.ts';
import { reportResults } from './report.ts';
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
    throw misuse('--values needs two values of the segment, such as --values free pro.');
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
    timeText(at),
    String(rating),
    respondentId,
    identityKind ?? '',
    contact ?? '',
    ...(isReasoned ? [(reasons ?? []).join(' ')] : []),
    text ?? '',
  ]);
  const named = isReasoned ? ['REASONS'] : [];
  const more =
    reply.nextCursor === undefined ? '' : `\nThere may be more. Continue with --cursor ${reply.nextCursor}`;
  const table =
    rows.length === 0
      ? 'No comments found.'
      : columns(['AT', 'RATING', 'RESPONDENT', 'KIND', 'CONTACT', ...named, 'TEXT'], rows, session.terminal);
  return { json: reply, text: table + more };
}

const everyCell = () => new Option('--every-cell', 'include numbers below the smallest cell of the project');

function assertOutput(_: Command, acting: Command): void {
  const { output } = acting.opts<{ readonly output?: string }>();
  if (output !== undefined) assertReplaceable(output);
}

export function addResultsCommands(program: Command, perform: Perform): void {
  const results = program.command('results').description('results of surveys');
  const ofSurvey = (name: string, description: string, slugs = '<slug>'): Command =>
    projectCommand(results, `${name} ${slugs}`, description)
      .option('--from <day>', 'first day (UTC), such as 2026-11-20')
      .option('--to <day>', 'last day (UTC), inclusive');

  const value = [
    '--value <value>',
    'only answers with this value of the segment; may be other, or null for none',
  ] as const;
  const filtered = (command: Command): Command =>
    command
      .option('--rating-min <rating>', 'lowest rating, inclusive')
      .option('--rating-max <rating>', 'highest rating, inclusive')
      .option('--choice <code>', 'only answers with this choice')
      .option('--segment <name>', 'segment for --value: a segment of the survey, or identityKind')
      .option(...value)
      .option('--reason <code>', 'only answers with this reason')
      .option(
        '--answers <id=code>',
        'only answers with this code or number for a question, such as role=dev',
      );

  const bucket = new Option('--by <bucket>', 'interval of the trend').choices(BUCKETS);

  ofSurvey('show', 'show score, distribution, trend and response rate; defaults to the last 90 days')
    .addOption(bucket)
    .option('--segment <name>', 'a segment of the survey, or identityKind')
    .option(...value)
    .addOption(
      new Option('--compare <span>', 'compare with the previous period of the same length').choices([
        'previous',
      ]),
    )
    .action(perform(show));

  requireOptions(
    ofSurvey('compare', 'compare two values of a segment, with the interval of their difference'),
    new Option('--segment <name>', 'a segment of the survey, or identityKind'),
    new Option('--values <values...>', 'two values of the segment; may be other, or null for none'),
  ).action(perform(compare));

  filtered(ofSurvey('comments', 'list comments, newest first; defaults to the last 90 days'))
    .addOption(
      new Option('--limit <count>', 'maximum number of comments')
        .argParser(parseLimit)
        .default(DEFAULT_COMMENTS),
    )
    .option('--cursor <cursor>', 'cursor that an earlier list printed')
    .action(perform(listComments));

  requireOptions(
    filtered(
      ofSurvey(
        'export',
        'export answers (defaults to all days), or daily numbers (defaults to the last 90 days)',
      ),
    )
      .addOption(new Option('--of <what>', 'content of the export').choices(EXPORTED).default('answers'))
      .addOption(bucket)
      .addOption(everyCell())
      .option('-o, --output <file>', 'file to write; defaults to standard output'),
    new Option('--format <format>', 'CSV, or one JSON object per line').choices(EXPORT_FORMATS),
  )
    .hook('preAction', assertOutput)
    .action(perform(exportResults));

  ofSurvey('report', 'write a report as one HTML file; defaults to the last 90 days', '<slug...>')
    .addOption(bucket)
    .option('--no-comments', 'leave out comments and numbers below the smallest cell')
    .option('--contacts', 'include open contacts and the addresses that they left')
    .addOption(everyCell())
    .option('-o, --output <file>', 'file to write', 'report.html')
    .hook('preAction', assertOutput)
    .action(perform(reportResults));

  results
    .command('digest')
    .description('print the weekly digest; defaults to all projects and the last complete week')
    .option('--project <id>', 'ID of a project')
    .option('--week <week>', 'ISO 8601 week (UTC), such as 2026-W47')
    .action(perform(digestResults));

  projectCommand(
    results,
    'recount [slug]',
    'rebuild results from the stored answers; new answers may arrive meanwhile',
  )
    .option('--all', 'all surveys of the project')
    .action(perform(recountResults));

  addLinkFlags(
    projectCommand(
      results,
      'link',
      'create a reader key, and print a link that opens the results in a browser',
    ),
  ).action(perform<LinkFlags>((session, flags) => linkPerson(session, flags, resultsLink)));
}

interface DigestFlags {
  readonly project?: string;
  readonly week?: string;
}

async function chosen(session: Session, { project }: DigestFlags): Promise<readonly string[]> {
  if (project === undefined) return (await projects(session.service).list()).map(({ id }) => id);
  return [(await session.record(project)).project.id];
}

async function digestResults(session: Session, flags: DigestFlags): Promise<Report> {
  const last = lastWeek(session.now());
  const { week = last } = flags;
  const days = daysOfWeek(week);
  if (days === undefined || week > last) throw misuse(`--week must be a complete week, such as ${last}.`);
  const { service } = session;
  const digests: (Digest & { readonly projectId: string })[] = [];
  for (const projectId of await chosen(session, flags)) {
    const settings = await projectSettings(service).load(projectId);
    const digest = settings && (await digestOf({ service, settings, week }));
    if (digest !== undefined) digests.push({ projectId, ...digest });
  }
  noteUncounted(session);
  const url = addressOf(session.deployment);
  const text = digests.map((digest) => digestText(digest, url)).join('\n\n');
  return { json: digests, text: text === '' ? `There is nothing to report for ${week}.` : text };
}
