/** The page's elements, and HTML of ours put into them. */

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
    /** Not in every browser yet. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(text: string): string }): Policy;
    };
  }
}

/** Browsers that know trusted types take HTML from here alone; the page's policy says so. */
const policy = window.trustedTypes?.createPolicy('canvass', { createHTML: (text: string) => text });

export function show(element: Element, { text }: Html): void {
  Object.assign(element, { innerHTML: policy?.createHTML(text) ?? text });
}

/** Items behind those that are there, or in their place. */
export function list(element: Element, items: Html, isMore: boolean): void {
  const template = document.createElement('template');
  show(template, items);
  if (!isMore) element.replaceChildren();
  element.append(template.content);
}

/** The value of the button that is chosen. */
export const chosen = (group: Element): string =>
  group.querySelector<HTMLInputElement>('input:checked')?.value ?? '';

export function choose(group: Element, value: string): void {
  for (const input of group.querySelectorAll<HTMLInputElement>('input'))
    input.checked = input.value === value;
}
