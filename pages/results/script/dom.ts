/** Finds elements and inserts HTML. */

import type { Html } from '../../html.ts';

export function find<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`no ${id}`);
}

interface Policy {
  createHTML(text: string): unknown;
}
declare global {
  interface Window {
    /** Some browsers do not have trusted types. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(text: string): string }): Policy;
    };
  }
}

/** The page's policy requires trusted types, and only this policy may create HTML. */
const policy = window.trustedTypes?.createPolicy('canvass', { createHTML: (text: string) => text });

export function show(element: Element, { text }: Html): void {
  Object.assign(element, { innerHTML: policy?.createHTML(text) ?? text });
}

export function list(element: Element, items: Html, isMore: boolean): void {
  const template = document.createElement('template');
  show(template, items);
  if (!isMore) element.replaceChildren();
  element.append(template.content);
}

export const chosen = (group: Element): string =>
  group.querySelector<HTMLInputElement>('input:checked')?.value ?? '';

export function choose(group: Element, value: string): void {
  for (const input of group.querySelectorAll<HTMLInputElement>('input'))
    input.checked = input.value === value;
}

/** Closes after a choice, on Escape, and on clicks elsewhere. */
export function closeAfterUse(menu: HTMLDetailsElement): void {
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
}
