/** An element with attributes and children. */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  return filled(document.createElement(tag), attributes, children);
}

/** A line drawing on a 24 by 24 field, hidden from assistive technology. */
export function drawing(path: string): SVGElement {
  const part = (tag: string, attributes: Readonly<Record<string, string>>, children: Node[]): SVGElement =>
    filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  return part('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [part('path', { d: path }, [])]);
}

function filled<E extends Element>(
  made: E,
  attributes: Readonly<Record<string, string>>,
  children: (Node | string)[],
): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
