/** `project create|update|show|list|suspend|resume`. */

import type { Command } from 'commander';
import { issueAccessKey, KEY_RANDOM_BYTES } from '../../shared/crypto/access-key.ts';
import type { ProjectChange } from '../../shared/data/projects/project-store.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import type { KeyKind, Project } from '../../shared/domain/project.ts';
import { misuse, noProject } from './admin-error.ts';
import {
  changeOf,
  hasSettings,
  nameOption,
  type ProjectFlags,
  settingsOf,
  withSettings,
} from './project-flags.ts';
import { projectText, projectView } from './project-view.ts';
import { requireOption } from './require-option.ts';
import type { Perform, Report, Session } from './session.ts';
import { columns, fields } from './terminal.ts';

const reportOf = (project: Project): Report => ({ json: projectView(project), text: projectText(project) });

async function create({ projects, deployment, now, random }: Session, flags: ProjectFlags): Promise<Report> {
  const createdAt = new Date(now()).toISOString();
  const project: Project = {
    id: composeProjectId(random(PROJECT_ID_RANDOM_BYTES)),
    status: 'active',
    createdAt,
    ...settingsOf(flags),
  };
  const issue = (kind: KeyKind) =>
    issueAccessKey({
      abbreviation: deployment.keyAbbreviation,
      kind,
      projectId: project.id,
      random: random(KEY_RANDOM_BYTES),
      createdAt,
    });
  const [publishable, secret] = [issue('publishable'), issue('secret')];
  await projects.createProject(project, [publishable.stored, secret.stored]);
  const created = { projectId: project.id, publishableKey: publishable.text, secretKey: secret.text };
  const shown = fields({
    project: created.projectId,
    'publishable key': created.publishableKey,
    'secret key': created.secretKey,
  });
  return { json: created, text: `${shown}\nThe keys are shown this once; only their hashes are stored.` };
}

async function change(session: Session, projectId: string, settings: ProjectChange): Promise<Report> {
  const project = await session.projects.updateProject(projectId, settings);
  if (project === undefined) throw noProject(projectId);
  return reportOf(project);
}

async function list({ projects, terminal }: Session): Promise<Report> {
  const all = await projects.list();
  const statusOf = ({ status, purgedAt }: Project) => (purgedAt === undefined ? status : 'being purged');
  const rows = all.map((project) => [project.id, project.name, statusOf(project), project.createdAt]);
  return {
    json: all.map(projectView),
    text:
      all.length === 0
        ? 'There are no projects.'
        : columns(['ID', 'NAME', 'STATUS', 'CREATED'], rows, terminal),
  };
}

export function addProjectCommands(program: Command, perform: Perform): void {
  const project = program.command('project').description('projects: the unit of isolation');

  withSettings(
    requireOption(
      project.command('create').description('create a project with a publishable and a secret key'),
      nameOption(),
    ),
  ).action(perform<ProjectFlags>(create));

  withSettings(
    project
      .command('update')
      .description('change settings; what is not named stays')
      .argument('<project>', 'id of the project')
      .addOption(nameOption()),
  ).action(
    perform<ProjectFlags>(async (session, flags, [projectId = '']) => {
      if (!hasSettings(flags)) throw misuse('Nothing to change: name a setting, such as --quiet-period 7d.');
      return change(session, projectId, changeOf(flags));
    }),
  );

  project
    .command('show')
    .description('show the settings of a project')
    .argument('<project>', 'id of the project')
    .action(
      perform(async ({ projects }, _, [projectId = '']) => {
        const record = await projects.read(projectId);
        if (record === undefined) throw noProject(projectId);
        return reportOf(record.project);
      }),
    );

  project.command('list').description('list all projects').action(perform(list));

  project
    .command('suspend')
    .description('refuse its publishable key; privacy and score routes go on')
    .argument('<project>', 'id of the project')
    .action(perform((session, _, [id = '']) => change(session, id, { status: 'suspended' })));

  project
    .command('resume')
    .description('end a suspension')
    .argument('<project>', 'id of the project')
    .action(perform((session, _, [id = '']) => change(session, id, { status: 'active' })));
}
