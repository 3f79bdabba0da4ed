import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  CONSOLE_COMMENTS,
  type ConsoleComments,
  DEFAULT_GROUPS_CLAIM,
  isEntra,
  isGroup,
  parseMember,
} from '../../../shared/domain/console.ts';
import type { Project, ProjectChange } from '../../../shared/domain/project.ts';
import { misuse } from '../admin-error.ts';
import { isSafe, readDiscovery } from './discovery.ts';

export interface ConsoleFlags {
  readonly consoleIssuer?: string;
  readonly consoleClientId?: string;
  readonly consoleViewers?: readonly string[];
  readonly consoleEditors?: readonly string[];
  readonly consoleGroupsClaim?: string;
  readonly consoleComments?: ConsoleComments;
  readonly audience?: string;
  readonly jwks?: string;
}

const MOST_MEMBERS = 50;
const PLAIN = /^[\x21-\x7e]{1,255}$/;

/** Users can write some of these claims (OpenID Connect Core 1.0 §5.1); the others describe the token. */
const NO_GROUPS: ReadonlySet<string> = new Set(
  (
    'sub name given_name family_name middle_name nickname preferred_username profile picture website email ' +
    'email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at ' +
    'iss aud exp iat nbf azp nonce acr amr auth_time jti at_hash c_hash sid'
  ).split(' '),
);

function parseIssuer(text: string): string {
  if (text === 'none') return text;
  if (/^https:\/\/accounts\.google\.com\/?$/.test(text)) {
    throw new InvalidArgumentError(
      "Google's web clients require a secret, which a page cannot keep. Use Cognito, Entra or Okta, and let it federate Google.",
    );
  }
  if (isSafe(text, { loopback: true }) && !text.includes('?')) return text;
  throw new InvalidArgumentError(
    'It must be an https address exactly as the provider publishes it, or "none".',
  );
}

function parseClientId(text: string): string {
  if (PLAIN.test(text)) return text;
  throw new InvalidArgumentError('It must be the ID of a client, without spaces.');
}

function parseMembers(text: string): readonly string[] {
  if (text === 'none') return [];
  const members = text.split(',').map((entry) => {
    const member = parseMember(entry);
    if (member !== undefined) return member;
    throw new InvalidArgumentError(
      `"${entry.trim()}" must be group:NAME, name@example.com or *@example.com. To allow nobody, write none.`,
    );
  });
  if (members.length <= MOST_MEMBERS) return [...new Set(members)];
  throw new InvalidArgumentError(`At most ${MOST_MEMBERS} entries are allowed. Use a group instead.`);
}

function parseClaim(text: string): string {
  if (text.startsWith('custom:') || NO_GROUPS.has(text)) {
    throw new InvalidArgumentError(
      `Users may be able to set "${text}" themselves. Use a claim that holds groups.`,
    );
  }
  if (PLAIN.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a claim, such as groups or cognito:groups.');
}

export const withConsole = (command: Command): Command =>
  command
    .option(
      '--console-issuer <url>',
      'OpenID provider where people sign in to the console; "none" turns sign-in off',
      parseIssuer,
    )
    .option(
      '--console-client-id <id>',
      'client ID of the console at the provider: a public client that uses PKCE',
      parseClientId,
    )
    .option(
      '--console-viewers <a,b>',
      'who may view: group:NAME, name@example.com or *@example.com; "none" for nobody',
      parseMembers,
    )
    .option('--console-editors <a,b>', 'who may also make changes, in the same form', parseMembers)
    .option('--console-groups-claim <name>', 'claim that holds the groups; defaults to groups', parseClaim)
    .addOption(
      new Option(
        '--console-comments <who>',
        'who may read comments and see people; defaults to editors',
      ).choices(CONSOLE_COMMENTS),
    );

/** Members are removed too, because their groups belong to the provider. */
const NO_CONSOLE = {
  consoleProvider: null,
  consoleViewers: null,
  consoleEditors: null,
  consoleGroupsClaim: null,
  consoleComments: null,
} as const;

function refuseUnfit(change: ProjectChange, project: Project, { audience, jwks }: ConsoleFlags): void {
  const { issuer, clientId } = change.consoleProvider ?? project.consoleProvider ?? {};
  const isAsked = Object.values(change).some((value) => value !== undefined);
  if (issuer === undefined || clientId === undefined) {
    if (isAsked)
      throw misuse('Sign-in is not set up yet. Also give --console-issuer and --console-client-id.');
    return;
  }
  const usersAudience = jwks === 'none' ? undefined : (audience ?? project.identityProvider?.audience);
  if (clientId === usersAudience) {
    throw misuse(
      '--console-client-id and --audience must differ: otherwise every user of your product would hold tokens for the console. Create a separate client for the console.',
    );
  }
  const members = [
    ...(change.consoleViewers ?? project.consoleViewers ?? []),
    ...(change.consoleEditors ?? project.consoleEditors ?? []),
  ];
  const addresses = members.filter((member) => !isGroup(member));
  if (isEntra(issuer) && addresses.length > 0) {
    throw misuse(
      `Entra does not verify email addresses. Use groups or app roles instead of ${addresses.join(', ')}.`,
    );
  }
}

export async function consoleChange(project: Project, flags: ConsoleFlags): Promise<ProjectChange> {
  const { consoleIssuer: issuer, consoleClientId: clientId } = flags;
  const { consoleViewers, consoleEditors, consoleGroupsClaim, consoleComments } = flags;
  const others = { consoleViewers, consoleEditors, consoleGroupsClaim, consoleComments };
  if (issuer === 'none') {
    const isAlone = [clientId, ...Object.values(others)].every((value) => value === undefined);
    if (isAlone) return NO_CONSOLE;
    throw misuse(
      '--console-issuer none turns sign-in off, so it cannot be combined with other console options.',
    );
  }
  if ((issuer === undefined) !== (clientId === undefined)) {
    throw misuse('--console-issuer and --console-client-id must be given together.');
  }
  const consoleProvider =
    issuer === undefined || clientId === undefined ? undefined : await readDiscovery(issuer, clientId);
  const change = { consoleProvider, ...others };
  refuseUnfit(change, project, flags);
  return change;
}

export function consoleView({ consoleProvider, ...project }: Project) {
  if (consoleProvider === undefined) return null;
  return {
    ...consoleProvider,
    viewers: project.consoleViewers ?? [],
    editors: project.consoleEditors ?? [],
    groupsClaim: project.consoleGroupsClaim ?? DEFAULT_GROUPS_CLAIM,
    comments: project.consoleComments ?? 'editors',
  };
}

const whoText = (members: readonly string[]): string =>
  members.length === 0 ? 'nobody' : members.join(', ');

export function consoleFields(project: Project): Readonly<Record<string, string>> {
  const view = consoleView(project);
  if (view === null) return {};
  return {
    'console sign-in': `${view.issuer} (client ${view.clientId})`,
    'console viewers': whoText(view.viewers),
    'console editors': whoText(view.editors),
    'console groups': `claim ${view.groupsClaim}`,
    'console comments': view.comments,
  };
}

export function isForNobody(project: Project): boolean {
  const view = consoleView(project);
  return view !== null && view.viewers.length + view.editors.length === 0;
}
