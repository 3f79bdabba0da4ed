/** People who asked to be contacted, and whether somebody has seen to it (docs/contract.md §17.5). */

import type { Answer, Handled, Response } from './answer.ts';

export const CONTACT_STATES = ['open', 'handled'] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

type Asking = Response & { readonly followUpRequested: true };

/** Whether an answer asks to be contacted: one that was withdrawn does not. */
export const asksForContact = (answer: Answer | undefined): answer is Asking =>
  answer?.kind === 'response' && answer.followUpRequested === true;

export const contactStateOf = ({ handled }: Pick<Response, 'handled'>): ContactState =>
  handled === undefined ? 'open' : 'handled';

/**
 * Whether saying so changes nothing: without a note what stands is kept.
 * @param note an empty one is none
 */
export const isHandledSo = ({ note: standing = '' }: Handled, note: string | undefined): boolean =>
  note === undefined || note === standing;
