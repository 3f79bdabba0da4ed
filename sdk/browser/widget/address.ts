/** The address field for a person whom the page has not identified. */

import type { Strings } from '../../../shared/words/strings.ts';
import { element } from './element.ts';

export interface AddressPlace {
  readonly form: HTMLFormElement;
  /** The checkbox that reveals it. */
  readonly contact: HTMLInputElement;
  readonly voice: HTMLElement;
}

export interface Address {
  readonly row: HTMLElement;
  readonly field: HTMLInputElement;
}

/**
 * While visible, it blocks Send until the address is usable. The error stays below the field until it is fixed.
 *
 * @param isEmail whether it must be an e-mail address by the browser's rules; otherwise any text
 */
export function createAddress(
  { form, contact, voice }: AddressPlace,
  { contactAddress, incomplete }: Pick<Required<Strings>, 'contactAddress' | 'incomplete'>,
  isEmail: boolean,
): Address {
  const field = element('input', {
    id: 'e',
    type: isEmail ? 'email' : 'text',
    autocomplete: isEmail ? 'email' : 'on',
    maxLength: 256,
    required: true,
    dir: 'auto',
  });
  field.setAttribute('aria-describedby', 'w');
  const fault = element('p', { id: 'w' });
  const tell = (what: string) => {
    field.ariaInvalid = `${what !== ''}`;
    // If the field already has the focus, only the live region is announced.
    voice.textContent = fault.textContent = what;
  };
  field.oninput = () => {
    if (field.validity.valid) tell('');
  };
  contact.onchange = () => {
    voice.textContent = '';
    field.scrollIntoView({ block: 'nearest' });
  };
  // Capture phase, before Send handles the click.
  const insist = (event: Event) => {
    if (!field.offsetWidth || field.validity.valid) return;
    event.preventDefault();
    event.stopPropagation();
    tell(isEmail ? `${incomplete} (name@example.com)` : incomplete);
    field.focus();
    fault.scrollIntoView({ block: 'nearest' });
    form.dispatchEvent(new Event('change'));
  };
  form.querySelector('.send')?.addEventListener('click', insist, true);
  // Native validation messages use the browser's language, even in tooltips.
  form.noValidate = true;
  const row = element(
    'div',
    { className: 'address' },
    element('label', { htmlFor: 'e' }, contactAddress),
    field,
    fault,
  );
  return { row, field };
}
