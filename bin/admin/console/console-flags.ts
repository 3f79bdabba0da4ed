import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod/mini';
import { readJson } from '../../../functions/identity/jwks-cache.ts';
import {
  CONSOLE_COMMENTS,
  type ConsoleComments,
  type ConsoleProvider,
  DEFAULT_GROUPS_CLAIM,
  isEntra,
  isGroup,
  parseMember,
} from '../../../shared/domain/console.ts';
import type { Project, ProjectChange } from '../../../shared/domain/project.ts';
import { type AdminError, failure, misuse } from '../admin-error.ts';

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

/**
 * Users can write some of these claims (OpenID Connect Core 1.0 §5.1). The others describe the token, not its groups.
 */
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

/** Also removes the members, because their groups belong to the provider. */
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

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Accepts https addresses, and http addresses on this machine. The URL must not contain a password. */
function isSafe(text: string, { loopback }: { readonly loopback: boolean }): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  // The host becomes part of the console's content security policy, where a quote would end its source.
  if (!/^[\w.:[\]-]+$/.test(url.host)) return false;
  return url.protocol === 'https:' || (loopback && url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

const texts = z.optional(z.array(z.string()));
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: texts,
  response_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  code_challenge_methods_supported: texts,
});
type Discovery = z.output<typeof discovery>;

/** See functions/identity/provider-token.ts. */
const ALGORITHMS = ['RS256', 'ES256'];
const SCOPES = ['openid', 'email', 'profile', 'groups'];

function scopeOf({ scopes_supported: known = ['openid', 'email', 'profile'] }: Discovery): string {
  return SCOPES.filter((scope) => scope === 'openid' || known.includes(scope)).join(' ');
}

const lacks = (listed: readonly string[] | undefined, ...wanted: readonly string[]): boolean =>
  listed !== undefined && !wanted.some((each) => listed.includes(each));

function problemOf(found: Discovery, issuer: string): string | undefined {
  if (found.issuer !== issuer) return `its issuer is "${found.issuer}"; use exactly that value`;
  const loopback = issuer.startsWith('http:');
  const { authorization_endpoint, token_endpoint, jwks_uri } = found;
  const unsafe = Object.entries({ authorization_endpoint, token_endpoint, jwks_uri }).find(
    ([, address]) => !isSafe(address, { loopback }),
  );
  if (unsafe !== undefined) return `its ${unsafe[0]} is not an https address`;
  if (lacks(found.response_types_supported, 'code')) return 'it does not support the authorization code flow';
  if (lacks(found.code_challenge_methods_supported, 'S256')) return 'it does not support PKCE with S256';
  if (lacks(found.id_token_signing_alg_values_supported, ...ALGORITHMS))
    return `it signs ID tokens with neither ${ALGORITHMS.join(' nor ')}`;
  return undefined;
}

const unread = (address: string, problem: string): AdminError =>
  failure(`The provider cannot be used: ${problem} (${address}).`);

async function readDiscovery(issuer: string, clientId: string): Promise<ConsoleProvider> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await readJson(address).catch((error: unknown) => {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
    throw unread(address, `its metadata cannot be read: ${why}`);
  });
  const parsed = z.safeParse(discovery, document);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw unread(address, `its metadata is not valid: ${fields || 'not an object'}`);
  }
  const problem = problemOf(parsed.data, issuer);
  if (problem !== undefined) throw unread(address, problem);
  const { authorization_endpoint, token_endpoint, jwks_uri } = parsed.data;
  return {
    issuer,
    clientId,
    authorizationEndpoint: authorization_endpoint,
    tokenEndpoint: token_endpoint,
    jwks: jwks_uri,
    scope: scopeOf(parsed.data),
  };
}
