/**
 * `project ensure`: creates a project, its surveys and its mint key for a pipeline. Running it again changes nothing.
 */

import type { Command } from 'commander';
import { MINT_KEY_OUTPUT } from '../../../shared/settings/stack-outputs.ts';
import { misuse } from '../admin-error.ts';
import type { Perform, Report } from '../command.ts';
import { updateProject } from '../project-commands.ts';
import { nameOption, type ProjectFlags, toSettings, withSettings } from '../project-settings.ts';
import { type RetentionAgreement, withAgreement } from '../retention/change-retention.ts';
import type { Session } from '../session.ts';
import { applySurveys } from '../survey/apply.ts';
import { readSurveyFile } from '../survey/read-survey-file.ts';
import { fields } from '../terminal.ts';
import { ensureProject, ensurePublishableKey } from './ensured-project.ts';
import { ensureMintKey } from './mint-key.ts';

interface EnsureFlags extends ProjectFlags, RetentionAgreement {
  readonly project?: string;
  readonly file?: string;
  readonly prune?: boolean;
  /** True: use the construct's secret. */
  readonly mintKeySecret?: string | true;
}

const NOT_SETTINGS: ReadonlySet<string> = new Set([
  'name',
  'project',
  'file',
  'prune',
  'mintKeySecret',
  'yes',
  'now',
]);

/** @throws AdminError when the stack has no such secret */
function secretOf({ deployment: { origin } }: Session, { mintKeySecret }: EnsureFlags): string | undefined {
  if (mintKeySecret === undefined) return undefined;
  if (origin.kind === 'local')
    throw misuse(
      'A local instance has no Secrets Manager. Leave --mint-key-secret out, and run "key create".',
    );
  if (mintKeySecret !== true) return mintKeySecret;
  const own = origin.optional(MINT_KEY_OUTPUT);
  if (own !== undefined) return own;
  throw misuse(
    'The stack has no secret for a mint key. Use grantMint to create one, or give the name of your own.',
  );
}

async function settle(session: Session, flags: EnsureFlags, own: readonly string[]) {
  const { project: projectId, name, ...settings } = flags;
  if ((projectId === undefined) === (name === undefined)) throw misuse('Give either --name or --project.');
  const ensured =
    projectId === undefined
      ? await ensureProject(session, toSettings(flags, session.now()))
      : { projectId: (await session.record(projectId)).project.id, isNew: false };
  const isChanged = own.some((flag) => !NOT_SETTINGS.has(flag));
  if (!ensured.isNew && isChanged) await updateProject(session, settings, ensured.projectId);
  return ensured;
}

async function ensure(session: Session, flags: EnsureFlags, own: readonly string[]): Promise<Report> {
  const { file, prune, yes, now } = flags;
  // Validate flags and file before anything is created.
  const secretId = secretOf(session, flags);
  if (file !== undefined) readSurveyFile(file);
  const { projectId, isNew } = await settle(session, flags, own);
  const surveys =
    file === undefined
      ? undefined
      : await applySurveys(session, {
          ...{ project: projectId, file, isUnattended: true },
          ...(prune && { prune }),
          ...(yes && { yes }),
          ...(now && { now }),
        });
  const publishableKey = await ensurePublishableKey(session, projectId);
  const mintKey = secretId === undefined ? undefined : await ensureMintKey(session, projectId, secretId);
  const shown = fields({
    project: isNew ? `${projectId} (new)` : projectId,
    'publishable key': publishableKey,
    ...(surveys && { surveys: surveys.text }),
    ...(mintKey && { 'mint key': `${mintKey.keyId}, in the secret ${secretId}` }),
  });
  return {
    json: {
      projectId,
      publishableKey,
      created: isNew,
      surveys: surveys?.json ?? null,
      mintKey: mintKey === undefined ? null : { keyId: mintKey.keyId, secretId },
    },
    text: shown,
  };
}

export function addEnsureCommand(program: Command, perform: Perform): void {
  const project = program.commands.find((command) => command.name() === 'project');
  if (project === undefined) throw new Error('the commands of projects come first');
  const command = withAgreement(
    withSettings(
      project
        .command('ensure')
        .description(
          'for pipelines: create the project, surveys and mint key that are missing, and update the rest',
        )
        .addOption(nameOption()),
    ),
  )
    .option('--project <id>', 'ID of an existing project, instead of --name')
    .option('-f, --file <file>', 'survey file, YAML or JSON')
    .option('--prune', 'archive surveys that are not in the file')
    .option(
      '--mint-key-secret [id]',
      'name or ARN of the secret in Secrets Manager that stores the mint key; defaults to the construct’s secret',
    );
  command.action(
    perform<EnsureFlags>((session, flags) => ensure(session, flags, Object.keys(command.opts()))),
  );
}
