import { type Command, InvalidArgumentError, Option } from 'commander';
import { keyUseStore, projects } from '../../functions/runtime/parts/projects.ts';
import { writeDay } from '../../pages/results/figures.ts';
import { DAY, HOUR, SECOND } from '../../shared/domain/duration.ts';
import {
  ALL_SCOPES,
  KEY_KINDS,
  KEY_SCOPES,
  type KeyKind,
  type KeyScope,
  type ProjectKey,
  personScopes,
} from '../../shared/domain/project.ts';
import { failure, misuse } from './admin-error.ts';
import { type Perform, parseDurationWithin, projectCommand, type Report } from './command.ts';
import { noProject, type Session } from './session.ts';
import { columns, fields, timeText } from './terminal.ts';

/** The longest expiry is ten years. */
export const parseExpiry = parseDurationWithin({ min: SECOND, max: 3_650 * DAY });

/** Editor keys change data from browsers, so they last a working day by default. */
const EDITOR_EXPIRY = { unlessSaid: 12 * HOUR, max: 30 * DAY } as const;

const isOfPerson = (kind: KeyKind): kind is 'reader' | 'editor' => kind === 'reader' || kind === 'editor';

const scopesOf = ({ kind, scopes, comments }: NewKeyFlags): readonly KeyScope[] | undefined =>
  isOfPerson(kind) ? personScopes(kind, comments === true) : scopes;

interface KeyTerms {
  readonly kind: KeyKind;
  readonly scopes?: readonly KeyScope[] | undefined;
  readonly anyOrigin?: true | undefined;
  readonly expires?: number | undefined;
}

export async function addKey(
  session: Session,
  projectId: string,
  { kind, scopes, anyOrigin, expires }: KeyTerms,
): Promise<{ readonly key: ProjectKey; readonly text: string }> {
  const expiresAt = expires === undefined ? undefined : new Date(session.now() + expires).toISOString();
  const { text, stored } = await session.issueKey(kind, projectId, { scopes, expiresAt });
  const key: ProjectKey = { ...stored, anyOrigin };
  if (!(await projects(session.service).addKey(projectId, key))) throw noProject(projectId);
  return { key, text };
}

interface KeyFlags {
  readonly project: string;
}

interface NewKeyFlags extends KeyFlags {
  readonly kind: KeyKind;
  readonly scopes?: readonly KeyScope[];
  readonly anyOrigin?: true;
  readonly comments?: true;
  readonly expires?: number;
}

function parseScopes(text: string): readonly KeyScope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !KEY_SCOPES.some((scope) => scope === name));
  if (unknown === undefined) return KEY_SCOPES.filter((scope) => names.includes(scope));
  throw new InvalidArgumentError(`"${unknown}" is not a scope. The scopes are ${KEY_SCOPES.join(', ')}.`);
}

const listScopes = ({ kind, scopes }: ProjectKey): readonly KeyScope[] | undefined =>
  kind === 'publishable' ? undefined : (scopes ?? ALL_SCOPES);

function termsView(key: ProjectKey) {
  const scopes = listScopes(key);
  return {
    ...(scopes && { scopes }),
    ...(key.anyOrigin && { anyOrigin: key.anyOrigin }),
    ...(isOfPerson(key.kind) && { expiresAt: key.expiresAt ?? null }),
  };
}

const keyView = (key: ProjectKey) => ({
  keyId: key.id,
  kind: key.kind,
  ...termsView(key),
  createdAt: key.createdAt,
  revokedAt: key.revokedAt ?? null,
});

async function create(session: Session, flags: NewKeyFlags): Promise<Report> {
  const { project: projectId, kind, scopes, anyOrigin, comments, expires } = flags;
  if (anyOrigin && kind !== 'publishable') throw misuse('--any-origin is only for publishable keys.');
  if (scopes !== undefined && kind !== 'secret') throw misuse('--scopes is only for secret keys.');
  if (comments && !isOfPerson(kind)) throw misuse('--comments is only for reader and editor keys.');
  if (expires !== undefined && !isOfPerson(kind))
    throw misuse('--expires is only for reader and editor keys.');
  if (kind === 'editor' && expires !== undefined && expires > EDITOR_EXPIRY.max)
    throw misuse('--expires: an editor key expires after 30d at the latest.');
  const { key, text } = await addKey(session, projectId, {
    kind,
    scopes: scopesOf(flags),
    anyOrigin,
    expires: kind === 'editor' ? (expires ?? EDITOR_EXPIRY.unlessSaid) : expires,
  });
  const granted = listScopes(key);
  const shown = fields({
    id: key.id,
    kind,
    ...(granted && { scopes: granted.join(', ') }),
    ...(key.expiresAt !== undefined && { expires: timeText(key.expiresAt) }),
    key: text,
  });
  return {
    json: { keyId: key.id, kind, ...termsView(key), key: text },
    text: `${shown}\nSave the key now: it is not shown again, and only its hash is stored.`,
  };
}

const dayText = (day: string | undefined): string => (day === undefined ? '' : writeDay(day));

async function list(session: Session, { project }: KeyFlags): Promise<Report> {
  const { keys } = await session.record(project);
  const sorted = [...keys].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const noted = keys.filter(({ kind }) => kind !== 'publishable').map(({ hash }) => hash);
  const usedOn = await keyUseStore(session.service).read(project, noted);
  const rows = sorted.map((key) => [
    key.id,
    key.anyOrigin ? `${key.kind}, any origin` : key.kind,
    key.scopes?.join(',') ?? (key.kind === 'secret' ? 'all' : ''),
    timeText(key.createdAt),
    timeText(key.expiresAt),
    dayText(usedOn.get(key.hash)),
    timeText(key.revokedAt) || 'no',
  ]);
  return {
    json: sorted.map((key) => ({ ...keyView(key), lastUsed: usedOn.get(key.hash) ?? null })),
    text: columns(
      ['ID', 'KIND', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED', 'REVOKED'],
      rows,
      session.terminal,
    ),
  };
}

async function revoke(session: Session, { project }: KeyFlags, [keyId = '']: readonly string[]) {
  const { keys } = await session.record(project);
  const key = keys.find(({ id }) => id === keyId);
  const missing = failure(`Project ${project} has no key ${keyId}. "key list" shows its keys.`);
  if (key === undefined) throw missing;
  if (key.revokedAt !== undefined) {
    return {
      json: keyView(key),
      text: `${key.id} was already revoked on ${timeText(key.revokedAt)}.`,
    };
  }
  const revoked = await projects(session.service).revokeKey(
    project,
    key.hash,
    new Date(session.now()).toISOString(),
  );
  if (revoked === undefined) throw missing;
  const isLast = !keys.some(({ id, kind, revokedAt }) => id !== keyId && kind === key.kind && !revokedAt);
  if (isLast) session.terminal.note(`warning: project ${project} has no ${key.kind} key left.`);
  return { json: keyView(revoked), text: `${keyId} is revoked. Functions refuse it within 30 seconds.` };
}

export function addKeyCommands(program: Command, perform: Perform): void {
  const key = program.command('key').description('access keys of a project');

  const kind = new Option('--kind <kind>', 'kind of key').choices(KEY_KINDS);
  projectCommand(key, 'create', 'create a key and show it once', kind)
    .option(
      '--scopes <a,b>',
      `scopes of a secret key, from ${KEY_SCOPES.join(', ')}; defaults to all except contacts and surveys`,
      parseScopes,
    )
    .option('--comments', 'a reader or editor key that also shows comments and people')
    .option(
      '--expires <duration>',
      'when a reader or editor key expires, such as 90d; defaults to never, and to 12h for an editor key',
      parseExpiry,
    )
    .option('--any-origin', 'a publishable key for apps, not limited to the allowed origins')
    .action(perform(create));
  projectCommand(key, 'list', 'list keys and their IDs').action(perform(list));
  projectCommand(key, 'revoke', 'revoke a key permanently')
    .argument('<key>', 'ID of the key')
    .action(perform(revoke));
}
