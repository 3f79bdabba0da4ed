import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { surveys } from '../../../functions/runtime/parts/projects.ts';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { SURVEYS_AT_ONCE } from '../../../shared/data/projects/survey-store.ts';
import { formatRepeat } from '../../../shared/domain/surveys/repeat.ts';
import { declaredSegments } from '../../../shared/domain/surveys/segments.ts';
import {
  hasScale,
  type Survey,
  type SurveyContent,
  type SurveyQuestion,
  type SurveyReason,
  type SurveyStatus,
  TYPES,
} from '../../../shared/domain/surveys/survey.ts';
import type { SurveySetChange } from '../../../shared/domain/surveys/survey-change.ts';
import { writeLimits } from '../../../shared/domain/surveys/written-survey.ts';
import { failure, misuse } from '../admin-error.ts';
import {
  type Alone,
  type Perform,
  type PerformAlone,
  projectCommand,
  type Report,
  requireOptions,
} from '../command.ts';
import { assertReplaceable } from '../results/output-file.ts';
import { NOW_FLAG, retentionView } from '../retention-commands.ts';
import { namedSurvey, type Session } from '../session.ts';
import { columns, printable, timeText } from '../terminal.ts';
import { applySurveys, assertServable } from './apply.ts';
import { pullSurveys } from './pull.ts';
import { readSurveyFile } from './read-survey-file.ts';
import { addTrait, explainSurvey } from './why.ts';

interface SurveyFlags {
  readonly project: string;
}

function surveyView(survey: Survey, responses: number, now: number) {
  const { id, content, status, repeat, startsAt, endsAt, limits, segments, retention } = survey;
  const { slug, type, question, ...others } = content;
  return {
    id,
    slug,
    type,
    status,
    question,
    ...others,
    startsAt: startsAt ?? null,
    endsAt: endsAt ?? null,
    ...(repeat !== undefined && { repeat: formatRepeat(repeat) }),
    limits: writeLimits(limits),
    ...(segments !== undefined && { segments: declaredSegments(segments) }),
    ...(retention !== undefined && { retention: retentionView(retention, now) }),
    responses,
  };
}

function viewSurveys({ totals }: ProjectRecord, surveys: readonly Survey[], now: number) {
  return [...surveys]
    .sort((a, b) => (a.content.slug < b.content.slug ? -1 : 1))
    .map((survey) => surveyView(survey, totals.bySurvey.get(survey.id) ?? 0, now));
}

function tableText(views: ReturnType<typeof viewSurveys>, { terminal }: Session): string {
  if (views.length === 0) return 'There are no surveys.';
  const rows = views.map(({ slug, type, status, responses, id }) => [
    slug,
    type,
    status,
    String(responses),
    id,
  ]);
  return columns(['SLUG', 'TYPE', 'STATUS', 'RESPONSES', 'ID'], rows, terminal);
}

async function list(session: Session, { project }: SurveyFlags): Promise<Report> {
  const record = await session.record(project);
  const views = viewSurveys(record, record.surveys, session.now());
  return { json: views, text: tableText(views, session) };
}

async function show(session: Session, { project }: SurveyFlags, slugs: readonly string[]): Promise<Report> {
  const record = await session.record(project);
  const views = viewSurveys(record, named(record, slugs), session.now());
  return { json: views, text: views.map((view) => stringify(view).trimEnd()).join('\n---\n') };
}

const changeStatus =
  (status: SurveyStatus) =>
  async (session: Session, { project }: SurveyFlags, slugs: readonly string[]): Promise<Report> => {
    const { record, surveys } = await setStatus(session, project, slugs, status);
    const views = viewSurveys(record, surveys, session.now());
    return { json: views, text: tableText(views, session) };
  };

function whatText({ surveys: changed, isReordered }: SurveySetChange): string {
  const parts = changed.map(({ slug, action, fields }) =>
    action === 'created' ? `+ ${slug}` : `~ ${slug}: ${fields.join(', ')}`,
  );
  return printable([...parts, ...(isReordered ? ['the order'] : [])].join('; '));
}

async function showLog(session: Session, { project }: { readonly project: string }): Promise<Report> {
  await session.record(project);
  const changes = await surveys(session.service).log(project);
  const rows = changes.map((change) => [
    timeText(change.at),
    printable(change.by),
    change.source,
    String(change.revision),
    whatText(change),
  ]);
  return {
    json: changes,
    text:
      rows.length === 0
        ? 'No changes are recorded.'
        : columns(['WHEN', 'BY', 'IN', 'REVISION', 'WHAT'], rows, session.terminal),
  };
}

export function addSurveyCommands(program: Command, perform: Perform): void {
  const survey = program.command('survey').description('surveys of a project');
  const ofProject = (name: string, description: string, ...options: readonly Option[]): Command =>
    projectCommand(survey, name, description, ...options);
  const ofSurveys = (name: string, description: string): Command =>
    ofProject(name, description).argument('<slug...>', 'slugs of the surveys');

  const file = new Option('-f, --file <file>', 'survey file, YAML or JSON');
  ofProject('apply', 'create and update surveys from a file; shows the plan and asks first', file)
    .option('--prune', 'archive surveys that are not in the file')
    .option('--overwrite', 'overwrite changes that were made in the console')
    .option('--yes', 'do not ask for confirmation')
    .option(...NOW_FLAG)
    .action(perform(applySurveys));
  const target = new Option('-f, --file <file>', 'survey file to write, YAML or JSON');
  ofProject(
    'pull',
    'write the surveys into a file; unchanged surveys keep their comments and layout',
    target,
  ).action(perform(pullSurveys));
  ofProject('log', 'list the last 50 changes, with their authors').action(perform(showLog));
  ofProject('list', 'list surveys').action(perform(list));
  const respondent = new Option('--respondent <id>', 'ID of the person');
  ofProject('why', 'check each rule that decides whether a person can be asked now', respondent)
    .argument('<slug>', 'slug of the survey')
    .option('--session <id>', 'check as mint does, for this session')
    .option('--observation <id>', 'an observation of the session')
    .option('--trace <id>', 'a trace of the session')
    .option('--trait <name=value>', 'a trait that the page passes, for targeting; repeatable', addTrait)
    .option('--page <path>', 'path of the page, such as /orders/7')
    .action(perform(explainSurvey));
  ofSurveys('show', 'show all fields of surveys').action(perform(show));
  ofSurveys('pause', 'stop asking temporarily').action(perform(changeStatus('paused')));
  ofSurveys('resume', 'start asking again').action(perform(changeStatus('active')));
  ofSurveys('archive', 'stop asking; answers are kept').action(perform(changeStatus('archived')));
}

const MOST_LOST_RACES = 20;

const named = (record: ProjectRecord, slugs: readonly string[]): Survey[] =>
  [...new Set(slugs)].map((slug) => namedSurvey(record, slug));

interface Changed {
  readonly record: ProjectRecord;
  readonly surveys: readonly Survey[];
}

/** The console remains the last editor, so a file that differs is still refused. */
async function setStatus(
  session: Session,
  project: string,
  slugs: readonly string[],
  status: SurveyStatus,
): Promise<Changed> {
  for (let lostRaces = 0; lostRaces <= MOST_LOST_RACES; lostRaces++) {
    const record = await session.record(project);
    const wanted = named(record, slugs);
    if (wanted.length > SURVEYS_AT_ONCE) throw misuse(`Name at most ${SURVEYS_AT_ONCE} surveys at once.`);
    const others = record.surveys.filter((survey) => !wanted.includes(survey));
    const changed = wanted.map((survey) => ({ ...survey, status }));
    if (status === 'active') assertServable([...others, ...changed]);
    const left = changed.filter((_, index) => wanted[index]?.status !== status);
    if (left.length === 0) return { record, surveys: changed };
    const note = { by: 'operator', at: new Date(session.now()).toISOString() };
    const told = left.map(({ content: { slug } }) => ({
      slug,
      action: 'updated' as const,
      fields: ['status'],
    }));
    const changes = { created: [], updated: left };
    const noted = { note, surveys: told, isReordered: false };
    if (await surveys(session.service).write(project, changes, record.surveysVersion, noted))
      return { record, surveys: changed };
  }
  throw failure('Someone else keeps changing the surveys. Nothing was changed. Run this again.');
}

interface TypesFlags {
  readonly file: string;
  readonly output: string;
}

const literal = (text: string): string => JSON.stringify(text);

const codesOf = (list: readonly SurveyReason[] = []): string =>
  list.map(({ code }) => literal(code)).join(' | ') || 'never';

const questionOf = ({ id, kind, choices }: SurveyQuestion): string =>
  `readonly ${literal(id)}: { readonly kind: ${literal(kind)}${choices === undefined ? '' : `; readonly choices: ${codesOf(choices)}`} }`;

function entryOf({ slug, type, question, reasons, choices, questions }: SurveyContent): string {
  const { min, max } = TYPES[type].scale;
  const scale = hasScale(type) ? ` (${min} to ${max})` : '';
  const ofChoice = choices === undefined ? '' : `; readonly choices: ${codesOf(choices)}`;
  const ofQuestions =
    questions === undefined ? '' : `; readonly questions: { ${questions.map(questionOf).join('; ')} }`;
  return [
    `  /** ${question.replaceAll('*/', '*\u2215').replaceAll(/\s+/g, ' ')}${scale} */`,
    `  ${literal(slug)}: { readonly type: ${literal(type)}; readonly reasons: ${codesOf(reasons)}${ofChoice}${ofQuestions} };`,
  ].join('\n');
}

export const typesOf = (surveys: readonly SurveyContent[]): string =>
  [
    '/** Surveys by slug. Generated from the survey file by `canvass survey types`. */',
    ...(surveys.length === 0
      ? ['export type Surveys = Record<never, never>;']
      : ['export type Surveys = {', ...surveys.map(entryOf), '};']),
    '',
  ].join('\n');

async function write(_: Alone, { file, output }: TypesFlags): Promise<Report> {
  assertReplaceable(output);
  const surveys = readSurveyFile(file).surveys.map(({ content }) => content);
  writeFileSync(output, typesOf(surveys));
  const slugs = surveys.map(({ slug }) => slug);
  return { json: { output, slugs }, text: `Wrote ${slugs.length} surveys to ${output}.` };
}

export function surveyGroup(program: Command): Command {
  const survey = program.commands.find((command) => command.name() === 'survey');
  if (survey === undefined) throw new Error('the commands of surveys come first');
  return survey;
}

export function addSurveyTypesCommand(program: Command, perform: PerformAlone): void {
  requireOptions(
    surveyGroup(program)
      .command('types')
      .description(
        'write slugs, types, choices, reasons and questions of a survey file as TypeScript; needs no deployment',
      ),
    new Option('-f, --file <file>', 'survey file, YAML or JSON'),
    new Option('-o, --output <file>', 'file to write, such as surveys.d.ts'),
  ).action(perform(write));
}
