import type { Command } from 'commander';
import { consoleLink } from '../../../pages/person-links.ts';
import { personScopes } from '../../../shared/domain/project.ts';
import { misuse } from '../admin-error.ts';
import { type Perform, projectCommand, type Report } from '../command.ts';
import { serviceUrl } from '../deployment.ts';
import { addKey, parseExpiry } from '../key-commands.ts';
import type { Session } from '../session.ts';
import { fields, timeText } from '../terminal.ts';

export interface LinkFlags {
  readonly project: string;
  readonly comments?: true;
  /** Milliseconds. */
  readonly expires?: number;
  readonly url?: string;
}

export const addLinkFlags = (command: Command): Command =>
  command
    .option('--comments', 'also show comments and people')
    .option('--expires <duration>', 'when the link expires, such as 90d; defaults to never', parseExpiry)
    .option('--url <address>', "address of the service; defaults to the stack's ApiUrl");

function checked(url: string): string {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin !== undefined && (protocol === 'https:' || protocol === 'http:')) return origin;
  throw misuse('--url must be an address such as https://surveys.example.com.');
}

export async function linkPerson(
  session: Session,
  { project, comments, expires, url: ownUrl }: LinkFlags,
  linkTo: (service: string, key: string) => string,
): Promise<Report> {
  // Checks the address first, so that a failure leaves no key that nobody has seen.
  const service = ownUrl === undefined ? serviceUrl(session.deployment) : checked(ownUrl);
  const { key, text } = await addKey(session, project, {
    kind: 'reader',
    scopes: personScopes('reader', comments === true),
    expires,
  });
  const url = linkTo(service, text);
  const shown = fields({
    link: url,
    shows: comments ? 'numbers, comments and people' : 'numbers',
    expires: timeText(key.expiresAt) || 'never',
    key: key.id,
  });
  const ending = `Anyone with the link can see the results. To revoke it, run "key revoke ${key.id}".`;
  return { json: { url, keyId: key.id }, text: `${shown}\n${ending}` };
}

export function addConsoleCommands(program: Command, perform: Perform): void {
  const console = program.command('console').description('the console in a browser');
  addLinkFlags(
    projectCommand(
      console,
      'link',
      'create a reader key, and print a link that opens the console of a project in read-only mode',
    ),
  ).action(
    perform<LinkFlags>((session, flags) =>
      linkPerson(session, flags, (service, key) => consoleLink(service, flags.project, key)),
    ),
  );
}
