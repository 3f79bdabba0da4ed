import { LEAVE_MS } from '../client/times.ts';

/** The box of a step is much higher or lower than that of the one before: it becomes so, and does not jump. */
export function glide(panel: HTMLElement, form: Element): void {
  if (!matchMedia('(prefers-reduced-motion: no-preference)').matches) return;
  const sizes = getComputedStyle(panel);
  // What stands on the lower edge of the window keeps its last row, where Send is; thumbs, which have no form, their first.
  const isLower = form !== panel && panel.matches('.banner, .corner:not([class*=top])');
  const alignContent = isLower ? 'end' : 'start';
  let { height, width } = sizes;
  let moving: Animation | undefined;
  const move = () => {
    const [before, wide] = [height, width];
    moving?.cancel();
    ({ height, width } = sizes);
    if (height === before && width === wide) return;
    // Of any other step the width is the new one at once: words would break anew in each frame. Thanks become only narrower.
    moving = panel.animate(
      {
        height: [before, height],
        width: [panel.matches('.thanks') ? wide : width, width],
        overflow: ['clip', 'clip'],
        alignContent: [alignContent, alignContent],
      },
      { duration: LEAVE_MS, easing: 'ease' },
    );
  };
  // Told before anything is painted of what has changed.
  const steps = new MutationObserver(move);
  for (const part of [panel, form]) steps.observe(part, { childList: true });
  // A field that comes with a tick.
  form.addEventListener('change', move);
  // Words that are typed have made it higher meanwhile, or the window has.
  new ResizeObserver(() => {
    ({ height, width } = sizes);
  }).observe(panel);
}
