/** Whom to write to about an answer. */

import type { Comment } from '../../shared/contract/results-schemas.ts';
import { type Html, html } from '../html.ts';

const looksLikeMail = (address: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);

type Answer = Pick<Comment, 'contact' | 'followUpRequested' | 'respondentId'>;

/** The address that somebody left, or who they are to the server; undefined where nobody may write to them. */
export function addressOf({ contact, followUpRequested, respondentId }: Answer): Html | undefined {
  const address = contact ?? (followUpRequested === true ? respondentId : null);
  if (address === null) return undefined;
  return looksLikeMail(address)
    ? html`<a href="mailto:${encodeURIComponent(address)}"><bdi>${address}</bdi></a>`
    : html`<bdi>${address}</bdi>`;
}
