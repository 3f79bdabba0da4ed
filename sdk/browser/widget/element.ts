/** An element with properties and children. */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing on a 24 by 24 field, hidden from assistive technology. */
export function drawing(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** The outline of a face, and of a sign. */
export const CIRCLE = 'M12 2a10 10 0 1 0 .01 0z';

/**
 * Puts what was drawn into its place in the page. In one that is transformed a fixed box would stand somewhere in the page
 * and not in the window, were it not in the top layer.
 */
export function putInto(place: Element, host: HTMLElement, presentation: string): void {
  place.append(host);
  if (presentation === 'inline' || getComputedStyle(place).transform === 'none') return;
  host.popover = 'manual';
  host.showPopover();
}
