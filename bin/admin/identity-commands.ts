import type { Command } from 'commander';
import { identitySecrets } from '../../functions/runtime/parts/projects.ts';
import {
  IDENTITY_NONCE_BYTES,
  IDENTITY_SECRET_BYTES,
  IDENTITY_SECRET_ID_BYTES,
  sealIdentitySecret,
} from '../../shared/crypto/identity-secret.ts';
import type { IdentitySecret } from '../../shared/domain/project.ts';
import { failure } from './admin-error.ts';
import { type Perform, type Report, requireProject } from './command.ts';
import { noProject, type Session } from './session.ts';
import { columns, fields, timeText } from './terminal.ts';

interface IdentityFlags {
  readonly project: string;
}

const secretView = ({ id, createdAt }: IdentitySecret) => ({ secretId: id, createdAt });

async function create(session: Session, { project: projectId }: IdentityFlags): Promise<Report> {
  const id = Buffer.from(session.random(IDENTITY_SECRET_ID_BYTES)).toString('hex');
  const secret = Buffer.from(session.random(IDENTITY_SECRET_BYTES)).toString('base64url');
  const nonce = session.random(IDENTITY_NONCE_BYTES);
  const sealed = sealIdentitySecret(await session.hashSecret(), projectId, { id, secret, nonce });
  const createdAt = new Date(session.now()).toISOString();
  const outcome = await identitySecrets(session.service).add(projectId, { id, createdAt, sealed });
  if (outcome === 'no project') throw noProject(projectId);
  if (outcome !== 'added') {
    throw failure(`Project ${projectId} already has two identity secrets. Revoke one first.`);
  }
  return {
    json: { secretId: id, secret },
    text: `${fields({ id, secret })}\nSave the secret now: it is not shown again.`,
  };
}

async function list(session: Session, { project }: IdentityFlags): Promise<Report> {
  const { identitySecrets } = await session.record(project);
  const sorted = [...identitySecrets].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const rows = sorted.map(({ id, createdAt }) => [id, timeText(createdAt)]);
  return { json: sorted.map(secretView), text: columns(['ID', 'CREATED'], rows, session.terminal) };
}

async function revoke(session: Session, { project }: IdentityFlags, [id = '']: readonly string[]) {
  const { identitySecrets: kept } = await session.record(project);
  const secret = kept.find((each) => each.id === id);
  const revokedAt = new Date(session.now()).toISOString();
  if (secret === undefined || !(await identitySecrets(session.service).revoke(project, id, revokedAt))) {
    throw failure(`Project ${project} has no identity secret ${id}. "identity secret list" shows them.`);
  }
  if (kept.length === 1) {
    session.terminal.note(`warning: project ${project} has no identity secret left.`);
  }
  return {
    json: { ...secretView(secret), revokedAt },
    text: `${id} is revoked. Functions refuse its tokens within 30 seconds.`,
  };
}

export function addIdentityCommands(program: Command, perform: Perform): void {
  const identity = program.command('identity').description('signed user tokens');
  const secret = identity
    .command('secret')
    .description("secrets that sign users' tokens, up to two per project");
  const ofProject = (name: string, description: string): Command =>
    requireProject(secret.command(name).description(description));

  ofProject('create', 'create a secret and show it once').action(perform(create));
  ofProject('list', 'list the IDs of secrets').action(perform(list));
  ofProject('revoke', 'revoke a secret, so that its tokens are refused')
    .argument('<secret>', 'ID of the secret')
    .action(perform(revoke));
}
