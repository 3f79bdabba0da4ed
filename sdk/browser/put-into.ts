/**
 * Puts what was drawn into its place in the page. Where `<html>` is transformed, or else made what fixed boxes stand in,
 * ours would stand somewhere in the page and not in the window, were it not in the top layer.
 *
 * @param panel of `host`; of a fixed one `offsetParent` is what it stands in, if not the window (CSSOM View, WPT
 *   css/cssom-view/offsetParent-fixed.html; Chrome and Safari since 2025). Before, a transform alone is seen.
 */
export function putInto(place: Element, host: HTMLElement, panel: HTMLElement, presentation: string): void {
  place.append(host);
  if (
    presentation === 'inline' ||
    (panel.offsetParent !== place && getComputedStyle(place).transform === 'none')
  )
    return;
  host.popover = 'manual';
  host.showPopover();
}
