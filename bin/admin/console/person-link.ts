/** A reader key, and the link with which a person opens a page: `results link`, `console link`. */

import type { Command } from 'commander';
import { personScopes } from '../../../shared/domain/project.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { serviceUrl } from '../deployment.ts';
import { addKey, parseExpiry } from '../key-commands.ts';
import type { Session } from '../session.ts';
import { fields } from '../terminal.ts';

export interface LinkFlags {
  readonly project: string;
  readonly comments?: true;
  /** Milliseconds. */
  readonly expires?: number;
  readonly url?: string;
}

export const addLinkFlags = (command: Command): Command =>
  command
    .option('--comments', 'shows words and people, not numbers alone')
    .option('--expires <duration>', 'when the link ends, such as 90d; never unless said', parseExpiry)
    .option('--url <address>', "of the service, where it is another than the stack's ApiUrl");

function checked(url: string): string {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin !== undefined && (protocol === 'https:' || protocol === 'http:')) return origin;
  throw misuse('--url: must be an address such as https://surveys.example.com.');
}

/** @param linkTo the page at a service, opened with a key */
export async function linkPerson(
  session: Session,
  { project, comments, expires, url: ownUrl }: LinkFlags,
  linkTo: (service: string, key: string) => string,
): Promise<Report> {
  // Before a key is made: a failure here would leave one that was never shown.
  const service = ownUrl === undefined ? serviceUrl(session.deployment) : checked(ownUrl);
  const { key, text } = await addKey(session, project, {
    kind: 'reader',
    scopes: personScopes('reader', comments === true),
    expires,
  });
  const url = linkTo(service, text);
  const shown = fields({
    link: url,
    shows: comments ? 'numbers, words and people' : 'numbers',
    expires: key.expiresAt ?? 'not by itself',
    key: key.id,
  });
  const ending = `Anyone with the link sees the results; "key revoke ${key.id}" ends it.`;
  return { json: { url, keyId: key.id }, text: `${shown}\n${ending}` };
}
