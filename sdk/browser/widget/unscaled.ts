/** Fetched for surveys of the types `choice` and `open`, which have no scale. */

import type { Ask } from '../client/ask.ts';
import type { Kit } from '../client/kit.ts';
import type { FollowUp } from './follow-up.ts';
import looks from './looks.css';
import own from './unscaled.css';

/** The question with its field, what is below, and the words of a survey that asks only for words. */
export type Field = [HTMLElement, HTMLElement | string, FollowUp?];

export const css = looks + own;

function choiceField({ element }: Kit, { choices = [], question }: Ask['survey']): HTMLElement {
  const labels = choices.map(({ rating, label, low }) => {
    const input = element('input', {
      type: 'radio',
      name: 'r',
      value: `${rating}`,
      className: low ? 'low' : '',
    });
    return element('label', {}, input, element('bdi', {}, label));
  });
  const values = element('div', { className: 'values choice' }, ...labels);
  // The first draft of another choice still has the words for the choice before.
  values.onchange = () => values.dispatchEvent(new Event('input', { bubbles: true }));
  return element('fieldset', {}, element('legend', { className: 'title' }, question), values);
}

/** Send is disabled until there are words. */
async function textField({ element }: Kit, ask: Ask, host: HTMLElement): Promise<Field> {
  // It has the styles of the text area.
  await import('./follow-up.ts');
  void import('./hush.ts').then(({ hush }) => panel && hush(host, panel)).catch(() => undefined);
  const panel = host.shadowRoot?.querySelector('section');
  const text = element('textarea', { id: 't', maxLength: 5_000, dir: 'auto' });
  const title = element('label', { className: 'title', htmlFor: 't' }, ask.survey.question);
  const field = element('div', { className: 'more open' }, title, text);
  const words = () => (text.value.trim() ? text.value : undefined);
  field.oninput = (event) => {
    if (words()) return;
    event.stopPropagation();
    for (const send of field.parentElement?.querySelectorAll('button') ?? []) send.disabled = true;
    if (ask.drafted) ask.draft(0);
  };
  return [field, '', { show: () => undefined, detail: () => ({ text: words() }) }];
}

export const field = async (kit: Kit, ask: Ask, _: unknown, host: HTMLElement): Promise<Field> =>
  ask.survey.type === 'open' ? textField(kit, ask, host) : [choiceField(kit, ask.survey), ''];
