import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { purgeRecords } from '../../functions/runtime/parts/privacy.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { checkAccessKey, KEY_RANDOM_BYTES, parseAccessKey } from '../../shared/crypto/access-key.ts';
import { keyedHash } from '../../shared/crypto/derive.ts';
import { readVersionAsOperator, writeVersionAsOperator } from '../../shared/data/aws/operator-access.ts';
import { composeProjectId, deriveKeyId, PROJECT_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import type { KeyScope, Project, ProjectKey } from '../../shared/domain/project.ts';
import { modeOfPurge } from '../../shared/domain/purge.ts';
import { MINT_KEY_OUTPUT } from '../../shared/settings/stack-outputs.ts';
import { failure, misuse } from './admin-error.ts';
import type { Perform, Report } from './command.ts';
import { createProject, updateProject } from './project-commands.ts';
import { nameOption, type ProjectFlags, toSettings, withSettings } from './project-settings.ts';
import { type RetentionAgreement, withAgreement } from './retention-commands.ts';
import { noProject, type Session } from './session.ts';
import { applySurveys, assertFit } from './survey/apply.ts';
import { readSurveyFile } from './survey/read-survey-file.ts';
import { fields } from './terminal.ts';

interface EnsureFlags extends ProjectFlags, RetentionAgreement {
  readonly project?: string;
  readonly file?: string;
  readonly prune?: boolean;
  /** True selects the secret of the construct. */
  readonly mintKeySecret?: string | true;
}

const NOT_SETTINGS: ReadonlySet<string> = new Set('name project file prune mintKeySecret yes now'.split(' '));

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

async function settle(session: Session, flags: EnsureFlags, own: readonly string[], checkNew: () => void) {
  const { project: projectId, name, ...settings } = flags;
  if ((projectId === undefined) === (name === undefined)) throw misuse('Give either --name or --project.');
  const ensured =
    projectId === undefined
      ? await ensureProject(session, toSettings(flags, session.now()), checkNew)
      : { projectId: (await session.record(projectId)).project.id, isNew: false };
  const isChanged = own.some((flag) => !NOT_SETTINGS.has(flag));
  if (!ensured.isNew && isChanged) await updateProject(session, settings, ensured.projectId);
  return ensured;
}

async function ensure(session: Session, flags: EnsureFlags, own: readonly string[]): Promise<Report> {
  const { file, prune, yes, now } = flags;
  // Flags and file are checked before anything is created.
  const secretId = secretOf(session, flags);
  const read = file === undefined ? undefined : readSurveyFile(file);
  const checkNew = () => read && assertFit(read, []);
  const { projectId, isNew } = await settle(session, flags, own, checkNew);
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

/**
 * Derived from name and hash secret, so that concurrent runs share one id and only one creates it.
 * @param place number of purged projects of this name; ids are never reused
 */
function idOf(hashSecret: Uint8Array, name: string, place: number): string {
  const bytes = keyedHash(hashSecret, 'ensured-project', String(place), name);
  return composeProjectId(bytes.subarray(0, PROJECT_ID_RANDOM_BYTES));
}

async function currentId(session: Session, name: string): Promise<string> {
  const hashSecret = await session.hashSecret();
  for (let place = 0; ; place += 1) {
    const projectId = idOf(hashSecret, name, place);
    const records = await purgeRecords(session.service).list(projectId);
    const purge = records.find((record) => modeOfPurge(record) === 'account');
    if (purge === undefined) return projectId;
    if (purge.state === 'done') continue;
    throw failure(
      `The project ${name} (${projectId}) is being purged. Run this again when "purge status --project ${projectId}" shows done.`,
    );
  }
}

async function refuseNamesake({ service }: Session, { id, name }: Pick<Project, 'id' | 'name'>) {
  const all = await projects(service).list();
  const other = all.find((project) => project.name === name && project.id !== id && !project.purgedAt);
  if (other === undefined) return;
  throw failure(
    `A project ${name} exists that this command did not create. Give --project ${other.id} instead of --name, or choose another name.`,
  );
}

async function ensureProject(
  session: Session,
  settings: Omit<Project, 'id' | 'status' | 'createdAt'>,
  checkNew: () => void,
) {
  const { name } = settings;
  const projectId = await currentId(session, name);
  const isThere = async () => (await projects(session.service).read(projectId)) !== undefined;
  if (await isThere()) return { projectId, isNew: false };
  await refuseNamesake(session, { id: projectId, name });
  checkNew();
  try {
    await createProject(session, { ...settings, id: projectId }, []);
    return { projectId, isNew: true };
  } catch (error) {
    // A concurrent run has created the project.
    if (await isThere()) return { projectId, isNew: false };
    throw error;
  }
}

/**
 * The key is derived from the hash secret, so every run returns the same one. If it was revoked, the next derived key
 * replaces it.
 */
async function ensurePublishableKey(session: Session, projectId: string): Promise<string> {
  const hashSecret = await session.hashSecret();
  for (let place = 0; ; place += 1) {
    const bytes = keyedHash(hashSecret, 'ensured-key', projectId, `publishable ${place}`);
    const random = bytes.subarray(0, KEY_RANDOM_BYTES);
    const { text, stored } = await session.issueKey('publishable', projectId, { random });
    const find = async () => (await session.record(projectId)).keys.find(({ hash }) => hash === stored.hash);
    let known = await find();
    if (known === undefined) {
      await projects(session.service).addKey(projectId, stored);
      known = await find();
    }
    if (known === undefined) throw noProject(projectId);
    if (known.revokedAt === undefined) return text;
  }
}

const SCOPES: readonly KeyScope[] = ['mint'];

/** Secrets Manager is eventually consistent. */
const ATTEMPTS = 8;
const PAUSE_MS = 250;

function nextVersionId(projectId: string, versionId: string): string {
  const digits = createHash('sha256').update(`mint key\0${projectId}\0${versionId}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** @throws AdminError for anything but a key of this project */
function keyIn(text: string, secretId: string, projectId: string, session: Session, hashSecret: Uint8Array) {
  const claimed = parseAccessKey(session.deployment.keyAbbreviation, text);
  const presented = claimed && checkAccessKey(hashSecret, claimed);
  if (presented?.kind !== 'secret')
    throw failure(
      `The secret ${secretId} holds something other than a secret key of this deployment. Use an empty secret, or empty this one.`,
    );
  if (presented.projectId !== projectId)
    throw failure(
      `The secret ${secretId} holds a key of project ${presented.projectId}. Use another secret.`,
    );
  return presented;
}

/** Adds the key to the table if only the secret has it. */
async function completed(session: Session, projectId: string, hash: string): Promise<ProjectKey | undefined> {
  const find = async () => (await session.record(projectId)).keys.find((key) => key.hash === hash);
  const known = await find();
  if (known !== undefined) return known;
  const createdAt = new Date(session.now()).toISOString();
  const key = { id: deriveKeyId(hash), kind: 'secret', hash, createdAt, scopes: SCOPES } as const;
  await projects(session.service).addKey(projectId, key);
  return find();
}

/**
 * Keeps one working mint key in a secret, even with concurrent or interrupted runs. The key is written to the secret
 * first and to the table second, so an interrupted run can be completed. Each version id is derived from the version
 * that it replaces, so the first of two concurrent writers wins (decision 127).
 * @throws AdminError if the secret contains something else, or a key without the scope `mint`
 */
async function ensureMintKey(session: Session, projectId: string, secretId: string) {
  const hashSecret = await session.hashSecret();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const held = await readVersionAsOperator(secretId);
    if (held !== undefined) {
      const { hash } = keyIn(held.text, secretId, projectId, session, hashSecret);
      const key = await completed(session, projectId, hash);
      if (key !== undefined && key.revokedAt === undefined) {
        if (key.scopes?.includes('mint') === false)
          throw failure(
            `The key in the secret ${secretId} may not mint. Revoke it with "key revoke ${key.id}".`,
          );
        return { keyId: key.id };
      }
    }
    const { text } = await session.issueKey('secret', projectId);
    const next = nextVersionId(projectId, held?.versionId ?? '');
    const written = await writeVersionAsOperator(secretId, text, next);
    if (!written) await session.sleep(PAUSE_MS * attempt, new AbortController().signal);
  }
  throw failure(
    `The secret ${secretId} does not return the key that was stored in it. It may have been rolled back to an earlier version. Store a key in it yourself ("key create --scopes mint").`,
  );
}
