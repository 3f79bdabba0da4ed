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
