/** `survey apply|pull|log|list|show|pause|resume|archive|why`. */

import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { formatRepeat } from '../../../shared/domain/surveys/repeat.ts';
import { declaredSegments } from '../../../shared/domain/surveys/segments.ts';
import type { Survey, SurveyStatus } from '../../../shared/domain/surveys/survey.ts';
import { writeLimits } from '../../../shared/domain/surveys/written-survey.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import { retentionView } from '../retention/retention-view.ts';
import type { Session } from '../session.ts';
import { columns } from '../terminal.ts';
import { type ApplyFlags, applySurveys } from './apply.ts';
import { addTrait } from './client-rules.ts';
import { showLog } from './log.ts';
import { type PullFlags, pullSurveys } from './pull.ts';
import { named, setStatus } from './status.ts';
import { explainSurvey, type WhyFlags } from './why.ts';

interface SurveyFlags {
  readonly project: string;
}

/**
 * A survey with its fields named and written as in the survey file.
 * @param responses accepted ones so far; counted asynchronously
 * @param now milliseconds since the epoch
 */
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

export function addSurveyCommands(program: Command, perform: Perform): void {
  const survey = program.command('survey').description('surveys of a project');
  const ofProject = (name: string, description: string, ...options: readonly Option[]): Command =>
    requireProject(survey.command(name).description(description), ...options);
  const ofSurveys = (name: string, description: string): Command =>
    ofProject(name, description).argument('<slug...>', 'slugs of the surveys');

  const file = new Option('-f, --file <file>', 'YAML or JSON');
  ofProject('apply', 'create and update surveys as a file says; shows the plan and asks', file)
    .option('--prune', 'archive the surveys that the file lacks')
    .option('--overwrite', 'take the file also where a survey was changed in the console since')
    .option('--yes', 'do not ask')
    .option(
      '--now',
      'where a survey’s retention is shorter: do not wait the two days in which it can be taken back',
    )
    .action(perform<ApplyFlags>(applySurveys));
  const target = new Option('-f, --file <file>', 'survey file to write, YAML or JSON');
  ofProject(
    'pull',
    'write the surveys as they are into a file; what did not change keeps its comments',
    target,
  ).action(perform<PullFlags>(pullSurveys));
  ofProject('log', 'list the last 50 changes: when, by whom, what').action(perform<SurveyFlags>(showLog));
  ofProject('list', 'list surveys').action(perform<SurveyFlags>(list));
  const respondent = new Option('--respondent <id>', 'id of the person');
  ofProject('why', 'say whether a person may be asked a survey now, rule by rule', respondent)
    .argument('<slug>', 'slug of the survey')
    .option('--session <id>', 'as a server asks that mints for this session')
    .option('--observation <id>', 'and for this observation of it')
    .option('--trace <id>', 'and this trace')
    .option('--trait <name=value>', 'a trait that the page says, for targeting; may be given again', addTrait)
    .option('--page <path>', 'the path of the page, such as /orders/7')
    .action(perform<WhyFlags>(explainSurvey));
  ofSurveys('show', 'show all fields').action(perform<SurveyFlags>(show));
  ofSurveys('pause', 'stop asking for now').action(perform<SurveyFlags>(changeStatus('paused')));
  ofSurveys('resume', 'ask again').action(perform<SurveyFlags>(changeStatus('active')));
  ofSurveys('archive', 'stop asking; answers stay').action(perform<SurveyFlags>(changeStatus('archived')));
}
