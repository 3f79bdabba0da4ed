import type { Command } from 'commander';
import { identitySecrets } from '../../functions/runtime/parts/projects.ts';
import {
  IDENTITY_NONCE_BYTES,
  IDENTITY_SECRET_BYTES,
  IDENTITY_SECRET_ID_BYTES,
  sealIdentitySecret,
} from '../../shared/crypto/identity-secret.ts';
import {
  describeRing,
  rotateTokenRing,
  TOKEN_KEY_ID_RANDOM_BYTES,
  TOKEN_KEY_SECRET_BYTES,
  type TokenRing,
} from '../../shared/crypto/token-ring.ts';
import type { IdentitySecret } from '../../shared/domain/project.ts';
import { failure } from './admin-error.ts';
import { type Perform, projectCommand, type Report } from './command.ts';
import { createTokenRingStore, noProject, type Session } from './session.ts';
import { columns, fields, timeText } from './terminal.ts';

interface IdentityFlags {
  readonly project: string;
}

const secretView = ({ id, createdAt }: IdentitySecret) => ({ secretId: id, createdAt });

async function createIdentitySecret(
  session: Session,
  { project: projectId }: IdentityFlags,
): Promise<Report> {
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

async function listIdentitySecrets(session: Session, { project }: IdentityFlags): Promise<Report> {
  const { identitySecrets } = await session.record(project);
  const sorted = [...identitySecrets].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const rows = sorted.map(({ id, createdAt }) => [id, timeText(createdAt)]);
  return { json: sorted.map(secretView), text: columns(['ID', 'CREATED'], rows, session.terminal) };
}

async function revokeIdentitySecret(
  session: Session,
  { project }: IdentityFlags,
  [id = '']: readonly string[],
) {
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
  projectCommand(secret, 'create', 'create a secret and show it once').action(perform(createIdentitySecret));
  projectCommand(secret, 'list', 'list the IDs of secrets').action(perform(listIdentitySecrets));
  projectCommand(secret, 'revoke', 'revoke a secret, so that its tokens are refused')
    .argument('<secret>', 'ID of the secret')
    .action(perform(revokeIdentitySecret));
}

const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();

function tokenKeyReport(ring: TokenRing, { now, terminal }: Session): Report {
  const json = describeRing(ring, now()).map(({ key, state, uselessFrom }) => ({
    keyId: key.id,
    state,
    activeFrom: timestamp(key.activeFrom),
    uselessFrom: uselessFrom === undefined ? null : timestamp(uselessFrom),
  }));
  const rows = json.map(({ keyId, state, activeFrom, uselessFrom }) => [
    keyId,
    state,
    timeText(activeFrom),
    timeText(uselessFrom),
  ]);
  return { json, text: columns(['ID', 'STATE', 'ACTIVE FROM', 'USELESS FROM'], rows, terminal) };
}

async function listTokenKeys(session: Session): Promise<Report> {
  return tokenKeyReport(await createTokenRingStore(session.deployment.origin).read(), session);
}

async function rotateTokenKeys(session: Session): Promise<Report> {
  const store = createTokenRingStore(session.deployment.origin);
  const id = Buffer.from(session.random(TOKEN_KEY_ID_RANDOM_BYTES)).toString('hex');
  const secret = session.random(TOKEN_KEY_SECRET_BYTES);
  const ring = rotateTokenRing(await store.read(), { id, secret }, session.now());
  await store.write(ring);
  session.terminal.note(`Key ${id} becomes active on ${timeText(timestamp(ring.at(-1)?.activeFrom ?? 0))}.`);
  return tokenKeyReport(ring, session);
}

export function addTokenKeyCommands(program: Command, perform: Perform): void {
  const tokenKey = program.command('token-key').description('keys that seal show-tokens');
  tokenKey
    .command('rotate')
    .description('add a key that becomes active in ten minutes, and remove keys that no live token needs')
    .action(perform(rotateTokenKeys));
  tokenKey.command('list').description('list keys without their key material').action(perform(listTokenKeys));
}
