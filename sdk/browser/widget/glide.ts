import { LEAVE_MS } from '../client/times.ts';

export function glide(panel: HTMLElement, form: Element): void {
  if (!matchMedia('(prefers-reduced-motion: no-preference)').matches) return;
  const sizes = getComputedStyle(panel);
  // At the lower edge, Send stays in place. Thumbs have no form; their first row stays in place.
  const isLower = form !== panel && panel.matches('.banner, .corner:not([class*=top])');
  const alignContent = isLower ? 'end' : 'start';
  let { height, width } = sizes;
  let moving: Animation | undefined;
  const move = () => {
    const [before, wide] = [height, width];
    moving?.cancel();
    ({ height, width } = sizes);
    if (height === before && width === wide) return;
    // Animated widths would rewrap text in each frame; only thanks narrow gradually.
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
  // Observers run before painting.
  const steps = new MutationObserver(move);
  for (const part of [panel, form]) steps.observe(part, { childList: true });
  form.addEventListener('change', move);
  new ResizeObserver(() => {
    ({ height, width } = sizes);
  }).observe(panel);
}
