import type { Strings } from '../../../shared/words/strings.ts';
import type { Kit } from '../client/kit.ts';

export interface AddressPlace extends Pick<Kit, 'element'> {
  readonly form: HTMLFormElement;
  readonly send: HTMLElement;
  readonly contact: HTMLInputElement;
  readonly voice: HTMLElement;
}

export interface Address {
  readonly row: HTMLElement;
  readonly field: HTMLInputElement;
}

/**
 * While visible, the field blocks Send until the address is usable. The error stays visible until then.
 *
 * @param isEmail validates like the browser; otherwise any text is accepted
 */
export function createAddress(
  { element, form, send, contact, voice }: AddressPlace,
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
    // For a field with focus, only the live region is announced.
    voice.textContent = fault.textContent = what;
  };
  field.oninput = () => {
    if (field.validity.valid) tell('');
  };
  contact.onchange = () => {
    voice.textContent = '';
    field.scrollIntoView({ block: 'nearest' });
  };
  // Handles clicks before Send does.
  const insist = (event: Event) => {
    if (!field.offsetWidth || field.validity.valid) return;
    event.preventDefault();
    event.stopPropagation();
    tell(isEmail ? `${incomplete} (name@example.com)` : incomplete);
    field.focus();
    fault.scrollIntoView({ block: 'nearest' });
    form.dispatchEvent(new Event('change'));
  };
  send.addEventListener('click', insist, true);
  // The browser's own messages are in the browser's language.
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
