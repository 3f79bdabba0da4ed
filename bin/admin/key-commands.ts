/** `key create|list|revoke`. */

import { type Command, Option } from 'commander';
import { issueAccessKey, KEY_RANDOM_BYTES } from '../../shared/crypto/access-key.ts';
import { KEY_KINDS, type KeyKind, type ProjectKey } from '../../shared/domain/project.ts';
import { failure, misuse } from './admin-error.ts';
import { type Perform, type Report, requireProject } from './command.ts';
import { noProject, type Session } from './session.ts';
import { columns, fields } from './terminal.ts';

interface KeyFlags {
  readonly project: string;
}

interface NewKeyFlags extends KeyFlags {
  readonly kind: KeyKind;
  readonly anyOrigin?: true;
}

const keyView = ({ id, kind, createdAt, revokedAt, anyOrigin }: ProjectKey) => ({
  keyId: id,
  kind,
  ...(anyOrigin && { anyOrigin }),
  createdAt,
  revokedAt: revokedAt ?? null,
});

async function create(
  session: Session,
  { project: projectId, kind, anyOrigin }: NewKeyFlags,
): Promise<Report> {
  if (anyOrigin && kind !== 'publishable') throw misuse('--any-origin is for publishable keys.');
  const { text, stored } = issueAccessKey({
    abbreviation: session.deployment.keyAbbreviation,
    kind,
    projectId,
    random: session.random(KEY_RANDOM_BYTES),
    createdAt: new Date(session.now()).toISOString(),
  });
  if (!(await session.projects.addKey(projectId, { ...stored, anyOrigin }))) throw noProject(projectId);
  const shown = fields({ id: stored.id, kind, key: text });
  return {
    json: { keyId: stored.id, kind, ...(anyOrigin && { anyOrigin }), key: text },
    text: `${shown}\nThe key is shown this once; only its hash is stored.`,
  };
}

async function list(session: Session, { project }: KeyFlags): Promise<Report> {
  const { keys } = await session.record(project);
  const sorted = [...keys].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const secrets = keys.filter(({ kind }) => kind === 'secret').map(({ hash }) => hash);
  const usedOn = await session.keyUse.read(project, secrets);
  const rows = sorted.map(({ id, kind, hash, createdAt, revokedAt, anyOrigin }) => [
    id,
    anyOrigin ? `${kind}, any origin` : kind,
    createdAt,
    usedOn.get(hash) ?? '',
    revokedAt ?? 'no',
  ]);
  return {
    json: sorted.map((key) => ({ ...keyView(key), lastUsed: usedOn.get(key.hash) ?? null })),
    text: columns(['ID', 'KIND', 'CREATED', 'LAST USED', 'REVOKED'], rows, session.terminal),
  };
}

async function revoke(session: Session, { project }: KeyFlags, [keyId = '']: readonly string[]) {
  const { keys } = await session.record(project);
  const key = keys.find(({ id }) => id === keyId);
  const missing = failure(`There is no key ${keyId} in project ${project}; "key list" shows them.`);
  if (key === undefined) throw missing;
  if (key.revokedAt !== undefined) {
    return { json: keyView(key), text: `${key.id} has been revoked since ${key.revokedAt}.` };
  }
  const revoked = await session.projects.revokeKey(project, key.hash, new Date(session.now()).toISOString());
  if (revoked === undefined) throw missing;
  const isLast = !keys.some(({ id, kind, revokedAt }) => id !== keyId && kind === key.kind && !revokedAt);
  if (isLast) session.terminal.note(`warning: project ${project} has no ${key.kind} key left.`);
  return { json: keyView(revoked), text: `${keyId} is revoked; functions refuse it within 30 seconds.` };
}

export function addKeyCommands(program: Command, perform: Perform): void {
  const key = program.command('key').description('access keys of a project');

  const ofProject = (name: string, description: string, ...options: readonly Option[]): Command =>
    requireProject(key.command(name).description(description), ...options);

  const kind = new Option('--kind <kind>', 'who will hold it').choices(KEY_KINDS);
  ofProject('create', 'create a key and show it, once', kind)
    .option('--any-origin', 'a publishable key for apps: the allowed origins do not bind it')
    .action(perform<NewKeyFlags>(create));
  ofProject('list', 'list keys by id').action(perform<KeyFlags>(list));
  ofProject('revoke', 'revoke a key; this cannot be undone')
    .argument('<key>', 'id of the key')
    .action(perform<KeyFlags>(revoke));
}
