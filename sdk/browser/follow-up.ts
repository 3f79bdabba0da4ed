import type { AnswerDetail } from './ask.ts';
import { element } from './element.ts';
import type { Strings } from './widget-options.ts';

export interface FollowUp {
  readonly parts: readonly HTMLElement[];
  readonly detail: () => AnswerDetail;
}

/**
 * What may be added to a rating: words, and after a low one the wish to be contacted. Somebody whom the page has not named
 * is asked for an address with that.
 */
export function followUp(question: string, low: boolean, anonymous: boolean, words: Strings): FollowUp {
  const text = element('textarea', { id: 't', rows: 3, maxLength: 5_000, dir: 'auto' });
  const contact = element('input', { type: 'checkbox' });
  const address = element('input', { type: 'email', maxLength: 256 });
  const parts = [];
  if (question) parts.push(element('label', { className: 'title', htmlFor: 't' }, question), text);
  if (low) parts.push(element('label', { className: 'contact' }, contact, words.contact));
  if (low && anonymous) parts.push(element('label', { className: 'address' }, words.contactAddress, address));
  return {
    parts,
    detail: () => ({
      text: text.value || undefined,
      followUpRequested: low ? contact.checked : undefined,
      contact: (contact.checked && address.value) || undefined,
    }),
  };
}
