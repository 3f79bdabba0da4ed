/** docs/contract.md §17.5. */

import type { Answer, Handled, Response } from './answer.ts';

export const CONTACT_STATES = ['open', 'handled'] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

type Asking = Response & { readonly followUpRequested: true };

export const asksForContact = (answer: Answer | undefined): answer is Asking =>
  answer?.kind === 'response' && answer.followUpRequested === true;

export const contactStateOf = ({ handled }: Pick<Response, 'handled'>): ContactState =>
  handled === undefined ? 'open' : 'handled';

/** An omitted note keeps the old one. An empty note counts as none. */
export const isHandledSo = ({ note: standing = '' }: Handled, note: string | undefined): boolean =>
  note === undefined || note === standing;
