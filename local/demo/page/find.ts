export function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}

export function element(tag: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** Turns `visitor-7mc1` into `Visitor 7mc1`. */
export function nameOf(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
