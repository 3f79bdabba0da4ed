import type { Command } from 'commander';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import type { KeyKind, Project, ProjectChange } from '../../shared/domain/project.ts';
import { type Perform, type Report, requireOptions } from './command.ts';
import {
  type ConsoleFlags,
  consoleChange,
  consoleFields,
  consoleView,
  isForNobody,
  withConsole,
} from './console/console-flags.ts';
import {
  nameOption,
  type ProjectFlags,
  retentionOf,
  settingsText,
  settingsView,
  toChange,
  toSettings,
  withSettings,
} from './project-settings.ts';
import { changeProjectRetention, type RetentionAgreement, withAgreement } from './retention-commands.ts';
import { noProject, type Session } from './session.ts';
import { columns, fields, timeText } from './terminal.ts';

export type NewProject = Omit<Project, 'status' | 'createdAt'>;

/** Only the result contains the keys as plain text. Keys that were not requested are empty. */
export async function createProject(
  session: Session,
  settings: NewProject,
  kinds: readonly KeyKind[] = ['publishable', 'secret'],
) {
  const issued = await Promise.all(kinds.map((kind) => session.issueKey(kind, settings.id)));
  const createdAt = new Date(session.now()).toISOString();
  const keys = issued.map(({ stored }) => stored);
  await projects(session.service).createProject({ status: 'active', createdAt, ...settings }, keys);
  const textOf = (kind: KeyKind) => issued.find(({ stored }) => stored.kind === kind)?.text ?? '';
  return { projectId: settings.id, publishableKey: textOf('publishable'), secretKey: textOf('secret') };
}

function projectView(project: Project, now: number) {
  return {
    id: project.id,
    ...settingsView(project, now),
    console: consoleView(project),
    ...(project.probe === true && { probe: true }),
    createdAt: project.createdAt,
    purgedAt: project.purgedAt ?? null,
  };
}

const projectText = (project: Project, now: number): string =>
  fields({
    id: project.id,
    ...settingsText(project, now),
    ...consoleFields(project),
    created: timeText(project.createdAt),
  });

const report = (project: Project, now: number): Report => ({
  json: projectView(project, now),
  text: projectText(project, now),
});

async function create(session: Session, flags: ProjectFlags): Promise<Report> {
  const settings = toSettings(flags, session.now());
  const id = composeProjectId(session.random(PROJECT_ID_RANDOM_BYTES));
  const created = await createProject(session, { id, ...settings });
  if (settings.identity === 'required') await warnOfNoIdentity(session, id);
  const shown = fields({
    project: created.projectId,
    'publishable key': created.publishableKey,
    'secret key': created.secretKey,
  });
  return {
    json: created,
    text: `${shown}\nSave the keys now: they are not shown again, and only their hashes are stored.`,
  };
}

async function changeProject(session: Session, projectId: string, settings: ProjectChange): Promise<Report> {
  const project = await projects(session.service).updateProject(projectId, settings);
  if (project === undefined) throw noProject(projectId);
  if (settings.identity === 'required') await warnOfNoIdentity(session, projectId);
  if (isForNobody(project)) {
    session.terminal.note(
      `warning: nobody may use the console of project ${projectId}. Set --console-viewers or --console-editors.`,
    );
  }
  return report(project, session.now());
}

const CONSOLE_FLAGS = [
  'consoleIssuer',
  'consoleClientId',
  'consoleViewers',
  'consoleEditors',
  'consoleGroupsClaim',
  'consoleComments',
  'audience',
] as const;

const isEmpty = ({ limits = {}, rates = {}, ...own }: ProjectChange): boolean =>
  [own, limits, rates].every((each) => Object.values(each).every((value) => value === undefined));

export async function updateProject(
  session: Session,
  flags: ProjectFlags & ConsoleFlags & RetentionAgreement,
  projectId: string,
): Promise<Report> {
  const settings = toChange(flags);
  const period = retentionOf(flags);
  // Asks for confirmation first, so that nothing changes if the operator declines.
  if (period !== undefined) await changeProjectRetention(session, projectId, period, flags);
  if (period !== undefined && isEmpty(settings) && CONSOLE_FLAGS.every((flag) => flags[flag] === undefined))
    return report((await session.record(projectId)).project, session.now());
  if (CONSOLE_FLAGS.every((flag) => flags[flag] === undefined))
    return changeProject(session, projectId, settings);
  const { project } = await session.record(projectId);
  return changeProject(session, projectId, { ...settings, ...(await consoleChange(project, flags)) });
}

/** Without an identity secret or provider, nobody could sign tokens, so no survey would be shown. */
async function warnOfNoIdentity(session: Session, projectId: string): Promise<void> {
  const { project, identitySecrets } = await session.record(projectId);
  if (project.identityProvider !== undefined || identitySecrets.length > 0) return;
  session.terminal.note(
    `warning: project ${projectId} has no identity secret and no provider. Create a secret with "identity secret create".`,
  );
}

async function list({ service, terminal, now }: Session): Promise<Report> {
  const all = await projects(service).list();
  const statusText = ({ status, purgedAt }: Project) => (purgedAt === undefined ? status : 'being purged');
  const rows = all.map((project) => [
    project.id,
    project.name,
    statusText(project),
    timeText(project.createdAt),
  ]);
  return {
    json: all.map((project) => projectView(project, now())),
    text:
      all.length === 0
        ? 'There are no projects.'
        : columns(['ID', 'NAME', 'STATUS', 'CREATED'], rows, terminal),
  };
}

export function addProjectCommands(program: Command, perform: Perform): void {
  const project = program
    .command('project')
    .description('projects, each with its own keys, surveys and answers');
  const ofProject = (name: string, description: string): Command =>
    project.command(name).description(description).argument('<project>', 'ID of the project');

  withSettings(
    requireOptions(
      project.command('create').description('create a project with a publishable and a secret key'),
      nameOption(),
    ),
  ).action(perform(create));
  withAgreement(
    withConsole(
      withSettings(
        ofProject('update', 'change settings; settings that you do not give stay the same').addOption(
          nameOption(),
        ),
      ),
    ),
  )
    .hook('preAction', (_, acting) => {
      // The remaining flags are settings.
      const { yes: _yes, now: _now, ...settings } = acting.opts();
      if (Object.keys(settings).length > 0) return;
      acting.error('error: Nothing to change. Give a setting, such as --quiet-period 7d.');
    })
    .action(
      perform<ProjectFlags & ConsoleFlags & RetentionAgreement>((session, flags, [id = '']) =>
        updateProject(session, flags, id),
      ),
    );
  ofProject('show', 'show the settings of a project').action(
    perform(async (session, _, [id = '']) => report((await session.record(id)).project, session.now())),
  );
  project.command('list').description('list all projects').action(perform(list));
  ofProject('suspend', 'refuse the publishable key; secret-key routes keep working').action(
    perform((session, _, [id = '']) => changeProject(session, id, { status: 'suspended' })),
  );
  ofProject('resume', 'end a suspension').action(
    perform((session, _, [id = '']) => changeProject(session, id, { status: 'active' })),
  );
}
