/** How people sign in to the console of a project, as flags of `project update` (docs/contract.md §20). */

import { type Command, InvalidArgumentError, Option } from 'commander';

import {
  CONSOLE_COMMENTS,
  type ConsoleComments,
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
  /** Of the provider whose tokens the project's own users hold. */
  readonly audience?: string;
  readonly jwks?: string;
}

const MOST_MEMBERS = 50;
/** As a provider writes it: printable, without blanks. */
const PLAIN = /^[\x21-\x7e]{1,255}$/;

/**
 * Claims of OpenID Connect Core 1.0 §5.1 that people may write themselves, as in Cognito, and those that are of the
 * token: no group.
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
      "Google's web clients want a secret, which a page cannot keep: let Cognito, Entra or Okta federate it.",
    );
  }
  if (isSafe(text, { loopback: true }) && !text.includes('?')) return text;
  throw new InvalidArgumentError('It must be an https address, as the provider writes it, or "none".');
}

function parseClientId(text: string): string {
  if (PLAIN.test(text)) return text;
  throw new InvalidArgumentError('It must be the id of a client, without blanks.');
}

function parseMembers(text: string): readonly string[] {
  if (text === 'none') return [];
  const members = text.split(',').map((entry) => {
    const member = parseMember(entry);
    if (member !== undefined) return member;
    throw new InvalidArgumentError(
      `"${entry.trim()}" is none of group:NAME, name@example.com and *@example.com. For nobody, write none.`,
    );
  });
  if (members.length <= MOST_MEMBERS) return [...new Set(members)];
  throw new InvalidArgumentError(`At most ${MOST_MEMBERS}: make a group of them.`);
}

function parseClaim(text: string): string {
  if (text.startsWith('custom:') || NO_GROUPS.has(text)) {
    throw new InvalidArgumentError(
      `People may be able to write "${text}" themselves: name a claim of groups.`,
    );
  }
  if (PLAIN.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a claim, such as groups or cognito:groups.');
}

export const withConsole = (command: Command): Command =>
  command
    .option(
      '--console-issuer <url>',
      'the OpenID provider where people sign in to the console; "none" for none',
      parseIssuer,
    )
    .option('--console-client-id <id>', "the console's own client there, public and by PKCE", parseClientId)
    .option(
      '--console-viewers <a,b>',
      'who may look: group:NAME, name@example.com, *@example.com; "none"',
      parseMembers,
    )
    .option('--console-editors <a,b>', 'who may change things as well', parseMembers)
    .option('--console-groups-claim <name>', 'the claim that holds groups; groups unless said', parseClaim)
    .addOption(
      new Option('--console-comments <who>', 'who sees words and people; editors unless said').choices(
        CONSOLE_COMMENTS,
      ),
    );

/** Nothing of it stays: lists mean the groups of one provider. */
const NO_CONSOLE = {
  consoleProvider: null,
  consoleViewers: null,
  consoleEditors: null,
  consoleGroupsClaim: null,
  consoleComments: null,
} as const;

/** Who may stays together with how they sign in. @throws AdminError where these do not go together */
function refuseUnfit(change: ProjectChange, project: Project, { audience, jwks }: ConsoleFlags): void {
  const { issuer, clientId } = change.consoleProvider ?? project.consoleProvider ?? {};
  const isAsked = Object.values(change).some((value) => value !== undefined);
  if (issuer === undefined || clientId === undefined) {
    if (isAsked) throw misuse('Nobody signs in yet: name --console-issuer and --console-client-id as well.');
    return;
  }
  const usersAudience = jwks === 'none' ? undefined : (audience ?? project.identityProvider?.audience);
  if (clientId === usersAudience) {
    throw misuse(
      "--console-client-id and --audience are the same: every user of the product would hold the console's tokens. Make a client for the console alone.",
    );
  }
  const members = [
    ...(change.consoleViewers ?? project.consoleViewers ?? []),
    ...(change.consoleEditors ?? project.consoleEditors ?? []),
  ];
  const addresses = members.filter((member) => !isGroup(member));
  if (isEntra(issuer) && addresses.length > 0) {
    throw misuse(
      `Entra verifies no addresses: name groups or app roles in place of ${addresses.join(', ')}.`,
    );
  }
}

/** The provider's own description is read here, once. @throws AdminError where flags or provider do not fit */
export async function consoleChange(project: Project, flags: ConsoleFlags): Promise<ProjectChange> {
  const { consoleIssuer: issuer, consoleClientId: clientId } = flags;
  const { consoleViewers, consoleEditors, consoleGroupsClaim, consoleComments } = flags;
  const others = { consoleViewers, consoleEditors, consoleGroupsClaim, consoleComments };
  if (issuer === 'none') {
    const isAlone = [clientId, ...Object.values(others)].every((value) => value === undefined);
    if (isAlone) return NO_CONSOLE;
    throw misuse('--console-issuer none takes all of it away: name nothing else of the console.');
  }
  if ((issuer === undefined) !== (clientId === undefined)) {
    throw misuse('--console-issuer and --console-client-id go together.');
  }
  const consoleProvider =
    issuer === undefined || clientId === undefined ? undefined : await readDiscovery(issuer, clientId);
  const change = { consoleProvider, ...others };
  refuseUnfit(change, project, flags);
  return change;
}
