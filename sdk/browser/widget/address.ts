/** The field for an address, of a person whom the page has not named. */

import type { Strings } from '../../../shared/words/strings.ts';
import { element } from './element.ts';

/** Where it will be. */
export interface AddressPlace {
  readonly form: HTMLFormElement;
  /** The tick that brings it. */
  readonly contact: HTMLInputElement;
  /** Speaks to assistive technology. */
  readonly voice: HTMLElement;
}

export interface Address {
  readonly row: HTMLElement;
  readonly field: HTMLInputElement;
}

/**
 * While it is seen Send goes on only with an address that can be used. What is wrong is said below the field until it is
 * right.
 *
 * @param isEmail whether only what the browser takes for an e-mail address can be used, else whatever is not empty
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
    // Where the field has the focus already only the voice is heard.
    voice.textContent = fault.textContent = what;
  };
  field.oninput = () => {
    if (field.validity.valid) tell('');
  };
  contact.onchange = () => {
    voice.textContent = '';
    field.scrollIntoView({ block: 'nearest' });
  };
  // Before Send hears of it, which acts on the click.
  const insist = (event: Event) => {
    if (!field.offsetWidth || field.validity.valid) return;
    event.preventDefault();
    event.stopPropagation();
    tell(isEmail ? `${incomplete} (name@example.com)` : incomplete);
    field.focus();
    fault.scrollIntoView({ block: 'nearest' });
    // The box glides.
    form.dispatchEvent(new Event('change'));
  };
  form.querySelector('.send')?.addEventListener('click', insist, true);
  // What the browser says of a field is in its own language, also under the pointer.
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
