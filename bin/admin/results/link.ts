/** `results link`: a reader key, and the link with which a person opens the page of results. */

import { resultsLink } from '../../../pages/results/page.ts';
import { personScopes } from '../../../shared/domain/project.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { serviceUrl } from '../deployment.ts';
import { addKey } from '../key-commands.ts';
import type { Session } from '../session.ts';
import { fields } from '../terminal.ts';

export interface LinkFlags {
  readonly project: string;
  readonly comments?: true;
  /** Milliseconds. */
  readonly expires?: number;
  readonly url?: string;
}

function checked(url: string): string {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin !== undefined && (protocol === 'https:' || protocol === 'http:')) return origin;
  throw misuse('--url: must be an address such as https://surveys.example.com.');
}

export async function linkResults(
  session: Session,
  { project, comments, expires, url: ownUrl }: LinkFlags,
): Promise<Report> {
  // Before a key is made: a failure here would leave one that was never shown.
  const service = ownUrl === undefined ? serviceUrl(session.deployment) : checked(ownUrl);
  const { key, text } = await addKey(session, project, {
    kind: 'reader',
    scopes: personScopes('reader', comments === true),
    expires,
  });
  const url = resultsLink(service, text);
  const shown = fields({
    link: url,
    shows: comments ? 'numbers, words and people' : 'numbers',
    expires: key.expiresAt ?? 'not by itself',
    key: key.id,
  });
  const ending = `Anyone with the link sees the results; "key revoke ${key.id}" ends it.`;
  return { json: { url, keyId: key.id }, text: `${shown}\n${ending}` };
}
