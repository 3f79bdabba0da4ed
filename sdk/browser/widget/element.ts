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

/** On a 24×24 grid, hidden from assistive technology. */
export function drawing(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const CIRCLE = 'M12 2a10 10 0 1 0 .01 0z';

/** Popovers use the top layer, because transformed ancestors would position a fixed box. */
export function putInto(place: Element, host: HTMLElement, presentation: string): void {
  place.append(host);
  if (presentation === 'inline' || getComputedStyle(place).transform === 'none') return;
  host.popover = 'manual';
  host.showPopover();
}
