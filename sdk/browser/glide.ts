import { LEAVE_MS } from './times.ts';

/** The box of a step is much higher or lower than that of the one before: it becomes so, and does not jump. */
export function glide(panel: HTMLElement, form: Element): void {
  if (!matchMedia('(prefers-reduced-motion: no-preference)').matches) return;
  const sizes = getComputedStyle(panel);
  let { width, height } = sizes;
  // Told before anything is painted of what has changed.
  const steps = new MutationObserver(() => {
    const before = { width, height };
    ({ width, height } = sizes);
    panel.animate(
      {
        width: [before.width, width],
        height: [before.height, height],
        overflow: ['clip', 'clip'],
      },
      { duration: LEAVE_MS, easing: 'ease' },
    );
  });
  for (const part of [panel, form]) steps.observe(part, { childList: true });
  // Words that are typed have made it higher meanwhile, or the window has.
  new ResizeObserver(() => {
    ({ width, height } = sizes);
  }).observe(panel);
}
